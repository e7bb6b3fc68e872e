// Players as people see them, as JSON: one form for the server and the site without one.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/player/player_spec.h"
#include "play/message.h"

namespace makzero::play {

// [{level, label, simulations, temperature, elo, measuredIn?}], weakest first.
nlohmann::json levels_json(const models::PlayerSpec& player, const std::string& ruleset);

// {player, label, details, kind, levels}, texts with the parts that front ends translate.
nlohmann::json player_json(const std::string& player, const Message& label, const Message& details,
                           const char* kind, nlohmann::json levels);

// The small network of a model for the ruleset's game, as the player "small". Throws models::Error.
nlohmann::json small_player_json(const std::filesystem::path& model, const std::string& ruleset,
                                 const Message& label);

// "alphabeta:5" to "alphabeta:1".
std::vector<nlohmann::json> material_players_json();

}  // namespace makzero::play
