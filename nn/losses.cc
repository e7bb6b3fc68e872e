#include "nn/losses.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

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

// Rows `begin` to `end` of an array with `shape` numbers a row; shares its memory.
template <class T>
Tensor rows_of(const std::vector<T>& values, int begin, int end, std::vector<std::int64_t> shape) {
  const auto type = std::is_same_v<T, float> ? torch::kFloat : torch::kLong;
  std::int64_t per_row = 1;
  for (const std::int64_t size : shape) per_row *= size;
  shape.insert(shape.begin(), end - begin);
  return torch::from_blob(const_cast<T*>(values.data()) + begin * per_row, shape, type);
}

// Policy indices, masks and targets [rows, L] of the batch's sparse policies.
void set_policy(const TrainBatch& batch, int begin, int end, TensorBatch* tensors) {
  std::int64_t most = 1;
  for (int row = begin; row < end; ++row)
    most = std::max(most, batch.policy_begin[row + 1] - batch.policy_begin[row]);
  const std::int64_t rows = end - begin;
  tensors->move_index = torch::zeros({rows, most}, torch::kLong);
  tensors->move_mask = torch::zeros({rows, most}, torch::kBool);
  tensors->policy = torch::zeros({rows, most});
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t from = batch.policy_begin[begin + row],
                       count = batch.policy_begin[begin + row + 1] - from;
    std::copy_n(batch.policy_index.data() + from, count,
                tensors->move_index.data_ptr<std::int64_t>() + row * most);
    std::copy_n(batch.policy.data() + from, count, tensors->policy.data_ptr<float>() + row * most);
    std::fill_n(tensors->move_mask.data_ptr<bool>() + row * most, count, true);
  }
}

// Over the entries that the mask selects, of which the whole batch has `count`.
Tensor masked_mean(const Tensor& values, const Tensor& mask, double count) {
  return (values * mask).sum() / count;
}

// Cross-entropy per row [B] of target distributions and logits, both [B, n].
Tensor cross_entropy(const Tensor& logits, const Tensor& target) {
  return -(target * torch::log_softmax(logits, 1)).sum(1);
}

// Over legal moves only: [B].
Tensor policy_loss(const PolicyVectors& vectors, const TensorBatch& batch, int attention) {
  const Tensor logits = logits_at(move_logits(vectors, attention), vectors.pass, batch.move_index);
  return cross_entropy(logits.masked_fill(batch.move_mask.logical_not(), -1e9), batch.policy);
}

// Over all moves, as the batch does not know which replies are legal: [B].
Tensor reply_loss(const PolicyVectors& vectors, const TensorBatch& batch, int attention) {
  const Tensor moves = move_logits(vectors, attention);
  const Tensor reply = logits_at(moves, vectors.pass, batch.reply_index.unsqueeze(1));
  const Tensor all = torch::logaddexp(torch::logsumexp(moves.to(torch::kFloat), 1, true), vectors.pass);
  return (all - reply).squeeze(1);
}

double at_least_one(double count) { return std::max(count, 1.0); }

double sum_of(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

template <class T>
double known(const std::vector<T>& values) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [](T value) { return value >= 0; }));
}

}  // namespace

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

LossCounts counts_of(const TrainBatch& batch) {
  return {at_least_one(batch.rows), at_least_one(sum_of(batch.policy_mask)),
          at_least_one(known(batch.moves_left)), at_least_one(known(batch.reply_index)),
          at_least_one(sum_of(batch.survival_mask))};
}

TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, int begin, int end) {
  const auto floats = [&](const std::vector<float>& values, std::vector<std::int64_t> row) {
    return rows_of(values, begin, end, std::move(row));
  };
  TensorBatch tensors;
  tensors.planes =
      floats(batch.planes, {shape.plane_count(), 8, 8}).contiguous(torch::MemoryFormat::ChannelsLast);
  tensors.rules = floats(batch.rule_features, {shape.rule_feature_count()}).clone();
  set_policy(batch, begin, end, &tensors);
  tensors.policy_mask = floats(batch.policy_mask, {}).clone();
  tensors.wdl = floats(batch.wdl, {3}).clone();
  const Tensor moves_left = floats(batch.moves_left, {});
  tensors.moves_left = moves_left.clamp_min(0) / kMovesLeftScale;
  tensors.moves_left_mask = (moves_left >= 0).to(torch::kFloat);
  const Tensor reply = rows_of(batch.reply_index, begin, end, {});
  tensors.reply_index = reply.clamp_min(0);
  tensors.reply_mask = (reply >= 0).to(torch::kFloat);
  tensors.survival = floats(batch.survival, {2, 8, 8}).clone();
  tensors.survival_mask = floats(batch.survival_mask, {2, 8, 8}).clone();
  tensors.short_term = floats(batch.short_term, {3}).clone();
  return tensors;
}

std::array<Tensor, kLosses> losses_of(const TrainOutput& output, const TensorBatch& batch,
                                      const LossCounts& counts, int attention,
                                      const LearnerOptions& options) {
  std::array<Tensor, kLosses> losses;
  losses[kPolicy] =
      masked_mean(policy_loss(output.play.policy, batch, attention), batch.policy_mask, counts.policy);
  losses[kPolicyEntropy] =
      masked_mean(-torch::xlogy(batch.policy, batch.policy).sum(1), batch.policy_mask, counts.policy);
  losses[kValue] = cross_entropy(output.play.wdl, batch.wdl).sum() / counts.rows;
  losses[kMovesLeft] =
      masked_mean(torch::huber_loss(output.play.moves_left, batch.moves_left, at::Reduction::None),
                  batch.moves_left_mask, counts.moves_left);
  losses[kReply] = masked_mean(reply_loss(output.reply, batch, attention), batch.reply_mask, counts.reply);
  losses[kSurvival] = masked_mean(
      torch::binary_cross_entropy_with_logits(output.survival, batch.survival, {}, {}, at::Reduction::None),
      batch.survival_mask, counts.survival);
  losses[kShortTerm] = cross_entropy(output.short_term, batch.short_term).sum() / counts.rows;
  losses[kTotal] = options.policy_weight * losses[kPolicy] + options.value_weight * losses[kValue] +
                   options.moves_left_weight * losses[kMovesLeft] + options.reply_weight * losses[kReply] +
                   options.survival_weight * losses[kSurvival] +
                   options.short_term_weight * losses[kShortTerm];
  return losses;
}

}  // namespace makzero::nn
