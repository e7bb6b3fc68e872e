#include "nn/evaluators/torch_evaluator.h"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>

#include "game/notation.h"
#include "nn/network_module.h"
#include "nn/rule_encoder.h"
#include "nn/tensors.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

// Whether LibTorch convolves in that precision on the device: 1.13.1 does not in fp16 on a CPU.
bool convolves(Precision precision, torch::Device device) {
  const c10::InferenceMode inference;
  const auto options = torch::TensorOptions(device).dtype(scalar_type(precision));
  try {
    torch::conv2d(torch::zeros({1, 8, 8, 8}, options), torch::zeros({8, 8, 3, 3}, options), {}, 1, 1);
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

// Throws std::runtime_error where it is not possible on the device, naming what is.
Precision choose_precision(Precision wanted, torch::Device device) {
  if (wanted == Precision::kAuto) {
    if (device.is_cuda()) return Precision::kFp16;
    return cpu_has_bf16() ? Precision::kBf16 : Precision::kFp32;
  }
  if (convolves(wanted, device)) return wanted;
  std::string possible = "auto";
  for (const Precision other : {Precision::kFp32, Precision::kBf16, Precision::kFp16}) {
    if (convolves(other, device)) possible += " or " + std::string(precision_name(other));
  }
  throw std::runtime_error("LibTorch " TORCH_VERSION " does not compute in " +
                           std::string(precision_name(wanted)) + " on device '" + device.str() + "': use " +
                           possible);
}

// The sizes of batch that the network runs at: few, since every new one costs the preparation of all its
// kernels, and on a GPU multiples of what its tiles hold.
int padded_batch(int rows, bool cuda) {
  const int step = cuda ? 32 : rows <= 8 ? 1 : rows <= 64 ? 4 : 16;
  return (rows + step - 1) / step * step;
}

// Turns logits into probabilities in place.
void softmax(std::span<float> values) {
  const float largest = *std::max_element(values.begin(), values.end());
  float sum = 0;
  for (float& value : values) sum += value = std::exp(value - largest);
  for (float& value : values) value /= sum;
}

mcts::MoverValue to_value(const float* logits) {
  std::array<float, 3> wdl = {logits[0], logits[1], logits[2]};
  softmax(wdl);
  return {wdl[0], wdl[1], wdl[2]};
}

// The outputs of one batch in the memory of this process.
struct HostOutput {
  Tensor squares;     // [B, S, 2 D] bf16 on a CPU that computes in it, else fp32
  Tensor hand;        // [D] fp32
  Tensor pass;        // [B] fp32
  Tensor wdl;         // [B, 3] fp32 logits
  Tensor moves_left;  // [B] fp32
};

// A batch on its way to the network and back. Its memory is reused; that for a card is pinned, so that the
// card copies by itself.
struct TorchBatch : DeviceBatch {
  Tensor input;       // [rows padded, P, 8, 8] fp32
  Tensor rules;       // [rows padded, F] fp32; undefined where the network takes no rules
  HostOutput output;  // Of a CPU.

  // Of a card, which computes the logits of legal moves alone: 3 KiB a position travel instead of 32.
  Tensor moves;  // [rows padded, kCapacity] int16 policy indices; beyond a row's own, any
  std::optional<c10::Stream> stream;  // Of its own: batches, and the learner, do not wait for each other.
  Tensor gathered;  // [rows padded, kCapacity + 4] fp32 logits of these, of win, draw and loss, moves left
};

constexpr std::int64_t kMoves = game::MoveList::kCapacity;

// While it lives, the work of this thread for the card goes through the stream; without one it does nothing.
class OwnStream {
 public:
  explicit OwnStream(const std::optional<c10::Stream>& stream) : stream_(stream) {
    if (stream_) guard_.emplace(*stream_);
  }

  // Until the card has done it all, asleep: a thread that spins takes a processor from the searches.
  void wait() const {
    if (!stream_) return;
    c10::Event event(stream_->device_type());
    event.record(*stream_);
    while (!event.query()) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

 private:
  const std::optional<c10::Stream>& stream_;
  std::optional<c10::StreamGuard> guard_;
};

// The policy logits of single moves: the products of only those queries and keys that legal moves ask for.
// The whole 64 x 64 product per position would cost a 3x32 network 8 % of its time.
template <class Scalar>
class MoveLogits {
 public:
  // REQUIRES: squares and hand live as long as this.
  MoveLogits(const Scalar* squares, const float* hand, float pass, int attention)
      : squares_(squares),
        hand_(hand),
        pass_(pass),
        attention_(attention),
        scale_(attention_scale(attention)) {}

  float operator()(int index) const {
    if (index == game::kPolicySize - 1) return pass_;
    const int origin = index >> 6, destination = index & 63;
    const Scalar* key = at(destination) + attention_;
    return scale_ * (origin < game::kSquares ? product(at(origin), key) : product(hand_, key));
  }

 private:
  const Scalar* at(int square) const {
    return squares_ + static_cast<std::ptrdiff_t>(square) * 2 * attention_;
  }

  // In as many sums as a vector register has lanes: the compiler may not reorder one sum.
  template <class Query>
  float product(const Query* query, const Scalar* key) const {
    std::array<float, kLanes> sums = {};
    int i = 0;
    for (; i + kLanes <= attention_; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        sums[lane] += static_cast<float>(query[i + lane]) * static_cast<float>(key[i + lane]);
      }
    }
    float sum = 0;
    for (; i < attention_; ++i) sum += static_cast<float>(query[i]) * static_cast<float>(key[i]);
    for (const float lane : sums) sum += lane;
    return sum;
  }

  static constexpr int kLanes = 16;
  const Scalar* squares_;
  const float* hand_;
  float pass_;
  int attention_;
  float scale_;
};

// Without a branch in the loop, so that it is vectorised.
bool all_finite(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFF);
  return largest < 0x7F800000;  // The bits of infinity; those of NaN are larger.
}

// Throws std::runtime_error where the network cannot play the game.
void check_fit(const game::GameInfo& info, const NetworkArchitecture& architecture) {
  const std::string remedy =
      ", which this program does not know: use the program that made it, or train anew";
  if (const std::string unknown = unknown_plane(architecture.planes); !unknown.empty())
    throw std::runtime_error("the network has an input plane '" + unknown + "'" + remedy);
  const std::string unknown = unknown_rule_feature(architecture.rule_features);
  if (!unknown.empty()) throw std::runtime_error("the network has a rule feature '" + unknown + "'" + remedy);
  if (const std::string missing = missing_plane(architecture.planes, info); !missing.empty())
    throw std::runtime_error("the network has no input plane '" + missing + "', without which '" +
                             info.ruleset + "' cannot be played: use one that was trained for it");
}

}  // namespace

