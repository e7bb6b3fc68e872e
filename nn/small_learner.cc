#include "nn/small_learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "mcts/rng.h"

namespace makzero::nn {
namespace {

using mcts::SmallNetwork;

constexpr int kHidden = mcts::kSmallHidden;
constexpr int kParts = 8;  // Of a batch, whatever the threads: their gradients are added in this order.
constexpr float kFirstDecay = 0.9f, kSecondDecay = 0.99f, kEpsilon = 1e-8f;  // Of Adam.

constexpr float kActivationOne = SmallNetwork::kActivationOne, kWeightOne = SmallNetwork::kWeightOne;
constexpr float kMostFeature = SmallNetwork::kMostFeatureWeight / kActivationOne;
constexpr float kMostOutput = SmallNetwork::kMostOutputWeight / kWeightOne;

// By squaring: std::pow() differs between processors.
double power_of(double base, std::int64_t exponent) {
  double power = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) power *= base;
  return power;
}

// A tensor of the state: some rows of the layout.
struct TensorPlace {
  const char* name;
  std::vector<std::int64_t> shape;
  int first;  // Row.

  std::int64_t size() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }
};

std::vector<TensorPlace> tensors_of(SmallLayout layout) {
  return {{"features", {mcts::kSmallFeatures, kHidden}, layout.features()},
          {"rules", {layout.rules, kHidden}, SmallLayout::kRules},
          {"bias", {kHidden}, SmallLayout::kBias},
          {"output", {mcts::kSmallBuckets, 2 * kHidden}, SmallLayout::kOutput},
          {"output_bias", {mcts::kSmallBuckets}, SmallLayout::kOutputBias}};
}

template <class Integer>
std::vector<Integer> quantised(const NamedTensor& tensor, float scale) {
  std::vector<Integer> values;
  values.reserve(tensor.data.size());
  for (const float weight : tensor.data)
    values.push_back(static_cast<Integer>(std::nearbyint(weight * scale)));
  return values;
}

template <class Integer>
std::vector<float> restored(const std::vector<Integer>& values, float scale) {
  std::vector<float> weights;
  weights.reserve(values.size());
  for (const Integer value : values) weights.push_back(static_cast<float>(value) / scale);
  return weights;
}

// Largest weight that the quantised form of a row can hold.
float most_of(int row) {
  if (row >= SmallLayout::kBias) return kMostFeature;
  return row >= SmallLayout::kOutput ? kMostOutput : std::numeric_limits<float>::infinity();
}

bool is_bias(int row) { return row == SmallLayout::kBias || row == SmallLayout::kOutputBias; }

}  // namespace

SmallLearner::SmallLearner(const game::GameInfo& info, const SmallLearnerOptions& options)
    : empty_(mcts::empty_small_network(info)),
      options_(options),
      layout_{static_cast<int>(empty_.rule_features.size())},
      weights_(layout_.rulesets()),
      first_moment_(weights_.size()),
      second_moment_(weights_.size()),
      parts_(kParts, SmallGradient(layout_)),
      rate_(options.learning_rate) {
  if (options.threads > 1) team_.emplace(std::min(options.threads, kParts));
  // Evenly distributed, so that no function of the C library decides the last bit. The variance is 0.05^2.
  mcts::Rng rng(options.seed);
  const auto fill = [&](FloatRow* row) {
    for (float& weight : row->units) weight = static_cast<float>(0.0866 * (2 * rng.uniform() - 1));
  };
  std::for_each(weights_.begin() + layout_.features(), weights_.end(), [&](FloatRow& row) { fill(&row); });
  weights_[SmallLayout::kBias].units.fill(0.3f);
  FloatRow* const output = &weights_[SmallLayout::kOutput];
  for (const int side : {0, 1}) fill(&output[side]);
  for (int row = 2; row < 2 * mcts::kSmallBuckets; ++row) output[row] = output[row % 2];
}

