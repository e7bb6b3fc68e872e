// A training batch as arrays: what a network sees of its rows and what it learns from them.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/heads.h"
#include "nn/network.h"

namespace makzero::nn {

// What a head learns from the rows of a batch.
struct Target {
  std::vector<float> values;  // [rows, HeadInfo::target_size()]; of the policy [entries], sums to 1 per row.
  std::vector<float> mask;    // [rows, HeadInfo::mask_size()] 1 = known, 0 = not: nothing is learnt.
};

// All from the mover's side, flat and row-major. Legal moves are listed, each once: the entries
// move_begin[i] .. move_begin[i + 1] belong to row i.
struct TrainBatch {
  int rows = 0;
  std::vector<float> planes;             // [rows, planes, 8, 8]
  std::vector<float> rule_features;      // [rows, features] of each row's ruleset
  std::vector<std::int64_t> move_begin;  // [rows + 1]
  std::vector<std::int64_t> move_index;  // [entries] in [0, kPolicySize)
  PerHead<Target> targets;

  // Makes room for more rows without known targets. The caller lists their moves.
  void add_rows(int count, int planes, int rule_features);

  // The target of a head in a row, which counts as known from now on.
  float* target(Head head, int row);
};

// Throws std::runtime_error when the arrays of the batch do not have the sizes that its rows and the shape
// ask for.
void require_sizes(const TrainBatch& batch, const NetworkArchitecture& shape);

}  // namespace makzero::nn
