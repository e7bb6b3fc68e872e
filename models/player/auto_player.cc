#include "models/player/auto_player.h"

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "game/catalog.h"
#include "models/error.h"
#include "models/player/measured_levels.h"
#include "models/player/strength_rows.h"
#include "models/store.h"
#include "models/zoo.h"
#include "nn/torch_plugin.h"

namespace makzero::models {
namespace {

std::string run_of(const std::string& ruleset) { return "runs/" + ruleset; }

bool has_libtorch() try {
  nn::torch_plugin();
  return true;
} catch (const std::runtime_error&) {
  return false;
}

// A damaged file of the zoo is named by whoever loads it.
std::optional<PlayerSpec> zoo_player(const std::string& ruleset, std::chrono::milliseconds time,
                                     const std::string& device) {
  const Zoo zoo = Zoo::standard();
  std::optional<PlayerSpec> tower;
  if (const auto model = zoo.find(ruleset)) tower = tower_player({*model}, {});
  if (const auto model = zoo.find_small(ruleset)) {
    PlayerSpec small = small_player(*model, ruleset, {});
    const StrengthTable table = zoo.strength();
    const StrengthRow* row = find_strength(table, game::game_of(ruleset), "small", "family", time, device);
    const bool stronger = !row || is_stronger(*row);
    // No front end is without levels.
    const auto has_levels = [&](const PlayerSpec& player) {
      return !measured_levels(player, ruleset).empty();
    };
    if (!tower || !has_levels(*tower) || (stronger && has_levels(small)) || !has_libtorch()) return small;
  }
  return tower;
}

}  // namespace

PlayerSpec auto_player(const std::string& ruleset, std::chrono::milliseconds time,
                       const std::string& device) {
  if (auto player = zoo_player(ruleset, time, device)) return *std::move(player);
  if (const auto best = CheckpointStore(run_of(ruleset) + "/checkpoints").best())
    return network_players(best->path, {.ruleset = ruleset, .device = device}).front();
  return {};
}

std::string auto_note(const std::string& ruleset) {
  const PlayerSpec player = auto_player(ruleset);
  if (!std::holds_alternative<PlayerSpec::BuiltIn>(player.kind)) return "";
  return "No network in " + run_of(ruleset) + ", and " + Zoo::standard().summary() +
         ": alpha-beta by material plays. `makzero train " + ruleset + "` makes one, --model names one.";
}

}  // namespace makzero::models