float SmallLearner::step(const SmallBatch& batch) {
  add_rulesets(batch);
  for (SmallGradient& part : parts_) part.reserve(batch, batch.rows / kParts + 1);
  const double loss = sum_of_parts(batch, [&](int part, int first, int last) {
    return parts_[part].compute(batch, first, last, weights_);
  });
  if (!std::isfinite(loss)) throw std::runtime_error("the loss is not finite: take a lower learning rate");
  spread_rulesets(batch);
  ++steps_;
  each_part([&](int part) {
    update(layout_.rulesets() * part / kParts, layout_.rulesets() * (part + 1) / kParts);
  });
  return static_cast<float>(loss / batch.rows);
}

float SmallLearner::evaluate(const SmallBatch& batch) {
  add_rulesets(batch);
  const double loss = sum_of_parts(
      batch, [&](int part, int first, int last) { return parts_[part].loss(batch, first, last, weights_); });
  return static_cast<float>(loss / batch.rows);
}

// Bias and rules, added up for each ruleset of the batch.
void SmallLearner::add_rulesets(const SmallBatch& batch) {
  weights_.resize(layout_.rulesets() + batch.rulesets.size());
  for (const auto& [features, number] : batch.rulesets) {
    FloatRow& sums = weights_[layout_.rulesets() + number];
    sums = weights_[SmallLayout::kBias];
    for (int rule = 0; rule < layout_.rules; ++rule) {
      const FloatRow& row = weights_[SmallLayout::kRules + rule];
      for (int i = 0; features[rule] != 0 && i < kHidden; ++i) sums[i] += features[rule] * row[i];
    }
  }
}

// The gradient of bias and rules, by that of the rulesets.
void SmallLearner::spread_rulesets(const SmallBatch& batch) {
  const std::span<FloatRow> gradient = parts_.front().rows();
  for (const auto& [features, number] : batch.rulesets) {
    FloatRow sums;
    for (SmallGradient& part : parts_) {
      const FloatRow& added = part.rows()[layout_.rulesets() + number];
      for (int i = 0; i < kHidden; ++i) sums[i] += added[i];
    }
    const auto add = [&](float feature, FloatRow* row) {
      for (int i = 0; i < kHidden; ++i) (*row)[i] += feature * sums[i];
    };
    add(1, &gradient[SmallLayout::kBias]);
    for (int rule = 0; rule < layout_.rules; ++rule)
      if (features[rule] != 0) add(features[rule], &gradient[SmallLayout::kRules + rule]);
  }
}

// AdamW (Loshchilov and Hutter 2019) for some rows. All rows are updated: a batch touches most of them, and
// moments of the others fall as before.
void SmallLearner::update(int first, int last) {
  static constexpr float kNothing = 1e-30f;  // Moments go on to 0, not to denormal numbers, which are slow.
  const auto steps = [&](double decay) { return 1 - power_of(decay, steps_); };
  const auto rate = static_cast<float>(rate_ / steps(kFirstDecay));
  const auto second_bias = static_cast<float>(steps(kSecondDecay));
  for (int row = first; row < last; ++row) {
    FloatRow gradient;
    for (SmallGradient& part : parts_) {
      const FloatRow& added = part.rows()[row];
      for (int i = 0; i < kHidden; ++i) gradient[i] += added[i];
    }
    FloatRow &weights = weights_[row], &means = first_moment_[row], &squares = second_moment_[row];
    const float most = most_of(row), kept = is_bias(row) ? 1 : 1 - rate_ * options_.weight_decay;
    for (int i = 0; i < kHidden; ++i) {
      const float mean = kFirstDecay * means[i] + (1 - kFirstDecay) * gradient[i];
      const float square = kSecondDecay * squares[i] + (1 - kSecondDecay) * gradient[i] * gradient[i];
      means[i] = std::abs(mean) < kNothing ? 0.0f : mean;
      squares[i] = square < kNothing ? 0.0f : square;
      const float weight = kept * weights[i] - rate * mean / (std::sqrt(square / second_bias) + kEpsilon);
      weights[i] = weight < -most ? -most : weight > most ? most : weight;
    }
  }
}

