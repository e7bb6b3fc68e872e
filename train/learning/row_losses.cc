#include "train/learning/row_losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "game/notation.h"

namespace makzero::train {
namespace {

constexpr std::size_t kShownMoves = 3;
constexpr std::size_t kOutcomes = 3;  // Win, draw, loss.

// Kullback-Leibler divergence of a prediction from its target, in nats.
float divergence(std::span<const float> target, std::span<const float> predicted) {
  static constexpr float kLeast = 1e-9f;  // Of a probability that rounding made 0.
  float sum = 0;
  for (std::size_t i = 0; i < target.size(); ++i)
    if (target[i] > 0) sum += target[i] * std::log(target[i] / std::max(predicted[i], kLeast));
  return sum;
}

mcts::MoverValue to_value(std::span<const float> outcomes) { return {outcomes[0], outcomes[1], outcomes[2]}; }

std::vector<MoveShare> likeliest(const game::Game& rules, const game::Position& position,
                                 std::span<const game::Move> moves, std::span<const float> shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return shares[i]; });
  order.resize(std::min(order.size(), kShownMoves));
  std::vector<MoveShare> likeliest;
  for (const std::size_t i : order) {
    if (shares[i] > 0) likeliest.push_back({game::move_text(rules, position, moves[i]), shares[i]});
  }
  return likeliest;
}

}  // namespace

void LargestLosses::add(std::span<const Sample> samples, const nn::TrainBatch& batch,
                        const nn::Predictions& predictions) {
  const std::vector<float>& policy = batch.targets[nn::Head::kPolicy].values;
  const std::vector<float>& value = batch.targets[nn::Head::kValue].values;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const Sample& sample = samples[row];
    const auto begin = static_cast<std::size_t>(batch.move_begin[row]);
    const auto count = static_cast<std::size_t>(batch.move_begin[row + 1]) - begin;
    const auto moves_of = [&](const std::vector<float>& shares) {
      return std::span(shares).subspan(begin, count);
    };
    const auto value_of = [&](const std::vector<float>& outcomes) {
      return std::span(outcomes).subspan(row * kOutcomes, kOutcomes);
    };
    RowLoss loss{.game = sample.game->number(),
                 .ply = sample.ply,
                 .policy = divergence(moves_of(policy), moves_of(predictions.policy)),
                 .value = divergence(value_of(value), value_of(predictions.value))};
    if (!make_room(loss)) continue;
    const game::Game& rules = maker_->rules_of(sample);
    const game::Position& position = maker_->position_of(sample);
    const std::vector<game::Move> moves =
        count > 0 ? listed_moves(rules, position) : std::vector<game::Move>();
    loss.ruleset = rules.info().ruleset;
    loss.position = game::position_text(rules, position);
    loss.mover = position.to_move;
    loss.target = {to_value(value_of(value)), likeliest(rules, position, moves, moves_of(policy))};
    loss.predicted = {to_value(value_of(predictions.value)),
                      likeliest(rules, position, moves, moves_of(predictions.policy))};
    const auto place = std::ranges::upper_bound(rows_, loss.total(), std::ranges::greater(), &RowLoss::total);
    rows_.insert(place, std::move(loss));
  }
}

bool LargestLosses::make_room(const RowLoss& loss) {
  const auto same = std::ranges::find_if(
      rows_, [&](const RowLoss& row) { return row.game == loss.game && row.ply == loss.ply; });
  if (same != rows_.end()) {
    if (same->total() >= loss.total()) return false;
    rows_.erase(same);  // Under another symmetry it is larger.
  } else if (rows_.size() == most_) {
    if (rows_.back().total() >= loss.total()) return false;
    rows_.pop_back();
  }
  return true;
}

}  // namespace makzero::train
