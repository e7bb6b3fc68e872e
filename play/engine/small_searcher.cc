#include "play/engine/small_searcher.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "models/error.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "play/engine/alpha_beta_searcher.h"

namespace makzero::play {
namespace {

using mcts::DeepSearchLimits;
using mcts::DeepSearchResult;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The candidate move of a search, with the score on the scale of chess programs.
Line line_of(const DeepSearchResult& result) {
  mcts::AlphaBetaResult scaled = result;
  if (!is_proven(result.score)) {
    scaled.score = to_centipawns(static_cast<float>(2 * mcts::expected_result(result.score) - 1));
  }
  Line line = to_line(scaled);
  line.moves = result.principal_variation;
  return line;
}

milliseconds elapsed_since(steady_clock::time_point start) {
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

SearchInfo info_of(const std::vector<DeepSearchResult>& results, std::uint64_t nodes,
                   steady_clock::time_point start) {
  SearchInfo info;
  info.elapsed = elapsed_since(start);
  info.nodes = nodes;
  info.depth = results.front().depth;
  for (const DeepSearchResult& result : results) {
    info.seldepth = std::max(info.seldepth, result.seldepth);
    info.lines.push_back(line_of(result));
  }
  info.value = info.lines.front().value;
  return info;
}

}  // namespace

bool is_small_player(const std::string& player) {
  return models::read_small_network_name(player).has_value();
}

void limit_by_player(const std::string& player, int simulations, Limits* limits) {
  const auto name = models::read_small_network_name(player);
  if (!name) {
    limits->simulations = simulations;
  } else {
    const auto depth = name->depth.value_or(models::kSmallDepth);
    limits->depth = static_cast<int>(std::clamp<std::int64_t>(depth, 1, models::kMostSmallDepth));
  }
}

SmallPlayer load_small_player(const std::string& player, const std::string& ruleset) {
  const models::SmallNetworkName name = *models::read_small_network_name(player);
  SmallPlayer small{models::find_small_network(name, ruleset), {}, {}};
  small.network = models::load_small_network(small.file, ruleset);
  small.description = "small network " + models::small_network_id(small.network);
  if (name.network == models::kSmallName)
    small.description = "MakZero (" + small.description + ", of the zoo)";
  if (name.depth) small.description += ", depth " + std::to_string(*name.depth);
  return small;
}

SmallSearcher::SmallSearcher(game::GamePtr rules, const SmallPlayer& player, std::size_t memory)
    : rules_(std::move(rules)),
      file_(player.file),
      search_(
          *rules_, player.network,
          std::bit_floor(std::max<std::size_t>(1, memory / mcts::PrincipalVariationSearch::kEntryBytes))) {}

bool SmallSearcher::plays(const std::filesystem::path& file, const std::string& ruleset) const {
  return file == file_ && ruleset == rules_->info().ruleset;
}

SearchInfo SmallSearcher::search(const PlayedGame& game, const Limits& limits, int lines,
                                 const std::stop_token& stop, const SearchInfoHandler& report) {
  std::vector<game::Move> moves = limits.search_moves;
  if (moves.empty()) moves.assign(game.legal().begin(), game.legal().end());
  lines = std::min(lines, static_cast<int>(moves.size()));
  if (lines > 1) return search_lines(game, limits, lines, moves, stop, report);
  const auto start = steady_clock::now();
  DeepSearchLimits deep;
  deep.depth = limits.depth.value_or(models::kMostSmallDepth);
  if (limits.simulations) deep.nodes = *limits.simulations;
  deep.time = limits.time;
  deep.stop = stop;
  deep.search_moves = limits.search_moves;
  const DeepSearchResult last =
      search_.search(game.position(), game.history(), deep,
                     [&](const DeepSearchResult& result) { report(info_of({result}, result.nodes, start)); });
  return info_of({last}, last.nodes, start);
}

SearchInfo SmallSearcher::search_lines(const PlayedGame& game, const Limits& limits, int lines,
                                       const std::vector<game::Move>& moves, const std::stop_token& stop,
                                       const SearchInfoHandler& report) {
  const auto start = steady_clock::now();
  const int most_depth = limits.depth.value_or(models::kMostSmallDepth);
  std::uint64_t nodes = 0;
  SearchInfo info;
  for (int depth = 1; depth <= most_depth; ++depth) {
    std::vector<DeepSearchResult> results;
    DeepSearchLimits deep;
    deep.depth = depth;
    deep.stop = stop;
    deep.search_moves = moves;
    while (static_cast<int>(results.size()) < lines) {
      if (limits.simulations) deep.nodes = std::max<std::int64_t>(0, *limits.simulations - nodes);
      if (limits.time) deep.time = *limits.time - (steady_clock::now() - start);
      const DeepSearchResult result = search_.search(game.position(), game.history(), deep);
      nodes += result.nodes;
      if (result.depth < depth && !is_proven(result.score)) {  // Cut short: the depth before it stands.
        info.nodes = nodes;
        info.elapsed = elapsed_since(start);
        return info;
      }
      std::erase(deep.search_moves, result.best);
      results.push_back(result);
    }
    std::ranges::stable_sort(results, std::greater(), &DeepSearchResult::score);
    info = info_of(results, nodes, start);
    report(info);
    if (info.lines.front().end_in_plies) break;
  }
  return info;
}

}  // namespace makzero::play