// The sum of work(part, its first row, the row behind its last) over the parts of a batch, in their order.
double SmallLearner::sum_of_parts(const SmallBatch& batch,
                                  const std::function<double(int part, int first, int last)>& work) {
  std::array<double, kParts> sums;
  const auto begin = [&](int part) { return static_cast<int>(std::int64_t{batch.rows} * part / kParts); };
  each_part([&](int part) { sums[part] = work(part, begin(part), begin(part + 1)); });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void SmallLearner::each_part(const std::function<void(int part)>& work) {
  const int threads = team_ ? std::min(options_.threads, kParts) : 1;
  const auto run = [&](int thread) {
    for (int part = thread; part < kParts; part += threads) work(part);
  };
  if (!team_) return run(0);
  team_->start(run);
  team_->wait();
}

// --- What it keeps. ---

mcts::SmallNetwork SmallLearner::network() const {
  const Weights weights = weights_of(weights_);
  SmallNetwork network = empty_;
  network.features = quantised<std::int16_t>(weights[0], kActivationOne);
  network.rules = quantised<std::int16_t>(weights[1], kActivationOne);
  network.bias = quantised<std::int16_t>(weights[2], kActivationOne);
  network.output = quantised<std::int16_t>(weights[3], kWeightOne);
  network.output_bias = quantised<std::int32_t>(weights[4], kActivationOne * kWeightOne);
  return network;
}

SmallLearnerState SmallLearner::state() const {
  return {empty_.game, steps_, weights_of(weights_), weights_of(first_moment_), weights_of(second_moment_)};
}

void SmallLearner::load(const SmallLearnerState& state) {
  load_rows(state.weights, &weights_);
  const bool begins = state.first_moment.empty();
  steps_ = begins ? 0 : state.steps;
  for (auto [moments, rows] :
       {std::pair(&state.first_moment, &first_moment_), std::pair(&state.second_moment, &second_moment_)}) {
    if (begins) std::fill(rows->begin(), rows->end(), FloatRow());
    if (!begins) load_rows(*moments, rows);
  }
}

Weights SmallLearner::weights_of(const Rows& rows) const {
  Weights weights;
  for (const TensorPlace& place : tensors_of(layout_)) {
    const float* data = rows[place.first].units.data();
    weights.push_back({place.name, place.shape, {data, data + place.size()}});
  }
  return weights;
}

void SmallLearner::load_rows(const Weights& weights, Rows* rows) const {
  const std::vector<TensorPlace> places = tensors_of(layout_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TensorPlace& place = places[i];
    if (i == weights.size() || weights[i].name != place.name || weights[i].shape != place.shape ||
        std::ssize(weights[i].data) != place.size()) {
      throw std::runtime_error("the weights do not fit the small network of " + empty_.game + ": '" +
                               place.name + "' is missing or of another size; take those of this game");
    }
    std::ranges::copy(weights[i].data, (*rows)[place.first].units.data());
  }
}

SmallLearnerState state_from(const game::GameInfo& info, const mcts::SmallNetwork& network) {
  const SmallNetwork own = mcts::empty_small_network(info);
  std::vector<std::int16_t> rules(own.rules.size());
  for (std::size_t i = 0; i < own.rule_features.size(); ++i) {
    const auto known = std::ranges::find(network.rule_features, own.rule_features[i]);
    if (known == network.rule_features.end()) continue;
    const auto row = network.rules.begin() + (known - network.rule_features.begin()) * kHidden;
    std::copy_n(row, kHidden, rules.begin() + static_cast<std::ptrdiff_t>(i) * kHidden);
  }
  SmallLearnerState state{.game = own.game};
  const std::array data = {restored(network.features, kActivationOne), restored(rules, kActivationOne),
                           restored(network.bias, kActivationOne), restored(network.output, kWeightOne),
                           restored(network.output_bias, kActivationOne * kWeightOne)};
  const SmallLayout layout{static_cast<int>(own.rule_features.size())};
  for (const TensorPlace& place : tensors_of(layout))
    state.weights.push_back({place.name, place.shape, data[state.weights.size()]});
  return state;
}

}  // namespace makzero::nn
