#include "models/player/auto_player.h"

#include <filesystem>
#include <optional>

#include "game/catalog.h"
#include "models/error.h"
#include "models/player/measured_levels.h"
#include "models/store.h"
#include "models/zoo.h"

namespace makzero::models {
namespace {

std::string run_of(const std::string& ruleset) { return "runs/" + ruleset; }

// A damaged file of the zoo is named by whoever loads it.
std::optional<PlayerSpec> zoo_player(const std::string& ruleset) {
  const Zoo zoo = Zoo::standard();
  if (const auto model = zoo.find_small(ruleset)) {
    PlayerSpec small = small_player(*model, ruleset, {});
    if (!measured_levels(small, ruleset).empty()) return small;  // No front end is without levels.
  }
  if (const auto network = zoo.find(ruleset)) return tower_player({*network}, {});
  return std::nullopt;
}

}  // namespace

PlayerSpec auto_player(const std::string& ruleset) {
  if (auto player = zoo_player(ruleset)) return *std::move(player);
  if (const auto latest = CheckpointStore(run_of(ruleset) + "/checkpoints").latest())
    return tower_player({latest->path}, {});
  return {PlayerSpec::AlphaBeta{}, {}};
}

std::string auto_note(const std::string& ruleset) {
  const PlayerSpec player = auto_player(ruleset);
  if (!std::holds_alternative<PlayerSpec::AlphaBeta>(player.kind)) return "";
  return "No network in " + run_of(ruleset) + ", and " + Zoo::standard().summary() +
         ": alpha-beta by material plays. `makzero train " + ruleset + "` makes one, --model names one.";
}

}  // namespace makzero::models
