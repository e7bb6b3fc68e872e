// What another program as a player answers, or what goes wrong, for the tests of its protocols.
#pragma once

#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "models/error.h"
#include "models/player/player.h"

namespace makzero::models {

// The answer of an engine in the initial position of Mak-yek, or in `start`, after a3a4 h6h5.
inline std::string answer_of(mcts::Searcher* engine, const game::Game& game,
                             const game::Position* start = nullptr, const mcts::Limits& limits = {}) {
  game::Position position = start ? *start : game.initial();
  game::History history(position);
  std::vector<game::Move> moves;
  for (const char* text : {"a3a4", "h6h5"}) {
    moves.push_back(*parse_move(game, position, text));
    game.apply(moves.back(), &position);
    history.push(position);
  }
  game::MoveList legal;
  game.legal_moves(position, &legal);
  const game::Position initial = game.initial();
  engine->begin({.position = &position,
                 .history = &history,
                 .legal = &legal,
                 .start = start ? start : &initial,
                 .moves = moves},
                limits);
  run(engine, nullptr);
  return move_text(game, position, engine->info().best());
}

// What goes wrong when an engine with these settings is started and asked for a move.
template <class Engine, class Settings>
std::string failure_of(const Settings& settings) {
  const game::GamePtr game = *game::make_game("makyek");
  try {
    Engine engine(*game, settings);
    answer_of(&engine, *game);
  } catch (const models::Error& error) {
    return error.what();
  }
  return "no failure";
}

}  // namespace makzero::models
