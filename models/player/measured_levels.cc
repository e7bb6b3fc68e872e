#include "models/player/measured_levels.h"

#include <algorithm>
#include <variant>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/zoo.h"

namespace makzero::models {

std::vector<PlayerLevel> measured_levels(const PlayerSpec& player, const std::string& ruleset) {
  std::string measured_in;
  google::protobuf::RepeatedPtrField<Level> measured;
  if (const auto* small = std::get_if<PlayerSpec::Small>(&player.kind)) {
    const Manifest manifest = read_manifest(small->file);
    if (const SmallNetworkEntry* entry = small_entry(manifest, small->id)) measured = entry->levels();
  } else if (const PlayerSpec::Tower* tower = player.tower()) {
    const std::filesystem::path source = Zoo::standard().levels_of(tower->file, ruleset);
    const Manifest manifest = read_manifest(source);
    if (source != tower->file) measured_in = (*game::make_game(manifest.ruleset()))->info().title;
    measured = manifest.levels();
  }
  std::vector<PlayerLevel> levels;
  for (const Level& level : measured)
    levels.push_back({level.level(), level.nodes(), level.temperature(), level.elo(), measured_in});
  std::ranges::sort(levels, {}, &PlayerLevel::elo);
  return levels;
}

PlayerLevel measured_level(const PlayerSpec& player, const std::string& ruleset, std::int64_t number) {
  const std::vector<PlayerLevel> levels = measured_levels(player, ruleset);
  if (levels.empty()) {
    throw Error(std::string("its levels are not measured: `makzero levels") +
                (player.by_alpha_beta() ? " --small" : "") + "` does it");
  }
  for (const PlayerLevel& level : levels)
    if (level.level == number) return level;
  throw Error("it has no level " + std::to_string(number) + ", only 1 to " + std::to_string(levels.size()));
}

}  // namespace makzero::models
