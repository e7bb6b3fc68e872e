#include "nn/torch/network_module.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "game/move.h"
#include "nn/torch/activation.h"
#include "nn/torch/autocast.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

torch::nn::Conv2d convolution(int inputs, int outputs, int kernel, bool bias) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, outputs, kernel).padding(kernel / 2).bias(bias));
}

// [B, c, 8, 8] -> [B, S, c]; no copy where x is channels last.
Tensor by_square(const Tensor& x) {
  return x.permute({0, 2, 3, 1}).reshape({x.size(0), game::kSquares, x.size(1)});
}

// True where cuDNN computes the convolution together with the addition and the ReLU after it.
bool fits_cudnn(const Tensor& x, const Tensor& weight) {
  static constexpr std::int64_t kAlignment = 8;  // Channels: what tensor cores take in half precision.
  return x.is_cuda() && torch::cuda::cudnn_is_available() && weight.size(0) % kAlignment == 0 &&
         weight.size(1) % kAlignment == 0;
}

// The last layers of the value heads, and small products over channels that bf16 would only make slower.
bool keeps_fp32(const std::string& parameter) {
  for (const char* part : {"wdl.", "moves_left.", "pass.", "hand", "squeeze_excite.", "rules."}) {
    if (parameter.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

ConvNormImpl::ConvNormImpl(int inputs, int outputs, int kernel)
    : padding_(kernel / 2),
      conv_(register_module("conv", convolution(inputs, outputs, kernel, false))),
      norm_(register_module("norm", Norm(outputs))) {}

Tensor ConvNormImpl::convolved(const Tensor& x) {
  return torch::conv2d(x, conv_->weight, bias_, 1, padding_);
}

Tensor ConvNormImpl::forward(const Tensor& x) { return norm_ ? norm_(convolved(x)) : convolved(x); }

Tensor ConvNormImpl::activated(const Tensor& x, const Tensor& shortcut) {
  if (norm_) return norm_->activated(convolved(x), shortcut);
  if (!fits_cudnn(x, conv_->weight)) return fused::add_relu(convolved(x), shortcut);
  const std::array<std::int64_t, 2> one = {1, 1}, padding = {padding_, padding_};
  return shortcut.defined()
             ? at::cudnn_convolution_add_relu(x, conv_->weight, shortcut, 1, bias_, one, padding, one, 1)
             : at::cudnn_convolution_relu(x, conv_->weight, bias_, one, padding, one, 1);
}

// norm(y) = (y - mean) / sqrt(variance + eps) * gain + offset is linear in y = conv(x).
void ConvNormImpl::fold() {
  torch::NoGradGuard no_grad;
  conv_->weight.set_data(conv_->weight * norm_->factor().view({-1, 1, 1, 1}));
  bias_ = register_buffer("bias", norm_->offset());
  unregister_module("norm");
  norm_ = nullptr;
}

void ConvNormImpl::add_bias(const Tensor& bias) {
  torch::NoGradGuard no_grad;
  bias_.add_(bias);
}

SqueezeExciteImpl::SqueezeExciteImpl(int channels) {
  const int narrow = std::max(8, channels / 4);
  squeeze_ = register_module("squeeze", torch::nn::Linear(channels, narrow));
  excite_ = register_module("excite", torch::nn::Linear(narrow, 2 * channels));
}

SqueezeExciteImpl::Output SqueezeExciteImpl::forward(const Tensor& x) {
  const Tensor mean =
      torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1).to(squeeze_->weight.dtype());  // [B, C]
  const Tensor both = excite_(torch::relu(squeeze_(mean)));                           // [B, 2 C]
  const std::int64_t channels = x.size(1);
  return {torch::sigmoid(both.narrow(1, 0, channels)), both.narrow(1, channels, channels)};
}

BlockImpl::BlockImpl(int channels, bool with_squeeze_excite)
    : first_(register_module("first", ConvNorm(channels, channels, 3))),
      second_(register_module("second", ConvNorm(channels, channels, 3))) {
  if (with_squeeze_excite) squeeze_excite_ = register_module("squeeze_excite", SqueezeExcite(channels));
}

Tensor BlockImpl::forward(const Tensor& x) {
  const Tensor inner = first_->activated(x);
  if (!squeeze_excite_) return second_->activated(inner, x);
  const Tensor y = second_(inner);
  const SqueezeExciteImpl::Output global = squeeze_excite_(y);
  return fused::gate_add_relu(y, global.gate, global.offset, x);
}

void BlockImpl::fold() {
  first_->fold();
  second_->fold();
}

PolicyHeadImpl::PolicyHeadImpl(const NetworkArchitecture& shape)
    : embed_(register_module("embed", ConvNorm(shape.channels, shape.channels, 1))),
      project_(register_module("project", convolution(shape.channels, 2 * shape.attention, 1, true))),
      pass_(register_module("pass", torch::nn::Linear(shape.hidden, 1))),
      hand_(register_parameter("hand", torch::zeros(shape.attention))) {}

PolicyVectors PolicyHeadImpl::forward(const Tensor& x, const Tensor& summary) {
  const Tensor squares = by_square(project_(embed_->activated(x)));
  const Autocast full_precision(x.device().type(), false);
  return {squares, hand_, pass_(summary)};
}

void PolicyHeadImpl::fold() { embed_->fold(); }

Tensor move_logits(const PolicyVectors& vectors, int attention) {
  const Autocast as_they_are(vectors.squares.device().type(), false);
  const auto parts = vectors.squares.split(attention, 2);  // Queries and keys [B, S, D].
  const Tensor hand = vectors.hand.to(vectors.squares.dtype()).view({1, 1, attention});
  const Tensor query =
      torch::cat({parts[0], hand.expand({parts[0].size(0), 1, attention})}, 1);  // [B, S + 1, D]
  return torch::bmm(query * attention_scale(attention), parts[1].transpose(1, 2)).flatten(1);
}

Tensor logits_at(const Tensor& moves, const Tensor& pass, const Tensor& index) {
  static constexpr std::int64_t kPassIndex =
      game::kPolicySize - 1;  // All others have an origin and a destination.
  const Tensor chosen = moves.gather(1, index.clamp_max(kPassIndex - 1)).to(torch::kFloat);
  return torch::where(index == kPassIndex, pass, chosen);
}

NetworkModuleImpl::NetworkModuleImpl(const NetworkArchitecture& shape) {
  input_ = register_module("input", ConvNorm(shape.plane_count(), shape.channels, 3));
  if (!shape.rule_features.empty()) {
    rules_ = register_module(
        "rules",
        torch::nn::Linear(torch::nn::LinearOptions(shape.rule_feature_count(), shape.channels).bias(false)));
  }
  blocks_ = register_module("blocks", torch::nn::ModuleList());
  for (int i = 0; i < shape.blocks; ++i) blocks_->push_back(Block(shape.channels, i % 2 == 1));
  // In the order of the tensors of checkpoints.
  add_head(info_of(Head::kPolicy), shape);
  value_ = register_module("value", ConvNorm(shape.channels, kValueChannels, 1));
  hidden_ = register_module("hidden", torch::nn::Linear(kValueChannels * game::kSquares, shape.hidden));
  for (const HeadInfo& info : kHeads)
    if (info.head != Head::kPolicy) add_head(info, shape);
}

void NetworkModuleImpl::add_head(const HeadInfo& info, const NetworkArchitecture& shape) {
  const std::string name(info.module);
  HeadLayers& layers = heads_[info.head];
  switch (info.kind) {
    case HeadKind::kMoves:
      layers.moves = register_module(name, PolicyHead(shape));
      break;
    case HeadKind::kSquares:
      layers.squares = register_module(name, convolution(shape.channels, info.outputs, 1, true));
      break;
    case HeadKind::kBoard:
      layers.board = register_module(name, torch::nn::Linear(shape.hidden, info.outputs));
      break;
  }
}

Tensor NetworkModuleImpl::rule_offsets(const Tensor& rules) {
  const Autocast full_precision(rules.device().type(), false);
  return rules_(rules).unsqueeze(-1).unsqueeze(-1);
}

NetworkModuleImpl::Trunk NetworkModuleImpl::trunk(const Tensor& planes, const Tensor& rules) {
  Tensor tower;
  if (rules_) {
    tower = input_(planes);
    tower = fused::relu(tower.add_(rule_offsets(rules).to(tower.scalar_type())));
  } else {
    tower = input_->activated(planes);
  }
  for (const auto& block : *blocks_) tower = block->as<Block>()->forward(tower);
  const Tensor view = by_square(value_->activated(tower)).flatten(1);  // [B, S kValueChannels]
  return {tower, torch::relu(hidden_(view)).to(torch::kFloat)};
}

HeadOutput NetworkModuleImpl::head(const HeadInfo& info, const Trunk& trunk) {
  HeadLayers& layers = heads_[info.head];
  if (info.kind == HeadKind::kMoves) return {.moves = layers.moves(trunk.tower, trunk.summary)};
  Tensor numbers;
  if (info.kind == HeadKind::kSquares) {
    numbers = layers.squares(trunk.tower).to(torch::kFloat);
  } else {
    const Autocast full_precision(trunk.tower.device().type(), false);
    numbers = layers.board(trunk.summary);
  }
  return {.numbers = info.loss == LossKind::kPositive ? torch::softplus(numbers) : numbers};
}

PlayOutput NetworkModuleImpl::play(const Tensor& planes, const Tensor& rules) {
  const Trunk shared = trunk(planes, rules);
  return {head(info_of(Head::kPolicy), shared).moves, head(info_of(Head::kValue), shared).numbers,
          head(info_of(Head::kMovesLeft), shared).numbers.squeeze(1)};
}

TrainOutput NetworkModuleImpl::forward_train(const Tensor& planes, const Tensor& rules) {
  const Trunk shared = trunk(planes, rules);
  TrainOutput output;
  for (const HeadInfo& info : kHeads) output[info.head] = head(info, shared);
  return output;
}

void NetworkModuleImpl::fuse_for_inference(torch::Device device, torch::ScalarType type,
                                           const Tensor& fixed_rules) {
  for (const HeadInfo& info : kHeads) {
    if (!info.auxiliary) continue;
    unregister_module(std::string(info.module));
    heads_[info.head] = {};
  }
  eval();
  input_->fold();
  if (rules_ && fixed_rules.defined()) {
    input_->add_bias(torch::mv(rules_->weight, fixed_rules));
    unregister_module("rules");
    rules_ = nullptr;
  }
  for (const auto& block : *blocks_) block->as<Block>()->fold();
  heads_[Head::kPolicy].moves->fold();
  value_->fold();

  torch::NoGradGuard no_grad;
  for (auto& item : named_parameters()) {
    item.value().set_data(item.value().to(device, keeps_fp32(item.key()) ? torch::kFloat : type));
  }
  for (auto& item : named_buffers()) item.value().set_data(item.value().to(device, type));
  to_channels_last(this);
}

void to_channels_last(torch::nn::Module* module) {
  torch::NoGradGuard no_grad;
  for (Tensor& parameter : module->parameters()) {
    if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(torch::MemoryFormat::ChannelsLast));
  }
}

}  // namespace makzero::nn
