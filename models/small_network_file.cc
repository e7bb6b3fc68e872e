#include "models/small_network_file.h"

#include "game/catalog.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/framed_file.h"
#include "models/model.h"

namespace makzero::models {

mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset) {
  Model model = read_head(path);
  std::string games;
  for (mcts::SmallNetwork& network : model.small_networks) {
    if (ruleset.empty() || network.game == game::game_of(ruleset)) return std::move(network);
    games += (games.empty() ? "'" : ", '") + network.game + "'";
  }
  throw Error(path, (games.empty() ? "has no small network" : "has a small network of " + games) +
                        " and cannot play '" + ruleset + "'");
}

std::string small_network_id(const mcts::SmallNetwork& network) {
  return sha256(mcts::encode_small_network(network, 1)).substr(0, 12);
}

bool is_small_network(const std::filesystem::path& path) try {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) return false;
  const std::optional<FileKind> kind = find_file_kind(path);
  return kind == FileKind::kSmallNetwork ||
         (kind == FileKind::kCheckpoint && tower_id_of(read_manifest(path)).empty());
} catch (const Error&) {
  return false;
}

}  // namespace makzero::models