void require_backend(const Backend& backend) {
  for (const torch::Device device : find_devices(backend.device)) choose_precision(backend.precision, device);
}

class TorchEvaluator::Impl {
 public:
  // `fixed`: the one ruleset that it plays; null: the rules come with each request.
  Impl(const game::GameInfo* fixed, const Network& network, const TorchEvaluatorOptions& options)
      : encoder_(network.architecture.planes),
        rule_encoder_(network.architecture.rule_features),
        shape_(network.architecture),
        device_(find_device(options.device)),
        precision_(choose_precision(options.precision, device_)),
        max_batch_(options.max_batch),
        gathers_(device_.is_cuda() || options.as_on_card),
        name_(options.network.empty() ? "the network" : "network " + options.network),
        network_(shape_) {
    if (max_batch_ < 1) throw std::runtime_error("max_batch must be at least 1");
    copy_weights(network.weights, tensors_of(*network_));
    Tensor fixed_rules;
    if (fixed != nullptr) {
      fixed_rules = torch::zeros(rule_encoder_.count());
      rule_encoder_.encode(*fixed, fixed_rules.data_ptr<float>());
    } else {
      takes_rules_ = rule_encoder_.count() > 0;
    }
    network_->fuse_for_inference(device_, scalar_type(precision_), fixed_rules);
    // Streams do not wait for each other: what was done to the weights is done now.
    if (device_.is_cuda()) torch::cuda::synchronize(device_.index());
    batch_ = make_batch(max_batch_);
  }

