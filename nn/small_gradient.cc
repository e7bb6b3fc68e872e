#include "nn/small_gradient.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace makzero::nn {
namespace {

constexpr int kHidden = mcts::kSmallHidden;

// Floats that one instruction adds. The width does not change the sums.
#ifdef __AVX__
using Lanes [[gnu::vector_size(32)]] = float;
#else
using Lanes [[gnu::vector_size(16)]] = float;
#endif

// The sum of some rows of a table, one after the other. Eight sums stay in registers: 155 ns for the 52 rows
// of a position of Makruk, where a loop over whole rows takes 1,400.
void sum_rows(const FloatRow* table, std::span<const std::int32_t> rows, FloatRow* sums) {
  static constexpr int kLanes = sizeof(Lanes) / sizeof(float), kAtOnce = 8;
  for (int unit = 0; unit < kHidden; unit += kAtOnce * kLanes) {
    Lanes at_once[kAtOnce] = {};
    for (const std::int32_t row : rows) {
      for (int i = 0; i < kAtOnce; ++i) {
        Lanes added;
        std::memcpy(&added, &table[row].units[unit + i * kLanes], sizeof(added));
        at_once[i] += added;
      }
    }
    for (int i = 0; i < kAtOnce; ++i)
      std::memcpy(&sums->units[unit + i * kLanes], &at_once[i], sizeof(Lanes));
  }
}

float clipped(float sum) { return sum < 0 ? 0.0f : sum > 1 ? 1.0f : sum; }

// Adds halves to each other.
float sum_of(FloatRow* terms) {
  for (int half = kHidden / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) (*terms)[i] += (*terms)[i + half];
  return (*terms)[0];
}

// e^x for x <= 0 within a factor of 1 + 1e-12, by sums and products: those of C libraries differ.
double exp_of(double x) {
  static constexpr double kLog2 = 0.693147180559945309;
  static constexpr std::array kInverse = {1.0 / 1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5,
                                          1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9, 1.0 / 10};
  const double power = std::floor(std::max(-700.0, x) * (1 / kLog2) + 0.5);
  const double rest = std::max(-700.0, x) - power * kLog2;
  double sum = 1;
  for (auto inverse = kInverse.rbegin(); inverse != kInverse.rend(); ++inverse)
    sum = 1 + sum * (rest * *inverse);
  return sum * std::bit_cast<double>(static_cast<std::int64_t>(power + 1023) << 52);
}

struct RowLoss {
  double loss;
  double gradient;  // By the logit.
};

RowLoss loss_of(double logit, double target) {
  const double small = exp_of(-std::abs(logit));
  const double expected = (logit < 0 ? small : 1) / (1 + small);
  return {std::max(logit, 0.0) - target * logit + std::log1p(small), expected - target};
}

std::int32_t begin_of(const SmallBatch& batch, int row) { return row == 0 ? 0 : batch.ends[2 * row - 1]; }

// Fills in the sums of both sides.
RowLoss forward(const SmallBatch& batch, int row, SmallLayout layout, std::span<const FloatRow> weights,
                FloatRow* sums) {
  const int bucket = batch.buckets[row];
  const FloatRow* output = &weights[SmallLayout::kOutput + 2 * bucket];
  std::int32_t begin = begin_of(batch, row);
  for (int side = 0; side < 2; ++side) {
    const std::int32_t end = batch.ends[2 * row + side];
    sum_rows(&weights[layout.features()], std::span(batch.inputs).subspan(begin, end - begin), &sums[side]);
    begin = end;
  }
  FloatRow terms;
  for (int i = 0; i < kHidden; ++i) {
    const float own = clipped(sums[0][i]), other = clipped(sums[1][i]);
    terms[i] = own * own * output[0][i] + other * other * output[1][i];
  }
  return loss_of(sum_of(&terms) + weights[SmallLayout::kOutputBias][bucket], batch.targets[row]);
}

// Replaces the sums of one side by their gradient, and adds to that of the output weights.
void backward(float by_logit, const FloatRow& output, FloatRow* sums, FloatRow* by_output) {
  FloatRow activations;
  for (int i = 0; i < kHidden; ++i) activations[i] = clipped((*sums)[i]);
  for (int i = 0; i < kHidden; ++i) {
    const float activation = activations[i], gradient = 2 * by_logit * output[i] * activation;
    (*by_output)[i] += by_logit * activation * activation;
    (*sums)[i] = (*sums)[i] == activation ? gradient : 0.0f;
  }
}

}  // namespace

