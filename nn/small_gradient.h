// Gradient of a small network (mcts/small_network.h) over positions with their expected result.
//
// Weights and sums are rows of one float a hidden unit, and all that is done with them is done to each unit
// by itself, in a fixed order: so every processor and every number of threads computes the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "game/game.h"
#include "mcts/small_network.h"

namespace makzero::nn {

// Positions with what the side to move may expect.
struct SmallBatch {
  int rows = 0;
  std::vector<std::int32_t> inputs;  // Of each row's side to move, then of the other: the number of its
                                     // ruleset behind kSmallFeatures, and its features.
  std::vector<std::int32_t> ends;    // [rows, 2] Where those of a row's side end.
  std::map<std::vector<float>, std::int32_t> rulesets;  // Rule features and number of each.
  std::vector<std::uint8_t> buckets;                    // [rows] mcts::small_bucket()
  std::vector<float> targets;                           // [rows] Expected result in [0, 1].

  void clear();

  // REQUIRES: game::rule_feature_names() of the family, as numbers.
  void add(const game::GameInfo& info, const game::Position& position,
           const std::vector<float>& rule_features, float target);
};

// One float for each hidden unit.
struct alignas(64) FloatRow {
  std::array<float, mcts::kSmallHidden> units = {};

  float& operator[](int unit) { return units[unit]; }
  float operator[](int unit) const { return units[unit]; }
};

// Rows of the parameters. Behind them come those of the rulesets of a batch: bias and rules, added up.
struct SmallLayout {
  static constexpr int kOutputBias = 0;  // The first kSmallBuckets of its units.
  static constexpr int kOutput = 1;      // Of each bucket two rows, that of the side to move first.
  static constexpr int kBias = kOutput + 2 * mcts::kSmallBuckets;
  static constexpr int kRules = kBias + 1;
  int rules = 0;  // Rule features.

  int features() const { return kRules + rules; }
  int rulesets() const { return features() + mcts::kSmallFeatures; }
};

// Binary cross-entropy over some rows of batches. Keeps its memory. Not thread-safe.
class SmallGradient {
 public:
  explicit SmallGradient(SmallLayout layout) : layout_(layout) {}

  // Sum of the losses [nats] of rows first ... last - 1. `weights` has the rulesets of the batch.
  double loss(const SmallBatch& batch, int first, int last, std::span<const FloatRow> weights) const;

  // Makes room for as many rows, so that compute() of them takes none.
  void reserve(const SmallBatch& batch, int rows);

  // The same sum and, in rows(), the gradient of the sum divided by the rows of the batch: of all parameters
  // but bias and rules, which are 0, and of the rulesets.
  double compute(const SmallBatch& batch, int first, int last, std::span<const FloatRow> weights);

  std::span<FloatRow> rows() { return rows_; }

 private:
  void sort_by_input(const SmallBatch& batch, int first, int last);

  SmallLayout layout_;
  std::vector<FloatRow> rows_;
  std::vector<FloatRow> hidden_;     // [rows, 2] Gradient of the sums of a row's side.
  std::vector<std::int32_t> sides_;  // Numbers in hidden_, in the order of their inputs.
  std::vector<std::int32_t> begin_;  // Where those of an input begin.
};

}  // namespace makzero::nn
