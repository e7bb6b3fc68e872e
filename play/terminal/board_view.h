// Draws positions for people: the board in colour or plain text, captures, counts, expectations.
#pragma once

#include <string>

#include "game/bitboard.h"
#include "game/game.h"
#include "mcts/value.h"
#include "play/language.h"
#include "play/notation/written_move.h"
#include "play/played_game.h"

namespace makzero::play {

struct BoardStyle {
  bool color = false;    // ANSI colours; else letters alone.
  bool flipped = false;  // Black below.
  Language language = {};
  Notation notation = Notation::kLetters;
};

// The pieces that an action took off the board: squares and their letters.
struct Captured {
  game::Bitboard squares = 0;
  std::string letters;
};
Captured captured_by(const PlayedGame& game, int action);

// The board with the last move and its captures marked: [M] moved, x was taken, + is a
// marked square. White's letters are capitals.
std::string draw_board(const PlayedGame& game, const BoardStyle& style);

// What stands beside the board, a line each: side to move, pieces taken by each side, hands, counts.
std::string describe_state(const PlayedGame& game, const Language& language = {});

// "White 62 % ##########......... 20 % Black, draw 18 %".
std::string draw_expectation(const mcts::WhiteValue& value, const BoardStyle& style);

// The action as people write it: "Nd2", "e3-e4xd4", "count".
std::string written_action(const PlayedGame& game, int action, Notation notation);

}  // namespace makzero::play