void SmallBatch::clear() {
  rows = 0;
  inputs.clear();
  ends.clear();
  rulesets.clear();
  buckets.clear();
  targets.clear();
}

void SmallBatch::add(const game::GameInfo& info, const game::Position& position,
                     const std::vector<float>& rule_features, float target) {
  const auto known = rulesets.try_emplace(rule_features, static_cast<std::int32_t>(rulesets.size())).first;
  for (const game::Color side : {position.to_move, other(position.to_move)}) {
    inputs.push_back(mcts::kSmallFeatures + known->second);
    const mcts::FeatureList features = mcts::small_features(info, position, side);
    inputs.insert(inputs.end(), features.begin(), features.end());
    ends.push_back(static_cast<std::int32_t>(inputs.size()));
  }
  buckets.push_back(static_cast<std::uint8_t>(mcts::small_bucket(position)));
  targets.push_back(target);
  ++rows;
}

double SmallGradient::loss(const SmallBatch& batch, int first, int last,
                           std::span<const FloatRow> weights) const {
  double sum = 0;
  std::array<FloatRow, 2> sums;
  for (int row = first; row < last; ++row) sum += forward(batch, row, layout_, weights, sums.data()).loss;
  return sum;
}

void SmallGradient::reserve(const SmallBatch& batch, int rows) {
  rows_.resize(layout_.rulesets() + batch.rulesets.size());
  hidden_.resize(std::max<std::size_t>(hidden_.size(), 2 * rows));
  sides_.resize(std::max(sides_.size(), batch.inputs.size()));
  begin_.reserve(mcts::kSmallFeatures + batch.rulesets.size() + 2);
}

double SmallGradient::compute(const SmallBatch& batch, int first, int last,
                              std::span<const FloatRow> weights) {
  std::fill_n(rows_.begin(), layout_.features(), FloatRow());
  double sum = 0;
  for (int row = first; row < last; ++row) {
    FloatRow* sums = &hidden_[2 * (row - first)];
    const auto [loss, gradient] = forward(batch, row, layout_, weights, sums);
    const auto by_logit = static_cast<float>(gradient / batch.rows);
    const int output = SmallLayout::kOutput + 2 * batch.buckets[row];
    for (int side = 0; side < 2; ++side)
      backward(by_logit, weights[output + side], &sums[side], &rows_[output + side]);
    rows_[SmallLayout::kOutputBias][batch.buckets[row]] += by_logit;
    sum += loss;
  }
  // The gradient of an input is the sum over the rows that have it.
  sort_by_input(batch, first, last);
  const int inputs = static_cast<int>(rows_.size()) - layout_.features();
  for (int input = 0; input < inputs; ++input) {
    const std::span sides = std::span(sides_).subspan(begin_[input], begin_[input + 1] - begin_[input]);
    sum_rows(hidden_.data(), sides, &rows_[layout_.features() + input]);
  }
  return sum;
}

// Counting sort.
void SmallGradient::sort_by_input(const SmallBatch& batch, int first, int last) {
  begin_.assign(rows_.size() - layout_.features() + 2, 0);
  std::int32_t* const next = &begin_[1];  // That of an input moves to its end, where the following begins.
  for (std::int32_t i = begin_of(batch, first); i < begin_of(batch, last); ++i) ++next[batch.inputs[i] + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::int32_t i = begin_of(batch, first);
  for (int side = 2 * first; side < 2 * last; ++side)
    for (; i < batch.ends[side]; ++i) sides_[next[batch.inputs[i]]++] = side - 2 * first;
}

}  // namespace makzero::nn
