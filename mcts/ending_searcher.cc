#include "mcts/ending_searcher.h"

#include <utility>

namespace makzero::mcts {
namespace {

using game::Move;
using game::Position;

// How good a value is for the side to move: more is better.
std::pair<int, int> rank(const EndingValue& value) { return {value.result, -value.result * value.plies}; }

// The value of a move for who makes it.
std::optional<EndingValue> value_of(const game::Game& game, const Endings& endings, const Position& position,
                                    game::History* history, Move move) {
  Position child = position;
  game.apply(move, &child);
  history->push(child);
  game::MoveList replies;
  game.legal_moves(child, &replies);
  const game::Outcome outcome = game.outcome(child, !replies.empty(), history->occurrences());
  history->pop();
  if (outcome.result == game::Result::kDraw) return EndingValue();
  if (outcome.over()) return EndingValue{outcome.result == win_of(position.to_move) ? 1 : -1, 1};
  const std::optional<EndingValue> value = endings.probe(child);
  if (!value || value->result == 0) return value;
  // The distance may be that to such a capture.
  const bool captures = game::size(child.occupied()) < game::size(position.occupied());
  const bool arrives = captures && endings.counts_captures(position);
  return EndingValue{-value->result, arrives ? 1 : value->plies + 1};
}

}  // namespace

std::vector<std::optional<EndingValue>> ending_values(const game::Game& game, const Endings& endings,
                                                      const Position& position, const game::History& history,
                                                      std::span<const Move> moves) {
  std::vector<std::optional<EndingValue>> values(moves.size());
  if (!endings.find(position)) return values;
  game::History line = history;
  for (std::size_t i = 0; i < moves.size(); ++i)
    values[i] = value_of(game, endings, position, &line, moves[i]);
  return values;
}

std::vector<Move> best_ending_moves(const game::Game& game, const Endings& endings, const Position& position,
                                    const game::History& history, std::span<const Move> moves) {
  std::vector<Move> best;
  const auto values = ending_values(game, endings, position, history, moves);
  std::optional<EndingValue> most;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!values[i]) return {};
    if (most && rank(*values[i]) < rank(*most)) continue;
    if (!most || rank(*values[i]) > rank(*most)) best.clear();
    most = values[i];
    best.push_back(moves[i]);
  }
  return best;
}

void EndingSearcher::begin(const SearchRoot& root, const Limits& limits) {
  Limits chosen = limits;
  const std::span<const Move> legal(root.legal->begin(), root.legal->end());
  const std::vector<Move> best =
      best_ending_moves(game_, *endings_, *root.position, *root.history,
                        limits.search_moves.empty() ? legal : std::span<const Move>(limits.search_moves));
  if (!best.empty() && limits.temperature == 0) chosen.search_moves = best;
  searcher_->begin(root, chosen);
}

}  // namespace makzero::mcts
