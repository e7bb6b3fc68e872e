#include "play/engine/search_info.h"

#include <algorithm>

#include "mcts/sample_move.h"

namespace makzero::play {
namespace {

bool varies(const PlayedGame& game, const Limits& limits) {
  return static_cast<int>(game.actions().size()) < limits.varied_plies;
}

}  // namespace

void begin_search(const PlayedGame& game, const Limits& limits, mcts::Searcher* searcher) {
  std::vector<game::Move> moves;
  for (const Action& action : game.actions()) {
    if (!action.declaration) moves.push_back(action.move);
  }
  // A limit of length that was overlooked begins anew: else every move is a draw.
  game::Position position = game.position();
  if (game::plies_left(game.rules().info(), position) == 0) position.ply = 0;
  searcher->begin({.position = &position,
                   .history = &game.history(),
                   .legal = &game.legal(),
                   .start = &game.start(),
                   .moves = moves},
                  limits);
}

bool samples(const PlayedGame& game, const Limits& limits) {
  return limits.temperature > 0 || varies(game, limits);
}

Limits searcher_limits(const PlayedGame& game, Limits limits, std::uint64_t seed, int lines) {
  limits.seed = seed + game.position().ply;
  limits.lines = std::max(lines, samples(game, limits) ? mcts::sampled_lines(limits.temperature) : 1);
  return limits;
}

SearchInfo with_choice(SearchInfo info, const PlayedGame& game, const Limits& limits, std::uint64_t seed,
                       int lines) {
  mcts::Rng rng(seed ^ game::evaluation_key(game.position()) ^ game.position().ply);
  if (limits.temperature > 0)
    info.sampled = mcts::sample_move(info.lines, limits.temperature, &rng);
  else if (varies(game, limits))
    info.sampled = mcts::varied_move(info.lines, &rng);
  const auto visited = [](const Line& line) { return line.visits > 0; };
  if (lines == 0) lines = static_cast<int>(std::count_if(info.lines.begin(), info.lines.end(), visited));
  const auto shown = static_cast<std::size_t>(std::max(1, lines));
  if (info.lines.size() > shown) info.lines.resize(shown);
  return info;
}

}  // namespace makzero::play
