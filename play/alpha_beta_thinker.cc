#include "play/alpha_beta_thinker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMostDepth = 64;

// Scores beyond this are proved wins and losses; the distance to the end is in the rest.
constexpr int kProved = mcts::kWinScore - 1000;

Line to_line(const mcts::AlphaBetaResult& result) {
  Line line;
  line.moves = {result.best};
  if (std::abs(result.score) >= kProved) line.end_in_plies = mcts::kWinScore - std::abs(result.score);
  const int most = to_centipawns(1);
  line.centipawns = std::clamp(result.score, -most, most);
  const float expected = to_expected(line.centipawns);
  const float draw = line.end_in_plies ? 0 : (1 - std::abs(expected)) / 2;
  line.value = {(1 - draw + expected) / 2, draw, (1 - draw - expected) / 2};
  return line;
}

}  // namespace

AlphaBetaThinker::AlphaBetaThinker(game::GamePtr rules, int depth, std::uint64_t seed)
    : rules_(std::move(rules)), depth_(depth), seed_(seed) {}

Thought AlphaBetaThinker::think(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                                const ThoughtHandler& report) {
  const auto start = steady_clock::now();
  int most_depth = limits.depth.value_or(kMostDepth);
  if (!limits.depth && !limits.time && depth_ > 0) most_depth = depth_;
  Thought thought;
  for (int depth = 1; depth <= std::min(most_depth, kMostDepth); ++depth) {
    mcts::AlphaBetaOptions options;
    options.depth = depth;
    if (depth > 1) options.stop = &stop;
    const auto elapsed = [&] {
      return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    };
    if (limits.time && depth > 1) options.time = std::max(milliseconds(0), *limits.time - elapsed());
    // The same seed at each depth: the deepest one chooses as a search of that depth alone would.
    const mcts::AlphaBetaResult result = mcts::AlphaBeta(*rules_, options, seed_ + game.position().ply)
                                             .search(game.position(), game.history());
    thought.nodes += result.nodes;
    thought.elapsed = elapsed();
    if (result.depth < depth && depth > 1) break;  // Cut short: the depth before it stands.
    thought.depth = depth;
    thought.lines = {to_line(result)};
    report(thought);
    if (thought.lines.front().end_in_plies || stop || (limits.time && thought.elapsed >= *limits.time)) break;
  }
  return thought;
}

}  // namespace makzero::play
