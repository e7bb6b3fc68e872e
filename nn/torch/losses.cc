#include "nn/torch/losses.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace makzero::nn {
namespace {

using torch::Tensor;

// Rows `begin` to `end` of an array with `shape` numbers a row; shares its memory.
Tensor rows_of(const std::vector<float>& values, int begin, int end, std::vector<std::int64_t> shape) {
  std::int64_t per_row = 1;
  for (const std::int64_t size : shape) per_row *= size;
  shape.insert(shape.begin(), end - begin);
  return torch::from_blob(const_cast<float*>(values.data()) + begin * per_row, shape, torch::kFloat);
}

// Indices, mask and policy targets [rows, L] of the batch's listed moves.
void set_moves(const TrainBatch& batch, int begin, int end, int list_step, TensorBatch* tensors) {
  std::int64_t most = 1;
  for (int row = begin; row < end; ++row)
    most = std::max(most, batch.move_begin[row + 1] - batch.move_begin[row]);
  most = (most + list_step - 1) / list_step * list_step;
  const std::int64_t rows = end - begin;
  Tensor& policy = tensors->targets[Head::kPolicy].values;
  tensors->move_index = torch::zeros({rows, most}, torch::kLong);
  tensors->move_mask = torch::zeros({rows, most}, torch::kBool);
  policy = torch::zeros({rows, most});
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t from = batch.move_begin[begin + row], count = batch.move_begin[begin + row + 1] - from;
    std::copy_n(batch.move_index.data() + from, count,
                tensors->move_index.data_ptr<std::int64_t>() + row * most);
    std::copy_n(batch.targets[Head::kPolicy].values.data() + from, count,
                policy.data_ptr<float>() + row * most);
    std::fill_n(tensors->move_mask.data_ptr<bool>() + row * most, count, true);
  }
}

// Of a row's target; of its mask: that of squares, else none.
std::vector<std::int64_t> target_shape(const HeadInfo& info) {
  if (info.kind == HeadKind::kSquares) return {info.outputs, 8, 8};
  return {info.target_size()};
}

// Over the entries that the mask selects, of which the whole batch has `count`.
Tensor masked_mean(const Tensor& values, const Tensor& mask, const Tensor& count) {
  return (values * mask).sum() / count;
}

// Cross-entropy per row [B] of target distributions and logits, both [B, n].
Tensor cross_entropy(const Tensor& logits, const Tensor& target) {
  return -(target * torch::log_softmax(logits, 1)).sum(1);
}

// Logits of the listed moves [B, L].
Tensor listed_logits(const PolicyVectors& vectors, const TensorBatch& batch, int attention) {
  const Tensor logits = logits_at(move_logits(vectors, attention), vectors.pass, batch.move_index);
  return logits.masked_fill(batch.move_mask.logical_not(), -1e9);
}

// Of target distributions [B, L] over the listed moves: [B].
Tensor listed_moves_loss(const PolicyVectors& vectors, const TensorBatch& batch, const Tensor& target,
                         int attention) {
  return cross_entropy(listed_logits(vectors, batch, attention), target);
}

// Of target moves [B, 1] by their policy indices: [B].
Tensor any_move_loss(const PolicyVectors& vectors, const Tensor& target, int attention) {
  const Tensor moves = move_logits(vectors, attention);
  const Tensor chosen = logits_at(moves, vectors.pass, target.to(torch::kLong));
  const Tensor all = torch::logaddexp(torch::logsumexp(moves.to(torch::kFloat), 1, true), vectors.pass);
  return (all - chosen).squeeze(1);
}

// Of each row [B], or of squares [B, outputs, 8, 8]: as the mask.
Tensor loss_of(const HeadInfo& info, const HeadOutput& output, const TensorBatch& batch, int attention) {
  const Tensor& target = batch.targets[info.head].values;
  Tensor loss;
  switch (info.loss) {
    case LossKind::kListedMoves:
      return listed_moves_loss(output.moves, batch, target, attention);
    case LossKind::kAnyMove:
      return any_move_loss(output.moves, target, attention);
    case LossKind::kDistribution:
      return cross_entropy(output.numbers, target);
    case LossKind::kPositive:
      loss = torch::huber_loss(output.numbers, target, at::Reduction::None);
      break;
    case LossKind::kBinary:
      loss = torch::binary_cross_entropy_with_logits(output.numbers, target, {}, {}, at::Reduction::None);
      break;
  }
  return info.kind == HeadKind::kSquares ? loss : loss.sum(1);
}

// [kHeads] known targets, at least 1.
Tensor counts_of(const TrainBatch& batch) {
  const Tensor counts = torch::empty({static_cast<std::int64_t>(kHeads.size())});
  for (std::size_t i = 0; i < kHeads.size(); ++i) {
    const std::vector<float>& mask = batch.targets[kHeads[i].head].mask;
    counts[static_cast<std::int64_t>(i)] = std::max(1.0, std::accumulate(mask.begin(), mask.end(), 0.0));
  }
  return counts;
}

}  // namespace

TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, int begin, int end,
                       int list_step) {
  TensorBatch tensors;
  tensors.planes = rows_of(batch.planes, begin, end, {shape.plane_count(), 8, 8})
                       .contiguous(torch::MemoryFormat::ChannelsLast);
  tensors.rules = rows_of(batch.rule_features, begin, end, {shape.rule_feature_count()}).clone();
  set_moves(batch, begin, end, list_step, &tensors);
  for (const HeadInfo& info : kHeads) {
    const Target& target = batch.targets[info.head];
    TensorTarget& to = tensors.targets[info.head];
    std::vector<std::int64_t> row = target_shape(info);
    if (info.loss != LossKind::kListedMoves) to.values = rows_of(target.values, begin, end, row) / info.unit;
    if (info.kind != HeadKind::kSquares) row.clear();
    to.mask = rows_of(target.mask, begin, end, row).clone();
  }
  tensors.counts = counts_of(batch);
  return tensors;
}

std::array<Tensor, kLosses> losses_of(const TrainOutput& output, const TensorBatch& batch, int attention,
                                      const PerHead<float>& weights) {
  std::array<Tensor, kLosses> losses;
  const auto mean = [&](const Tensor& each, std::size_t i) {
    return masked_mean(each, batch.targets[kHeads[i].head].mask, batch.counts[static_cast<std::int64_t>(i)]);
  };
  for (std::size_t i = 0; i < kHeads.size(); ++i) {
    const Head head = kHeads[i].head;
    losses[i] = mean(loss_of(kHeads[i], output[head], batch, attention), i);
    const Tensor weighted = weights[head] * losses[i];
    losses[kTotal] = i == 0 ? weighted : losses[kTotal] + weighted;
    if (head != Head::kPolicy) continue;
    const Tensor& policy = batch.targets[head].values;
    losses[kPolicyEntropy] = mean(-torch::xlogy(policy, policy).sum(1), i);
  }
  return losses;
}

Tensor policy_of(const TrainOutput& output, const TensorBatch& batch, int attention) {
  const Tensor logits = listed_logits(output[Head::kPolicy].moves, batch, attention);
  return torch::softmax(logits.to(torch::kFloat), 1).masked_select(batch.move_mask);
}

Tensor value_of(const TrainOutput& output) {
  return torch::softmax(output[Head::kValue].numbers.to(torch::kFloat), 1);
}

}  // namespace makzero::nn
