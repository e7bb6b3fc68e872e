#include "models/small_network_file.h"

#include "game/catalog.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/model.h"

namespace makzero::models {

mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset) {
  Model model = read_head(path);
  std::string games;
  for (mcts::SmallNetwork& network : model.small_networks) {
    if (ruleset.empty() || network.game == game::game_of(ruleset)) return std::move(network);
    games += (games.empty() ? "'" : ", '") + network.game + "'";
  }
  throw Error(path, games.empty() ? "has no small network, only a tower"
                                  : "has a small network of " + games + " and cannot play '" + ruleset + "'");
}

std::string small_network_id(const mcts::SmallNetwork& network) {
  return sha256(mcts::encode_small_network(network, 1)).substr(0, 12);
}

}  // namespace makzero::models
