// What another program as a player answers, or what goes wrong, for the tests of its protocols.
#pragma once

#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "models/error.h"
#include "train/match/player.h"

namespace makzero::train {

// The answer of a player in the initial position of Mak-yek, or in `start`, after a3a4 h6h5, in the game of
// that number.
inline std::string answer_of(Player* player, const game::Game& game, const game::Position* start = nullptr,
                             int number = 0) {
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
  const Turn turn = {&position, &history, &legal, &moves, 1, start, number};
  game::Move move;
  player->choose({&turn, 1}, {&move, 1});
  return move_text(game, position, move);
}

// What goes wrong when an engine with these settings is started and asked for a move.
template <class EnginePlayer, class Settings>
std::string failure_of(const Settings& settings) {
  const game::GamePtr game = *game::make_game("makyek");
  try {
    EnginePlayer player(*game, settings);
    answer_of(&player, *game);
  } catch (const models::Error& error) {
    return error.what();
  }
  return "no failure";
}

}  // namespace makzero::train
