#include "nn/evaluators/torch_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "game/notation.h"
#include "nn/bf16.h"
#include "nn/evaluators/fitting_rows.h"
#include "nn/rule_encoder.h"
#include "nn/runtime.h"
#include "nn/torch_plugin.h"

namespace makzero::nn {
namespace {

constexpr std::ptrdiff_t kMoves = game::MoveList::kCapacity;

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
        sums[lane] += load(query[i + lane]) * load(key[i + lane]);
      }
    }
    float sum = 0;
    for (; i < attention_; ++i) sum += load(query[i]) * load(key[i]);
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

void require_backend(const Backend& backend) { require(torch_plugin().require_backend(backend)); }

class TorchEvaluator::Impl {
 public:
  // `fixed`: the one ruleset that it plays; null: the rules come with each request.
  Impl(const game::GameInfo* fixed, const Network& network, const TorchEvaluatorOptions& options,
       TorchOutput output)
      : encoder_(network.architecture.planes),
        rule_encoder_(network.architecture.rule_features),
        attention_(network.architecture.attention),
        max_batch_(options.max_batch),
        output_(output),
        name_(options.network.empty() ? "the network" : "network " + options.network) {
    if (max_batch_ < 1) throw std::runtime_error("max_batch must be at least 1");
    TorchNetworkOptions request = {.backend = {options.device, options.precision}};
    if (fixed != nullptr) {
      request.fixed_rules.resize(rule_encoder_.count());
      rule_encoder_.encode(*fixed, request.fixed_rules.data());
    } else {
      request.takes_rules = takes_rules_ = rule_encoder_.count() > 0;
    }
    require(torch_plugin().make_network(network, request, &network_));
    batch_ = make_batch(max_batch_);
  }

  std::unique_ptr<TorchBatch> make_batch(int rows) const {
    std::unique_ptr<TorchBatch> batch;
    require(network_->make_batch(rows, output_, &batch));
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
    const auto require_size = [batch](const std::vector<float>& numbers, std::int64_t each) {
      if (static_cast<std::int64_t>(numbers.size()) == batch * each) return;
      throw std::runtime_error("forward: " + std::to_string(numbers.size()) + " numbers are not " +
                               std::to_string(batch) + " positions of " + std::to_string(each));
    };
    require_size(planes, row);
    require_size(rule_features, features);
    std::vector<RawOutput> outputs;
    for (int begin = 0; begin < batch; begin += max_batch_) {
      const int count = std::min(max_batch_, batch - begin);
      std::copy_n(planes.data() + begin * row, count * row, batch_->planes);
      if (features > 0) std::copy_n(rule_features.data() + begin * features, count * features, batch_->rules);
      require(network_->run(0, count, TorchOutput::kWhole, thread_count(), batch_.get()));
      for (int i = 0; i < count; ++i) outputs.push_back(raw_output(*batch_, i));
    }
    return outputs;
  }

  void encode(std::span<const mcts::EvalRequest> requests, int first, TorchBatch* batch) const {
    const std::ptrdiff_t row = encoder_.plane_count() * game::kSquares;
    float* planes = batch->planes + first * row;
    for (const mcts::EvalRequest& request : requests) {
      encoder_.encode(*request.game, *request.position, request.occurrences, planes);
      planes += row;
    }
    if (batch->moves) encode_moves(requests, batch->moves + first * kMoves);
    if (takes_rules_) encode_rules(requests, batch->rules + first * std::ptrdiff_t{rule_encoder_.count()});
  }

  void run(int count, TorchBatch* batch) {
    fitting_.run(count, [&](int first, int rows) {
      require(network_->run(first, rows, output_, thread_count(), batch));
    });
  }

  int row_limit() const { return fitting_.limit(); }

  void decode(const TorchBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
              std::span<mcts::Evaluation> evaluations) const {
    for (size_t i = 0; i < requests.size(); ++i) {
      const std::ptrdiff_t position = first + static_cast<std::ptrdiff_t>(i);
      evaluations[i].priors.resize(requests[i].legal->size());
      const HeadOutput heads = output_ == TorchOutput::kGathered
                                   ? read_gathered(batch, position, evaluations[i].priors)
                                   : read_whole(batch, position, requests[i], evaluations[i].priors);
      require_finite(heads, evaluations[i].priors, requests[i]);
      evaluations[i].value = to_value(heads.wdl);
      evaluations[i].moves_left = kMovesLeftScale * heads.moves_left;
      softmax(evaluations[i].priors);
    }
  }

