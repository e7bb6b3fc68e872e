#include "play/engine/alpha_beta_searcher.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
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
constexpr std::size_t kTableEntries = 1 << 16;

// The line of a search, on the scale of chess programs.
Line to_line(const mcts::AlphaBetaLine<mcts::Centipawns>& found) {
  Line line;
  line.moves = {found.move()};
  if (found.score.proven()) line.end_in_plies = found.score.plies_to_end();
  const int most = to_centipawns(1);
  line.centipawns = std::clamp(found.score.value, -most, most);
  const float expected = to_expected(line.centipawns);
  const float draw = line.end_in_plies ? 0 : (1 - std::abs(expected)) / 2;
  line.value = {(1 - draw + expected) / 2, draw, (1 - draw - expected) / 2};
  return line;
}

Line to_line(const mcts::AlphaBetaLine<mcts::LogitScore>& found) {
  int score = found.score.value;
  if (!found.score.proven())
    score = to_centipawns(static_cast<float>(2 * mcts::expected_result(found.score) - 1));
  Line line = to_line(mcts::AlphaBetaLine<mcts::Centipawns>{{score}, found.moves});
  line.moves = found.moves;
  return line;
}

}  // namespace

bool is_alpha_beta(const std::string& player) { return player.starts_with(kAlphaBeta); }

int alpha_beta_depth(const std::string& player) {
  int depth = 0;
  const char* end = player.data() + player.size();
  const auto [stop, error] = std::from_chars(player.data() + kAlphaBeta.size(), end, depth);
  if (error == std::errc() && stop == end && depth > 0) return depth;
  throw models::Error("player '" + player + "': write alphabeta:DEPTH with a depth from 1");
}

template <class Evaluation>
SearchInfo run_alpha_beta(const PlayedGame& game, mcts::AlphaBetaLimits limits, const std::stop_token& stop,
                          const SearchInfoHandler& report, mcts::AlphaBeta<Evaluation>* search) {
  const auto start = steady_clock::now();
  std::atomic<bool> stopped = false;
  const std::stop_callback stopper(stop, [&] { stopped = true; });
  limits.stop = &stopped;
  SearchInfo info;
  search->begin(game.position(), game.history(), limits);
  while (!search->done()) {
    search->step();
    const auto& result = search->result();
    const bool deeper = result.depth > info.depth;
    info.lines.clear();
    for (const auto& line : result.lines) info.lines.push_back(to_line(line));
    info.value = info.lines.front().value;
    info.depth = result.depth;
    info.seldepth = result.seldepth;
    info.nodes = result.nodes;
    info.elapsed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    if (deeper) report(info);
  }
  return info;
}

template SearchInfo run_alpha_beta(const PlayedGame&, mcts::AlphaBetaLimits, const std::stop_token&,
                                   const SearchInfoHandler&, mcts::NetworkSearch*);
template SearchInfo run_alpha_beta(const PlayedGame&, mcts::AlphaBetaLimits, const std::stop_token&,
                                   const SearchInfoHandler&, mcts::MaterialSearch*);

AlphaBetaSearcher::AlphaBetaSearcher(game::GamePtr rules, const AlphaBetaSearcherOptions& options)
    : rules_(std::move(rules)), options_(options) {}

SearchInfo AlphaBetaSearcher::search(const PlayedGame& game, const Limits& limits,
                                     const std::stop_token& stop, const SearchInfoHandler& report) const {
  mcts::AlphaBetaLimits deep;
  deep.depth = std::min(limits.depth.value_or(kMostDepth), kMostDepth);
  if (limits.mate) deep.depth = std::min(deep.depth, 2 * *limits.mate - 1);
  if (!limits.depth && !limits.time && !limits.mate && options_.depth > 0) deep.depth = options_.depth;
  deep.time = limits.time;
  deep.search_moves = limits.search_moves;
  deep.lines = options_.lines > 0 ? options_.lines : game.legal().size();
  deep.seed = options_.seed + game.position().ply;
  mcts::MaterialSearch search(*rules_, mcts::MaterialEvaluation(rules_->info()), mcts::kBaselineOptions,
                              kTableEntries);
  return run_alpha_beta(game, deep, stop, report, &search);
}

}  // namespace makzero::play
