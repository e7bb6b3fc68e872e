// The network in LibTorch: one architecture for the gradient step and, folded, for play. Private to
// the plugin.
#pragma once

#include <torch/torch.h>

#include "nn/heads.h"
#include "nn/network.h"
#include "nn/torch/norm.h"

namespace makzero::nn {

// Shapes: B positions of a batch, P planes, F rule features, C channels, D attention dimensions, H hidden
// units; S = 64 squares.

// A convolution without bias, then batch norm; fold() makes one convolution with bias of the two, for
// inference.
class ConvNormImpl : public torch::nn::Module {
 public:
  ConvNormImpl(int inputs, int outputs, int kernel);

  torch::Tensor forward(const torch::Tensor& x);  // [B, inputs, 8, 8] -> [B, outputs, 8, 8]

  // relu(forward(x) + shortcut); an undefined shortcut [B, outputs, 8, 8] is none.
  torch::Tensor activated(const torch::Tensor& x, const torch::Tensor& shortcut = {});

  void fold();

  // Adds [outputs] to what forward() gives on every square. REQUIRES: folded.
  void add_bias(const torch::Tensor& bias);

 private:
  torch::Tensor convolved(const torch::Tensor& x);

  int padding_;
  torch::nn::Conv2d conv_ = nullptr;
  Norm norm_ = nullptr;  // Null once folded.
  torch::Tensor bias_;   // [outputs]; defined once folded.
};
TORCH_MODULE(ConvNorm);

// Squeeze and excite (Hu et al. 2018): what the whole board says about each channel.
class SqueezeExciteImpl : public torch::nn::Module {
 public:
  explicit SqueezeExciteImpl(int channels);

  struct Output {
    torch::Tensor gate, offset;  // [B, C]: the channel is multiplied, then raised.
  };
  Output forward(const torch::Tensor& x);  // [B, C, 8, 8]

 private:
  torch::nn::Linear squeeze_ = nullptr, excite_ = nullptr;
};
TORCH_MODULE(SqueezeExcite);

// Two convolutions beside a shortcut; every second block of a tower has squeeze and excite.
class BlockImpl : public torch::nn::Module {
 public:
  BlockImpl(int channels, bool with_squeeze_excite);

  torch::Tensor forward(const torch::Tensor& x);  // [B, C, 8, 8] -> [B, C, 8, 8]
  void fold();

 private:
  ConvNorm first_ = nullptr, second_ = nullptr;
  SqueezeExcite squeeze_excite_ = nullptr;  // Null in blocks without.
};
TORCH_MODULE(Block);

// A policy as attention from origin to destination squares, before the products are taken. The hand is one
// more origin.
struct PolicyVectors {
  torch::Tensor squares;  // [B, S, 2 D]: query of the origin, key of the destination.
  torch::Tensor hand;     // [D]: query of the hand.
  torch::Tensor pass;     // [B, 1] fp32 logit of the pass.
};

class PolicyHeadImpl : public torch::nn::Module {
 public:
  explicit PolicyHeadImpl(const NetworkArchitecture& shape);

  PolicyVectors forward(const torch::Tensor& x, const torch::Tensor& summary);  // [B, C, 8, 8], [B, H] fp32
  void fold();

 private:
  ConvNorm embed_ = nullptr;
  torch::nn::Conv2d project_ = nullptr;
  torch::nn::Linear pass_ = nullptr;
  torch::Tensor hand_;
};
TORCH_MODULE(PolicyHead);

// The logits of all moves but the pass, [B, kPolicySize - 1] in the type of the vectors, in the order of
// Move::index().
torch::Tensor move_logits(const PolicyVectors& vectors, int attention);

// The fp32 logits [B, L] of the moves with these policy indices [B, L], from move_logits().
torch::Tensor logits_at(const torch::Tensor& moves, const torch::Tensor& pass, const torch::Tensor& index);

// What play needs.
struct PlayOutput {
  PolicyVectors policy;
  torch::Tensor wdl;         // [B, 3] fp32 logits of win, draw, loss for the mover.
  torch::Tensor moves_left;  // [B] fp32, in units of kMovesLeftScale plies, positive.
};

// What a head computes: of HeadKind::kMoves the vectors of a policy, of the others fp32 numbers, [B, outputs]
// or [B, outputs, 8, 8].
struct HeadOutput {
  PolicyVectors moves = {};
  torch::Tensor numbers = {};
};

// What training needs.
using TrainOutput = PerHead<HeadOutput>;

class NetworkModuleImpl : public torch::nn::Module {
 public:
  explicit NetworkModuleImpl(const NetworkArchitecture& shape);

  // planes [B, P, 8, 8] channels last; rules [B, F] fp32, undefined for a network that does not see them, or
  // into which they were folded.
  PlayOutput play(const torch::Tensor& planes, const torch::Tensor& rules = {});
  TrainOutput forward_train(const torch::Tensor& planes, const torch::Tensor& rules = {});

  // For inference: folds batch norms, drops auxiliary heads, takes the type and the device. The last
  // layers of the value heads stay fp32. `fixed_rules` [F]: the network will see these rules only and takes
  // them as input no more; undefined: it does.
  void fuse_for_inference(torch::Device device, torch::ScalarType type,
                          const torch::Tensor& fixed_rules = {});

 private:
  struct Trunk {
    torch::Tensor tower;    // [B, C, 8, 8]
    torch::Tensor summary;  // [B, H] fp32: what the value heads share.
  };
  Trunk trunk(const torch::Tensor& planes, const torch::Tensor& rules);
  torch::Tensor rule_offsets(const torch::Tensor& rules);  // [B, F] -> [B, C, 1, 1] fp32

  // The last layers of a head: those that its HeadKind names.
  struct HeadLayers {
    PolicyHead moves = nullptr;
    torch::nn::Conv2d squares = nullptr;
    torch::nn::Linear board = nullptr;
  };
  void add_head(const HeadInfo& info, const NetworkArchitecture& shape);
  HeadOutput head(const HeadInfo& info, const Trunk& trunk);

  ConvNorm input_ = nullptr;
  // What the rules add to the channels of the input convolution behind its batch norm, equally on all 64
  // squares: for fixed rules that is exactly a part of the bias of the folded convolution. Null where the
  // network does not see the rules.
  torch::nn::Linear rules_ = nullptr;
  torch::nn::ModuleList blocks_ = nullptr;  // Of Block.
  ConvNorm value_ = nullptr;
  torch::nn::Linear hidden_ = nullptr;
  PerHead<HeadLayers> heads_;
};
TORCH_MODULE(NetworkModule);

// Puts the weights of all convolutions into channels-last order, as the activations are.
void to_channels_last(torch::nn::Module* module);

}  // namespace makzero::nn