  const Encoder& encoder() const { return encoder_; }
  Precision precision() const { return network_->precision(); }

 private:
  // What the value heads say of one position.
  struct HeadOutput {
    const float* wdl;  // [3] logits
    float moves_left;
  };

  HeadOutput read_whole(const TorchBatch& batch, std::ptrdiff_t position, const mcts::EvalRequest& request,
                        std::span<float> logits) const {
    // The function in the loop as a copy: what is written might else be its own numbers, for all the compiler
    // knows.
    float* out = logits.data();
    with_logits(batch, position, [&](const auto& logit) {
      for_each_index(request, [out, logit](int move, int index) { out[move] = logit(index); });
    });
    return {batch.wdl + 3 * position, batch.moves_left[position]};
  }

  static HeadOutput read_gathered(const TorchBatch& batch, std::ptrdiff_t position, std::span<float> logits) {
    const float* row = batch.gathered + position * (kMoves + 4);
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
    const std::string precision(precision_name(this->precision()));
    throw std::runtime_error(
        name_ + " computes NaN or infinity in " + precision + " for position '" +
        game::position_text(*request.game, *request.position) + "' of '" + request.game->info().ruleset +
        (this->precision() == Precision::kFp32
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
  void with_logits(const TorchBatch& batch, std::ptrdiff_t position, const Use& use) const {
    const std::ptrdiff_t offset = position * game::kSquares * 2 * attention_;
    const float pass = batch.pass[position];
    if (batch.squares_bf16) {
      use(MoveLogits(batch.squares_bf16 + offset, batch.hand, pass, attention_));
    } else {
      use(MoveLogits(batch.squares + offset, batch.hand, pass, attention_));
    }
  }

  RawOutput raw_output(const TorchBatch& batch, int position) const {
    RawOutput raw;
    raw.policy.resize(game::kPolicySize);
    with_logits(batch, position, [&](const auto& logit) {
      for (int index = 0; index < game::kPolicySize; ++index) raw.policy[index] = logit(index);
    });
    const mcts::MoverValue value = to_value(batch.wdl + 3 * static_cast<std::ptrdiff_t>(position));
    raw.wdl = {value.win, value.draw, value.loss};
    raw.moves_left = kMovesLeftScale * batch.moves_left[position];
    return raw;
  }

  Encoder encoder_;
  RuleEncoder rule_encoder_;
  int attention_;
  int max_batch_;
  TorchOutput output_;
  std::string name_;  // "network 4f2a91c03b7e", for errors.
  bool takes_rules_ = false;
  std::unique_ptr<TorchNetwork> network_;
  FittingRows fitting_;
  std::unique_ptr<TorchBatch> batch_;  // [max_batch_], of evaluate() and forward()
};

namespace {

// What travels from the device: from a card as little as possible.
TorchOutput output_of(const std::string& device) {
  return device.starts_with("cuda") ? TorchOutput::kGathered : TorchOutput::kWhole;
}

}  // namespace

TorchEvaluator::TorchEvaluator(const game::Game& game, const Network& network,
                               const TorchEvaluatorOptions& options)
    : TorchEvaluator(game, network, options, output_of(options.device)) {}

TorchEvaluator::TorchEvaluator(std::span<const game::GamePtr> games, const Network& network,
                               const TorchEvaluatorOptions& options)
    : TorchEvaluator(games, network, options, output_of(options.device)) {}

TorchEvaluator::TorchEvaluator(const game::Game& game, const Network& network,
                               const TorchEvaluatorOptions& options, TorchOutput output) {
  check_fit(game.info(), network.architecture);
  impl_ = std::make_unique<Impl>(&game.info(), network, options, output);
}

TorchEvaluator::TorchEvaluator(std::span<const game::GamePtr> games, const Network& network,
                               const TorchEvaluatorOptions& options, TorchOutput output) {
  for (const game::GamePtr& game : games) check_fit(game->info(), network.architecture);
  impl_ = std::make_unique<Impl>(nullptr, network, options, output);
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

int TorchEvaluator::row_limit() const { return impl_->row_limit(); }

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
