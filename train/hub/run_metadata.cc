#include "train/hub/run_metadata.h"

#include <fmt/format.h>

#include <vector>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "nn/encoder.h"

namespace makzero::train {
namespace {

constexpr int kFormat = 2;  // Of messages and keys.
constexpr const char* kGames = "games";
constexpr const char* kProgram = "program";  // For people alone.

std::string value_or_none(const RunMetadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  return found == metadata.end() ? "none" : found->second;
}

}  // namespace

RunMetadata run_metadata(std::span<const game::GamePtr> games, const std::string& game_list) {
  std::string rules;
  for (const game::GamePtr& game : games) {
    const std::string& ruleset = game->info().ruleset;
    rules += fmt::format("{}{}={}", rules.empty() ? "" : " ", ruleset, models::rules_validation(ruleset));
  }
  return {{"format", std::to_string(kFormat)},
          {kGames, game_list},
          {"rules", rules},
          {"encoder", std::to_string(nn::kEncoderVersion)},
          {"move_index", std::to_string(nn::kMoveIndexVersion)},
          {kProgram, MAKZERO_VERSION}};
}

std::vector<game::GamePtr> games_of(const RunMetadata& metadata) {
  const std::string list = value_or_none(metadata, kGames);
  const auto games = game::make_games(list);
  if (!games) throw models::Error(fmt::format("the run trains '{}': {}", list, games.why()));
  for (const auto& [name, ours] : run_metadata(*games, list)) {
    const std::string theirs = value_or_none(metadata, name);
    if (name == kProgram || theirs == ours) continue;
    throw models::Error(
        fmt::format("{} of the run is {}, of this worker {}: use the program of the trainer ({})", name,
                    theirs, ours, value_or_none(metadata, kProgram)));
  }
  return *games;
}

}  // namespace makzero::train
