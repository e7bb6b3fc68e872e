// Moves as people write them. The chess family in standard algebraic notation as Fairy-Stockfish writes it:
// "Nd2", "exd6=M", "R1a4+", "Kb8#". The other games by their squares, with every square that is taken:
// "e3-e4", "e3-e4xd4xf4", "e8-e6-e4xe7xe5" (leaps), "d4" after a drop's "@", "pass"; "+" where the move
// attacks a king.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/bitboard.h"
#include "game/game.h"
#include "game/parsed.h"
#include "play/notation/dialect.h"

namespace makzero::play {

// How moves are shown. `kCoordinates` is the notation of UCI and files (game/notation.h); `kThai` is
// Fairy-Stockfish's Thai notation.
enum class Notation { kLetters, kFigurines, kThai, kPlayOk, kCoordinates };

// Their names: "letters", "figurines", "thai", "playok", "coordinates".
inline constexpr std::string_view kNotationNames[] = {"letters", "figurines", "thai", "playok",
                                                      "coordinates"};
game::Parsed<Notation> parse_notation(std::string_view name);

// `promoted`: the queens that were pawns, which PlayOK's letters tell from the others. REQUIRES: the move is
// legal.
std::string written_move(const game::Game& game, const game::Position& position, game::Move move,
                         Notation notation = Notation::kLetters, game::Bitboard promoted = 0);

// The queens that were pawns after a move. REQUIRES: the move is legal.
game::Bitboard promoted_after(const game::Game& game, const game::Position& position, game::Move move,
                              game::Bitboard promoted);

// How a text of a move is to be read.
struct MoveReading {
  const Dialect* latin = nullptr;  // What its Latin letters mean; null: the standard's, else PlayOK's.
  game::Bitboard promoted = 0;     // As of written_move().
};

// The legal moves that a text may mean: several where it leaves out which piece of a kind moves.
std::vector<game::Move> moves_named(const game::Game& game, const game::Position& position,
                                    std::string_view text, const MoveReading& reading = {});

// The legal move that a text names in that dialect, in figurines, in Thai letters, or as game::parse_move()
// reads it. Marks of capture, check, promotion and comment may be missing, and small letters may stand for
// pieces. A failure says why.
game::Parsed<game::Move> parse_written_move(const game::Game& game, const game::Position& position,
                                            std::string_view text, const MoveReading& reading = {});

}  // namespace makzero::play
