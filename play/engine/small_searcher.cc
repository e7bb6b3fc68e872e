#include "play/engine/small_searcher.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/error.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "play/engine/alpha_beta_searcher.h"

namespace makzero::play {

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
      search_(*rules_, {rules_->info(), player.network}, mcts::alpha_beta_options(rules_->info()),
              std::bit_floor(std::max<std::size_t>(1, memory / mcts::NetworkSearch::kEntryBytes))) {}

bool SmallSearcher::plays(const std::filesystem::path& file, const std::string& ruleset) const {
  return file == file_ && ruleset == rules_->info().ruleset;
}

SearchInfo SmallSearcher::search(const PlayedGame& game, const Limits& limits, int lines,
                                 const std::stop_token& stop, const SearchInfoHandler& report) {
  mcts::AlphaBetaLimits deep;
  deep.depth = limits.depth.value_or(models::kMostSmallDepth);
  if (limits.simulations) deep.nodes = *limits.simulations;
  deep.time = limits.time;
  deep.search_moves = limits.search_moves;
  deep.lines = lines;
  return run_alpha_beta(game, deep, stop, report, &search_);
}

}  // namespace makzero::play
