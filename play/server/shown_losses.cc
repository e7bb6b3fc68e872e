#include "play/server/shown_losses.h"

#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/json/game_json.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using nlohmann::json;

// False where a move is not legal.
bool write_moves(const game::Game& rules, const game::Position& position, json* distributions) {
  for (json& entry : distributions->at("moves")) {
    const auto move = game::parse_move(rules, position, entry.at("move").get<std::string>());
    if (!move) return false;
    entry["written"] = written_move(rules, position, *move);
  }
  return true;
}

// False where the row does not fit the rules.
bool complete(json* row) {
  const auto rules = game::make_game(row->at("ruleset").get<std::string>());
  if (!rules) return false;
  const game::Game& game = **rules;
  const auto position = game::parse_position(game, row->at("position").get<std::string>());
  if (!position) return false;
  (*row)["title"] = game.info().title;
  (*row)["kinds"] = kinds_json(game.info());
  return write_moves(game, *position, &row->at("target")) &&
         write_moves(game, *position, &row->at("predicted"));
}

}  // namespace

json shown_losses(const std::string& text) try {
  const json losses = json::parse(text);
  json shown = {{"generation", losses.at("generation").get<std::int64_t>()}, {"rows", json::array()}};
  for (json row : losses.at("rows"))
    if (complete(&row)) shown["rows"].push_back(std::move(row));
  return shown;
} catch (const json::exception&) {
  return nullptr;
}

}  // namespace makzero::play
