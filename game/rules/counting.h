// The draw by counting of Makruk and its relatives: board's honour, pieces' honour, automatic and declared.
//
// Everything is in plies. A count runs while Position::count_limit > 0; every move then adds 1 to
// Position::count, and the game is drawn once count > count_limit, unless the position is mate.
//
// Board's honour (limit 128; 127 where neither side may have a 65th move) is the count while both sides still
// have pieces but no pawn is left. Pieces' honour is the count against a bare king: its limit depends on the
// chaser's pieces, and it starts at twice the number of all pieces on the board. Once started, neither is
// restarted by later captures.
//
// The SEA Games (2023, Ok) count board's honour when the side to move has three pieces or fewer, with pawns
// or without; both counts draw when the last number is said, a move earlier than in Makruk; a declared count
// stays where it ends sooner than pieces' honour.
#pragma once

#include <cstdint>
#include <vector>

#include "game/game.h"
#include "game/position.h"

namespace makzero::game {

enum class CountMode : std::uint8_t {
  kAuto,    // Board's honour starts by itself and binds both sides.
  kManual,  // A player declares board's honour and may stop it again; if the counter mates, it is a draw.
};

// Side that may declare board's honour, in manual mode.
enum class CountWho : std::uint8_t {
  kWeaker,  // The side with less material.
  kAny,     // Either side.
};

enum class CountScheme : std::uint8_t { kMakruk, kSeaGames };

struct CountRules {
  CountMode mode = CountMode::kAuto;
  CountWho who = CountWho::kWeaker;
  CountScheme scheme = CountScheme::kMakruk;
  bool board_64 = false;  // Board's honour draws after 64 moves of each side, not on the 65th of the first.
  bool snn_44 = false;    // Khon + two knights against a king: 44 moves instead of 32.
  bool keep_shorter = false;  // Pieces' honour does not replace a board's honour that ends sooner.
};

// What counting needs to know of a move.
struct CountedMove {
  bool captured = false;       // It took a piece,
  bool captured_pawn = false;  // namely a pawn.
  bool promoted = false;
};

// The limit of board's honour in plies.
constexpr int board_honour(const CountRules& rules) {
  return rules.scheme == CountScheme::kMakruk ? 2 * 64 - rules.board_64 : 2 * 63;
}

// The limit of pieces' honour against a bare king in plies, by the chaser's pieces.
int pieces_honour(const CountRules& rules, const Position& position, Color chaser);

// Starts or advances the count after a move; the mover is the side that is not to move.
void count_move(const CountRules& rules, const CountedMove& move, Position* position);

// The count ran out.
inline bool count_exceeded(const Position& position) {
  return position.count_limit > 0 && position.count > position.count_limit;
}

// This side counts by its own declaration.
bool counts(const Position& position, Color side);

// Declarations open to the side to move; only in manual mode. `weaker`: it has less material than the other.
std::vector<Declaration> count_declarations(const CountRules& rules, const Position& position, bool weaker);

// REQUIRES: the declaration is among count_declarations().
void declare_count(const CountRules& rules, Declaration declaration, Position* position);

// Who counts, told from a running count alone: the counter's own moves are the odd plies of a declared
// board's honour.
Counter counter_of_count(const CountRules& rules, const Position& position);

}  // namespace makzero::game
