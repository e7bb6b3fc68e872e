#include "nn/train_batch.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

namespace makzero::nn {
namespace {

template <class T>
void require_size(const std::string& name, const std::vector<T>& values, std::int64_t expected) {
  if (static_cast<std::int64_t>(values.size()) == expected) return;
  throw std::runtime_error("training batch: '" + name + "' has " + std::to_string(values.size()) +
                           " entries, " + std::to_string(expected) + " are expected");
}

}  // namespace

void TrainBatch::add_rows(int count, int planes, int rule_features) {
  rows += count;
  const auto all = static_cast<std::size_t>(rows);
  this->planes.resize(all * planes * game::kSquares);
  this->rule_features.resize(all * rule_features);
  if (move_begin.empty()) move_begin.push_back(0);
  for (const HeadInfo& info : kHeads) {
    Target& target = targets[info.head];
    if (info.loss != LossKind::kListedMoves) target.values.resize(all * info.target_size());
    target.mask.resize(all * info.mask_size());
  }
}

float* TrainBatch::target(Head head, int row) {
  const HeadInfo& info = info_of(head);
  assert(info.loss != LossKind::kListedMoves);
  Target& target = targets[head];
  std::fill_n(target.mask.begin() + static_cast<std::ptrdiff_t>(row) * info.mask_size(), info.mask_size(),
              1.0f);
  return target.values.data() + static_cast<std::ptrdiff_t>(row) * info.target_size();
}

void require_sizes(const TrainBatch& batch, const NetworkArchitecture& shape) {
  if (batch.rows <= 0) throw std::runtime_error("training batch: it has no rows");
  const std::int64_t rows = batch.rows;
  require_size("planes", batch.planes, rows * shape.plane_count() * game::kSquares);
  require_size("rule_features", batch.rule_features, rows * shape.rule_feature_count());
  require_size("move_begin", batch.move_begin, rows + 1);
  const std::int64_t moves = batch.move_begin.back();
  require_size("move_index", batch.move_index, moves);
  for (const HeadInfo& info : kHeads) {
    const std::string name(info.name);
    const Target& target = batch.targets[info.head];
    require_size(name, target.values,
                 info.loss == LossKind::kListedMoves ? moves : rows * info.target_size());
    require_size(name + " mask", target.mask, rows * info.mask_size());
  }
}

}  // namespace makzero::nn