  std::unique_ptr<TorchBatch> make_batch(int rows) const {
    const auto pinned = torch::TensorOptions().pinned_memory(device_.is_cuda());
    const std::int64_t padded = padded_batch(rows, device_.is_cuda());
    auto batch = std::make_unique<TorchBatch>();
    batch->input = torch::zeros({padded, shape_.plane_count(), 8, 8}, pinned);
    if (takes_rules_) batch->rules = torch::zeros({padded, rule_encoder_.count()}, pinned);
    if (gathers_) {
      batch->moves = torch::zeros({padded, kMoves}, pinned.dtype(torch::kShort));
      batch->gathered = torch::empty({padded, kMoves + 4}, pinned);
      if (device_.is_cuda())
        batch->stream = c10::impl::VirtualGuardImpl(device_.type()).getStreamFromGlobalPool(device_);
    }
    return batch;
  }

  void evaluate(std::span<const mcts::EvalRequest> requests, std::span<mcts::Evaluation> evaluations) {
    assert(requests.size() == evaluations.size());
    const auto most = static_cast<size_t>(max_batch_);
    for (size_t begin = 0; begin < requests.size(); begin += most) {
      const size_t count = std::min(most, requests.size() - begin);
      encode(requests.subspan(begin, count), 0, batch_.get());
      run(static_cast<int>(count), batch_.get());
      decode(*batch_, 0, requests.subspan(begin, count), evaluations.subspan(begin, count));
    }
  }

  std::vector<RawOutput> forward(const std::vector<float>& planes, int batch,
                                 const std::vector<float>& rule_features) {
    const std::int64_t row = encoder_.plane_count() * game::kSquares;
    const std::int64_t features = takes_rules_ ? rule_encoder_.count() : 0;
    const auto require = [batch](const std::vector<float>& numbers, std::int64_t each) {
      if (static_cast<std::int64_t>(numbers.size()) == batch * each) return;
      throw std::runtime_error("forward: " + std::to_string(numbers.size()) + " numbers are not " +
                               std::to_string(batch) + " positions of " + std::to_string(each));
    };
    require(planes, row);
    require(rule_features, features);
    std::vector<RawOutput> outputs;
    for (int begin = 0; begin < batch; begin += max_batch_) {
      const int count = std::min(max_batch_, batch - begin);
      std::copy_n(planes.data() + begin * row, count * row, batch_->input.data_ptr<float>());
      if (features > 0)
        std::copy_n(rule_features.data() + begin * features, count * features,
                    batch_->rules.data_ptr<float>());
      run_whole(count, batch_.get());
      for (int i = 0; i < count; ++i) outputs.push_back(raw_output(batch_->output, i));
    }
    return outputs;
  }

  void encode(std::span<const mcts::EvalRequest> requests, int first, TorchBatch* batch) const {
    const std::ptrdiff_t row = encoder_.plane_count() * game::kSquares;
    float* planes = batch->input.data_ptr<float>() + first * row;
    for (const mcts::EvalRequest& request : requests) {
      encoder_.encode(*request.game, *request.position, request.occurrences, planes);
      planes += row;
    }
    if (gathers_) encode_moves(requests, batch->moves.data_ptr<std::int16_t>() + first * kMoves);
    if (takes_rules_) encode_rules(requests, batch->rules.data_ptr<float>() + first * batch->rules.size(1));
  }

  // Runs the network on the first `count` rows of the input; rows beyond are padding and their outputs are
  // not read.
  void run(int count, TorchBatch* batch) {
    if (!gathers_) return run_whole(count, batch);
    const c10::InferenceMode inference;
    const OwnStream stream(batch->stream);
    const PlayOutput output = play(count, *batch);
    const std::int64_t rows = output.wdl.size(0);
    const Tensor index = batch->moves.narrow(0, 0, rows).to(device_, true).to(torch::kLong);
    const Tensor logits = logits_at(move_logits(output.policy, shape_.attention), output.policy.pass, index);
    batch->gathered.narrow(0, 0, rows)
        .copy_(torch::cat({logits, output.wdl, output.moves_left.unsqueeze(1)}, 1), /*non_blocking=*/true);
    stream.wait();
  }

