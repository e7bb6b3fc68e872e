#include "mcts/ending_searcher.h"

namespace makzero::mcts {
namespace {

using game::Move;
using game::Position;

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

// The moves of the best value; empty where one is not known.
std::vector<Move> best_of(std::span<const Move> moves, std::span<const std::optional<EndingValue>> values) {
  std::vector<Move> best;
  std::optional<EndingValue> most;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<EndingValue>& value = values[i];
    if (!value) return {};
    if (most && better(*most, *value)) continue;
    if (!most || better(*value, *most)) best.clear();
    most = value;
    best.push_back(moves[i]);
  }
  return best;
}

}  // namespace

EndingMoves ending_values(const game::Game& game, const Endings& endings, const Position& position,
                          const game::History& history, std::span<const Move> moves) {
  if (!endings.find(position)) return {};
  EndingMoves known{.values = {}, .to_capture = endings.counts_captures(position)};
  game::History line = history;
  for (const Move move : moves) known.values.push_back(value_of(game, endings, position, &line, move));
  return known;
}

std::vector<Move> best_ending_moves(const game::Game& game, const Endings& endings, const Position& position,
                                    const game::History& history, std::span<const Move> moves) {
  return best_of(moves, ending_values(game, endings, position, history, moves).values);
}

void EndingSearcher::begin(const SearchRoot& root, const Limits& limits) {
  Limits chosen = limits;
  const std::span<const Move> legal(root.legal->begin(), root.legal->end());
  values_ = ending_values(game_, *endings_, *root.position, *root.history, legal);
  const std::vector<Move>& among = limits.search_moves;
  const std::vector<Move> best =
      among.empty() ? best_of(legal, values_.values)
                    : best_ending_moves(game_, *endings_, *root.position, *root.history, among);
  if (!best.empty() && limits.temperature == 0) chosen.search_moves = best;
  searcher_->begin(root, chosen);
}

}  // namespace makzero::mcts
