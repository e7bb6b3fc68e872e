#include "play/san.h"

#include <cctype>

#include "game/notation.h"

namespace makzero::play {
namespace {

using game::Move;
using game::Position;

constexpr char kPawn = 'P';

char letter_of(const game::GameInfo& info, const Position& position, game::Square square) {
  for (size_t kind = 0; kind < info.kinds.size(); ++kind) {
    if (game::contains(position.kind[kind], square)) return info.kinds[kind];
  }
  return '?';
}

// What must stand between piece and destination: nothing, the file, the rank or both, by the other pieces of
// the kind that may go there.
std::string origin_text(const game::Game& game, const Position& position, Move move) {
  const char letter = letter_of(game.info(), position, move.origin());
  const std::string origin = game::square_text(move.origin());
  bool any = false, same_file = false, same_rank = false;
  game::MoveList legal;
  game.legal_moves(position, &legal);
  for (const Move other : legal) {
    if (!other.is_step() || other.origin() == move.origin() || other.destination() != move.destination())
      continue;
    if (letter_of(game.info(), position, other.origin()) != letter) continue;
    any = true;
    same_file = same_file || game::file_of(other.origin()) == game::file_of(move.origin());
    same_rank = same_rank || game::rank_of(other.origin()) == game::rank_of(move.origin());
  }
  if (!any) return "";
  if (!same_file) return origin.substr(0, 1);
  return same_rank ? origin : origin.substr(1, 1);
}

std::string check_mark(const game::Game& game, const Position& after) {
  const size_t king = game.info().kinds.find('K');
  const game::Bitboard kings = after.own() & after.kind[king];
  if (!(game.threats(after, game::other(after.to_move)).targets & kings)) return "";
  return game.count_moves(after) > 0 ? "+" : "#";
}

// Without what readers may leave out.
std::string_view bare(std::string_view text) { return text.substr(0, text.find_last_not_of("+#!?") + 1); }

}  // namespace

std::string san_text(const game::Game& game, const Position& position, Move move) {
  const char letter = letter_of(game.info(), position, move.origin());
  const bool captures = game::contains(position.enemy(), move.destination());
  std::string text;
  if (letter != kPawn) {
    text = letter + origin_text(game, position, move);
  } else if (captures) {
    text = game::square_text(move.origin()).substr(0, 1);
  }
  if (captures) text += 'x';
  text += game::square_text(move.destination());
  for (const char suffix : game.move_suffix(position, move)) {
    text += {'=', static_cast<char>(std::toupper(static_cast<unsigned char>(suffix)))};
  }
  Position after = position;
  game.apply(move, &after);
  return text + check_mark(game, after);
}

game::Parsed<Move> parse_san(const game::Game& game, const Position& position, std::string_view text) {
  game::MoveList legal;
  game.legal_moves(position, &legal);
  for (const Move move : legal) {
    if (bare(san_text(game, position, move)) == bare(text)) return move;
  }
  return game::parse_move(game, position, text);
}

}  // namespace makzero::play