  void decode(const TorchBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
              std::span<mcts::Evaluation> evaluations) const {
    for (size_t i = 0; i < requests.size(); ++i) {
      const std::ptrdiff_t position = first + static_cast<std::ptrdiff_t>(i);
      evaluations[i].priors.resize(requests[i].legal->size());
      const HeadOutput heads = gathers_
                                   ? read_gathered(batch, position, evaluations[i].priors)
                                   : read_whole(batch.output, position, requests[i], evaluations[i].priors);
      require_finite(heads, evaluations[i].priors, requests[i]);
      evaluations[i].value = to_value(heads.wdl);
      evaluations[i].moves_left = kMovesLeftScale * heads.moves_left;
      softmax(evaluations[i].priors);
    }
  }

  const Encoder& encoder() const { return encoder_; }
  Precision precision() const { return precision_; }

 private:
  // What the value heads say of one position.
  struct HeadOutput {
    const float* wdl;  // [3] logits
    float moves_left;
  };

  PlayOutput play(int count, const TorchBatch& batch) {
    const bool asynchronous = device_.is_cuda();
    const Tensor rows = batch.input.narrow(0, 0, padded_batch(count, device_.is_cuda()));
    const Tensor planes = rows.to(device_, asynchronous)
                              .to(scalar_type(precision_), false, false, torch::MemoryFormat::ChannelsLast);
    Tensor rules;
    if (takes_rules_) rules = batch.rules.narrow(0, 0, planes.size(0)).to(device_, asynchronous);
    return network_->play(planes, rules);
  }

  // With the vectors of all squares as output, for any move.
  void run_whole(int count, TorchBatch* batch) {
    const c10::InferenceMode inference;
    HostOutput& host = batch->output;
    host = {};  // Its memory is that of the new one.
    const PlayOutput output = play(count, *batch);
    host.squares = output.policy.squares.contiguous();
    if (device_.is_cuda() || precision_ == Precision::kFp16)
      host.squares = host.squares.to(torch::kFloat).cpu();
    host.hand = output.policy.hand.cpu();
    host.pass = output.policy.pass.cpu();
    host.wdl = output.wdl.cpu();
    host.moves_left = output.moves_left.cpu();
  }

  HeadOutput read_whole(const HostOutput& output, std::ptrdiff_t position, const mcts::EvalRequest& request,
                        std::span<float> logits) const {
    // The function in the loop as a copy: what is written might else be its own numbers, for all the compiler
    // knows.
    float* out = logits.data();
    with_logits(output, position, [&](const auto& logit) {
      for_each_index(request, [out, logit](int move, int index) { out[move] = logit(index); });
    });
    return {output.wdl.data_ptr<float>() + 3 * position, output.moves_left.data_ptr<float>()[position]};
  }

  static HeadOutput read_gathered(const TorchBatch& batch, std::ptrdiff_t position, std::span<float> logits) {
    const float* row = batch.gathered.data_ptr<float>() + position * (kMoves + 4);
    std::copy_n(row, logits.size(), logits.begin());
    return {row + kMoves, row[kMoves + 3]};
  }

  // Calls use(number of the legal move, its policy index).
  template <class Use>
  static void for_each_index(const mcts::EvalRequest& request, const Use& use) {
    const game::GameInfo& info = request.game->info();
    const game::Color mover = request.position->to_move;
    for (int move = 0; move < request.legal->size(); ++move)
      use(move, policy_index(info, (*request.legal)[move], mover));
  }

  // Else a search would go on with values that mean nothing.
  void require_finite(const HeadOutput& heads, std::span<const float> logits,
                      const mcts::EvalRequest& request) const {
    if (all_finite({heads.wdl, 3}) && all_finite({&heads.moves_left, 1}) && all_finite(logits)) return;
    const std::string precision(precision_name(precision_));
    throw std::runtime_error(
        name_ + " computes NaN or infinity in " + precision + " for position '" +
        game::position_text(*request.game, *request.position) + "' of '" + request.game->info().ruleset +
        (precision_ == Precision::kFp32
             ? "': its weights are broken: take an earlier checkpoint"
             : "': its weights are broken or too large for " + precision + ": try --precision fp32"));
  }

  static void encode_moves(std::span<const mcts::EvalRequest> requests, std::int16_t* moves) {
    for (const mcts::EvalRequest& request : requests) {
      for_each_index(request, [&](int move, int index) { moves[move] = static_cast<std::int16_t>(index); });
      moves += kMoves;
    }
  }

