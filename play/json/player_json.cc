#include "play/json/player_json.h"

#include <cmath>
#include <utility>
#include <variant>

#include "models/player/measured_levels.h"
#include "models/zoo.h"
#include "play/json/game_json.h"

namespace makzero::play {

using nlohmann::json;

namespace {

constexpr int kDeepestAlphaBeta = 5;

}  // namespace

json levels_json(const models::PlayerSpec& player, const std::string& ruleset) {
  json levels = json::array();
  for (const models::PlayerLevel& level : models::measured_levels(player, ruleset)) {
    levels.push_back({{"level", level.level},
                      {"label", models::level_label(level)},
                      {"simulations", level.nodes},
                      {"temperature", level.temperature},
                      {"elo", std::lround(level.elo)}});
    if (!level.measured_in.empty()) levels.back()["measuredIn"] = level.measured_in;
  }
  return levels;
}

json player_json(const std::string& player, const Message& label, const Message& details, const char* kind,
                 json levels) {
  return {{"player", player},
          {"label", label.english()},
          {"labelParts", message_json(label)},
          {"details", details.english()},
          {"detailsParts", message_json(details)},
          {"kind", kind},
          {"levels", std::move(levels)}};
}

json small_player_json(const std::filesystem::path& model, const std::string& ruleset, const Message& label) {
  const models::PlayerSpec player = models::small_player(model, ruleset, {});
  const std::string& id = std::get<models::PlayerSpec::Small>(player.kind).id;
  return player_json(std::string(models::kSmallName), label,
                     message("a deep search with small network {network}", {{"network", id}}), "small",
                     levels_json(player, ruleset));
}

std::vector<json> material_players_json() {
  std::vector<json> players;
  for (int depth = kDeepestAlphaBeta; depth > 0; --depth) {
    players.push_back(player_json(
        "alphabeta:" + std::to_string(depth), message("alpha-beta, depth {depth}", {{"depth", depth}}),
        message("a search by material, without a network"), "alphabeta", json::array()));
  }
  return players;
}

}  // namespace makzero::play
