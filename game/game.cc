#include "game/game.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace makzero::game {

int Game::count_moves(const Position& position) const {
  MoveList moves;
  legal_moves(position, &moves);
  return moves.size();
}

std::vector<Declaration> Game::declarations(const Position&) const { return {}; }

void Game::declare(Declaration, Position*) const { assert(false && "this game has no declarations"); }

std::string Game::fields_text(const Position&) const { return ""; }

void Game::read_fields(std::span<const std::string_view> fields, Position*,
                       std::vector<std::string>* reasons) const {
  for (const std::string_view field : fields) {
    reasons->push_back("unexpected '" + std::string(field) + "' behind the side to move: leave it out");
  }
}

void Game::check(const Position&, std::vector<std::string>*) const {}

Bitboard Game::attackers(const Position&, Square, Bitboard) const { return 0; }

std::optional<Displacement> Game::displacement(const Position&, Move) const { return std::nullopt; }

std::string Game::move_path(const Position&, Move) const { return ""; }

std::string Game::move_suffix(const Position&, Move) const { return ""; }

int plies_left(const GameInfo& info, const Position& position) {
  return plies_left(info.max_plies, position);
}

int plies_left(int max_plies, const Position& position) {
  if (max_plies == 0 || position.count_limit > 0) return std::numeric_limits<int>::max();
  return std::max(0, max_plies - position.ply);
}

Bitboard kings(const GameInfo& info, const Position& position) {
  const size_t kind = info.kinds.find('K');
  return kind == std::string::npos ? 0 : position.kind[kind];
}

int material(const GameInfo& info, const Position& position, Color side) {
  int sum = position.hand[index(side)] * info.kind_value[0];
  for (int kind = 0; kind < kKinds; ++kind) {
    sum += info.kind_value[kind] * size(position.kind[kind] & position.side[index(side)]);
  }
  return sum;
}

int material_lead(const GameInfo& info, const Position& position, Color side) {
  return material(info, position, side) - material(info, position, other(side));
}

const OptionInfo* find_option(const GameInfo& info, std::string_view name) {
  const auto found = std::find_if(info.options.begin(), info.options.end(),
                                  [&](const OptionInfo& option) { return option.name == name; });
  return found == info.options.end() ? nullptr : &*found;
}

const OptionInfo* material_result_option(const GameInfo& info) {
  const OptionInfo* option = find_option(info, "limit_result");
  if (!option) return nullptr;
  return std::find(option->values.begin(), option->values.end(), "material") == option->values.end() ? nullptr
                                                                                                     : option;
}

const OptionInfo* deciding_limit(const GameInfo& info) {
  for (const char* name : {"limit_result", "cap_result"}) {
    const OptionInfo* option = find_option(info, name);
    if (option && option->value != "draw") return option;
  }
  return nullptr;
}

int material_gain(const Game& game, const Position& position, Color side) {
  return material_lead(game.info(), position, side) - material_lead(game.info(), game.initial(), side);
}

}  // namespace makzero::game