  // Neighbours in a batch are often of one game: its features are looked up once.
  void encode_rules(std::span<const mcts::EvalRequest> requests, float* rules) const {
    const int count = rule_encoder_.count();
    for (size_t i = 0; i < requests.size(); ++i, rules += count) {
      if (i > 0 && requests[i].game == requests[i - 1].game) {
        std::copy_n(rules - count, count, rules);
      } else {
        rule_encoder_.encode(requests[i].game->info(), rules);
      }
    }
  }

  // Calls use(logit) with the function that gives the policy logits of one position of the batch.
  template <class Use>
  void with_logits(const HostOutput& output, std::ptrdiff_t position, const Use& use) const {
    const std::ptrdiff_t offset = position * output.squares.stride(0);
    const float* hand = output.hand.data_ptr<float>();
    const float pass = output.pass.data_ptr<float>()[position];
    if (output.squares.scalar_type() == torch::kBFloat16) {
      use(MoveLogits(output.squares.data_ptr<c10::BFloat16>() + offset, hand, pass, shape_.attention));
    } else {
      use(MoveLogits(output.squares.data_ptr<float>() + offset, hand, pass, shape_.attention));
    }
  }

  RawOutput raw_output(const HostOutput& output, int position) const {
    RawOutput raw;
    raw.policy.resize(game::kPolicySize);
    with_logits(output, position, [&](const auto& logit) {
      for (int index = 0; index < game::kPolicySize; ++index) raw.policy[index] = logit(index);
    });
    const mcts::MoverValue value =
        to_value(output.wdl.data_ptr<float>() + 3 * static_cast<std::ptrdiff_t>(position));
    raw.wdl = {value.win, value.draw, value.loss};
    raw.moves_left = kMovesLeftScale * output.moves_left.data_ptr<float>()[position];
    return raw;
  }

  Encoder encoder_;
  RuleEncoder rule_encoder_;
  NetworkArchitecture shape_;
  torch::Device device_;
  Precision precision_;
  int max_batch_;
  bool gathers_;      // The logits of legal moves, on the device.
  std::string name_;  // "network 4f2a91c03b7e", for errors.
  NetworkModule network_;
  bool takes_rules_ = false;
  std::unique_ptr<TorchBatch> batch_;  // [max_batch_], of evaluate() and forward()
};

TorchEvaluator::TorchEvaluator(const game::Game& game, const Network& network,
                               const TorchEvaluatorOptions& options) {
  check_fit(game.info(), network.architecture);
  impl_ = std::make_unique<Impl>(&game.info(), network, options);
}

TorchEvaluator::TorchEvaluator(std::span<const game::GamePtr> games, const Network& network,
                               const TorchEvaluatorOptions& options) {
  for (const game::GamePtr& game : games) check_fit(game->info(), network.architecture);
  impl_ = std::make_unique<Impl>(nullptr, network, options);
}

TorchEvaluator::~TorchEvaluator() = default;

void TorchEvaluator::evaluate(std::span<const mcts::EvalRequest> requests,
                              std::span<mcts::Evaluation> evaluations) {
  impl_->evaluate(requests, evaluations);
}

std::unique_ptr<DeviceBatch> TorchEvaluator::make_batch(int rows) const { return impl_->make_batch(rows); }

void TorchEvaluator::encode(std::span<const mcts::EvalRequest> requests, int first,
                            DeviceBatch* batch) const {
  impl_->encode(requests, first, static_cast<TorchBatch*>(batch));
}

void TorchEvaluator::run(int rows, DeviceBatch* batch) { impl_->run(rows, static_cast<TorchBatch*>(batch)); }

void TorchEvaluator::decode(const DeviceBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
                            std::span<mcts::Evaluation> evaluations) const {
  impl_->decode(static_cast<const TorchBatch&>(batch), first, requests, evaluations);
}

std::vector<RawOutput> TorchEvaluator::forward(const std::vector<float>& planes, int batch,
                                               const std::vector<float>& rule_features) {
  return impl_->forward(planes, batch, rule_features);
}

const Encoder& TorchEvaluator::encoder() const { return impl_->encoder(); }
Precision TorchEvaluator::precision() const { return impl_->precision(); }

}  // namespace makzero::nn
