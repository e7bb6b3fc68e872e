#include "play/engine/alpha_beta_searcher.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "models/error.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kAlphaBeta = "alphabeta:";

constexpr int kMostDepth = 64;

}  // namespace

bool is_alpha_beta(const std::string& player) { return player.starts_with(kAlphaBeta); }

int alpha_beta_depth(const std::string& player) {
  int depth = 0;
  const char* end = player.data() + player.size();
  const auto [stop, error] = std::from_chars(player.data() + kAlphaBeta.size(), end, depth);
  if (error == std::errc() && stop == end && depth > 0) return depth;
  throw models::Error("player '" + player + "': write alphabeta:DEPTH with a depth from 1");
}

bool is_proven(int score) { return std::abs(score) >= mcts::kProvenScore; }

Line to_line(const mcts::AlphaBetaResult& result) {
  Line line;
  line.moves = {result.best};
  if (is_proven(result.score)) line.end_in_plies = mcts::kWinScore - std::abs(result.score);
  const int most = to_centipawns(1);
  line.centipawns = std::clamp(result.score, -most, most);
  const float expected = to_expected(line.centipawns);
  const float draw = line.end_in_plies ? 0 : (1 - std::abs(expected)) / 2;
  line.value = {(1 - draw + expected) / 2, draw, (1 - draw - expected) / 2};
  return line;
}

AlphaBetaSearcher::AlphaBetaSearcher(game::GamePtr rules, const AlphaBetaSearcherOptions& options)
    : rules_(std::move(rules)), options_(options) {}

SearchInfo AlphaBetaSearcher::search(const PlayedGame& game, const Limits& limits,
                                     const std::stop_token& stop, const SearchInfoHandler& report) const {
  const auto start = steady_clock::now();
  int most_depth = std::min(limits.depth.value_or(kMostDepth), kMostDepth);
  if (limits.mate) most_depth = std::min(most_depth, 2 * *limits.mate - 1);
  if (!limits.depth && !limits.time && !limits.mate && options_.depth > 0) most_depth = options_.depth;
  std::vector<game::Move> among = limits.search_moves;
  if (among.empty()) among.assign(game.legal().begin(), game.legal().end());
  SearchInfo info;
  for (int depth = 1; depth <= most_depth; ++depth) {
    Deadline deadline{std::nullopt, depth > 1 ? stop : std::stop_token()};
    if (limits.time && depth > 1) deadline.time = start + *limits.time;
    const std::vector<Line> lines = lines_at(game, among, depth, deadline, &info.nodes);
    info.elapsed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    if (lines.empty()) break;  // Cut short: the depth before it stands.
    info.depth = info.seldepth = depth;
    info.lines = lines;
    info.value = lines.front().value;
    report(info);
    if (lines.front().end_in_plies || stop.stop_requested() || (limits.time && info.elapsed >= *limits.time))
      break;
  }
  return info;
}

// The same seed at each depth: the deepest one chooses as a search of that depth alone would.
std::vector<Line> AlphaBetaSearcher::lines_at(const PlayedGame& game, std::vector<game::Move> among,
                                              int depth, const Deadline& deadline,
                                              std::uint64_t* nodes) const {
  std::vector<Line> lines;
  const int most = static_cast<int>(among.size());
  while (static_cast<int>(lines.size()) < (options_.lines > 0 ? std::min(options_.lines, most) : most)) {
    mcts::AlphaBetaOptions options;
    options.depth = depth;
    options.stop = deadline.stop;
    if (deadline.time) {
      options.time = std::chrono::duration_cast<milliseconds>(*deadline.time - steady_clock::now());
    }
    mcts::AlphaBeta alpha_beta(*rules_, options, options_.seed + game.position().ply);
    const mcts::AlphaBetaResult result = alpha_beta.search(game.position(), game.history(), among);
    *nodes += result.nodes;
    const Line line = to_line(result);
    if (result.depth < depth && !line.end_in_plies && depth > 1) return {};
    lines.push_back(line);
    among.erase(std::find(among.begin(), among.end(), result.best));
  }
  return lines;
}

}  // namespace makzero::play
