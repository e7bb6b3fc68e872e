#include "nn/losses.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "game/square.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

template <class T>
void require_size(const char* name, const std::vector<T>& values, std::int64_t expected) {
  if (static_cast<std::int64_t>(values.size()) == expected) return;
  throw std::runtime_error(std::string("training batch: '") + name + "' has " +
                           std::to_string(values.size()) + " entries, " + std::to_string(expected) +
                           " are expected");
}

void require_sizes(const TrainBatch& batch, const NetworkArchitecture& shape) {
  if (batch.rows <= 0) throw std::runtime_error("training batch: it has no rows");
  const std::int64_t rows = batch.rows, squares = game::kSquares;
  require_size("planes", batch.planes, rows * shape.plane_count() * squares);
  require_size("rule_features", batch.rule_features, rows * shape.rule_feature_count());
  require_size("policy_begin", batch.policy_begin, rows + 1);
  require_size("policy_index", batch.policy_index, batch.policy_begin.back());
  require_size("policy", batch.policy, batch.policy_begin.back());
  require_size("policy_mask", batch.policy_mask, rows);
  require_size("wdl", batch.wdl, rows * 3);
  require_size("moves_left", batch.moves_left, rows);
  require_size("reply_index", batch.reply_index, rows);
  require_size("survival", batch.survival, rows * 2 * squares);
  require_size("survival_mask", batch.survival_mask, rows * 2 * squares);
  require_size("short_term", batch.short_term, rows * 3);
}

Tensor floats(const std::vector<float>& values, at::IntArrayRef shape) {
  return torch::from_blob(const_cast<float*>(values.data()), shape, torch::kFloat);
}

// The mean over the entries that the mask selects; 0 where it selects none.
Tensor masked_mean(const Tensor& values, const Tensor& mask) {
  return (values * mask).sum() / mask.sum().clamp_min(1);
}

// Cross-entropy per row [B] of target distributions and logits, both [B, n].
Tensor cross_entropy(const Tensor& logits, const Tensor& target) {
  return -(target * torch::log_softmax(logits, 1)).sum(1);
}

// Over legal moves only: [B] from logits [B, kPolicySize].
Tensor policy_loss(const Tensor& logits, const TensorBatch& batch) {
  const Tensor legal = logits.gather(1, batch.move_index).masked_fill(batch.move_mask.logical_not(), -1e9);
  return cross_entropy(legal, batch.policy);
}

}  // namespace

TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, torch::Device device) {
  require_sizes(batch, shape);
  const std::int64_t rows = batch.rows;
  std::int64_t most = 1;
  for (std::int64_t row = 0; row < rows; ++row) {
    most = std::max(most, batch.policy_begin[row + 1] - batch.policy_begin[row]);
  }
  const Tensor move_index = torch::zeros({rows, most}, torch::kLong);
  const Tensor move_mask = torch::zeros({rows, most}, torch::kBool);
  const Tensor policy = torch::zeros({rows, most});
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t begin = batch.policy_begin[row], count = batch.policy_begin[row + 1] - begin;
    std::copy_n(&batch.policy_index[begin], count, move_index.data_ptr<std::int64_t>() + row * most);
    std::copy_n(&batch.policy[begin], count, policy.data_ptr<float>() + row * most);
    std::fill_n(move_mask.data_ptr<bool>() + row * most, count, true);
  }
  const Tensor reply =
      torch::from_blob(const_cast<std::int64_t*>(batch.reply_index.data()), {rows}, torch::kLong);

  TensorBatch tensors;
  tensors.planes =
      floats(batch.planes, {rows, shape.plane_count(), 8, 8}).contiguous(torch::MemoryFormat::ChannelsLast);
  if (!shape.rule_features.empty())
    tensors.rules = floats(batch.rule_features, {rows, shape.rule_feature_count()}).to(device);
  tensors.move_index = move_index;
  tensors.move_mask = move_mask;
  tensors.policy = policy;
  tensors.policy_mask = floats(batch.policy_mask, {rows});
  tensors.wdl = floats(batch.wdl, {rows, 3});
  const Tensor moves_left = floats(batch.moves_left, {rows});
  tensors.moves_left = moves_left.clamp_min(0) / kMovesLeftScale;
  tensors.moves_left_mask = (moves_left >= 0).to(torch::kFloat);
  tensors.reply_index = reply.clamp_min(0);
  tensors.reply_mask = (reply >= 0).to(torch::kFloat);
  tensors.survival = floats(batch.survival, {rows, 2, 8, 8});
  tensors.survival_mask = floats(batch.survival_mask, {rows, 2, 8, 8});
  tensors.short_term = floats(batch.short_term, {rows, 3});
  for (Tensor* tensor :
       {&tensors.planes, &tensors.move_index, &tensors.move_mask, &tensors.policy, &tensors.policy_mask,
        &tensors.wdl, &tensors.moves_left, &tensors.moves_left_mask, &tensors.reply_index,
        &tensors.reply_mask, &tensors.survival, &tensors.survival_mask, &tensors.short_term}) {
    *tensor = tensor->to(device);
  }
  return tensors;
}

LossTensors losses_of(const TrainOutput& output, const TensorBatch& batch, int attention,
                      const LearnerOptions& options) {
  LossTensors losses;
  losses.policy =
      masked_mean(policy_loss(policy_logits(output.play.policy, attention), batch), batch.policy_mask);
  losses.policy_entropy = masked_mean(-torch::xlogy(batch.policy, batch.policy).sum(1), batch.policy_mask);
  losses.value = cross_entropy(output.play.wdl, batch.wdl).mean();
  losses.moves_left =
      masked_mean(torch::huber_loss(output.play.moves_left, batch.moves_left, at::Reduction::None),
                  batch.moves_left_mask);
  const Tensor reply = torch::log_softmax(policy_logits(output.reply, attention), 1);
  losses.reply = masked_mean(-reply.gather(1, batch.reply_index.unsqueeze(1)).squeeze(1), batch.reply_mask);
  losses.survival = masked_mean(
      torch::binary_cross_entropy_with_logits(output.survival, batch.survival, {}, {}, at::Reduction::None),
      batch.survival_mask);
  losses.short_term = cross_entropy(output.short_term, batch.short_term).mean();
  losses.total = options.policy_weight * losses.policy + options.value_weight * losses.value +
                 options.moves_left_weight * losses.moves_left + options.reply_weight * losses.reply +
                 options.survival_weight * losses.survival + options.short_term_weight * losses.short_term;
  return losses;
}

}  // namespace makzero::nn
