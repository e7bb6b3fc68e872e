#include "play/terminal/board_view.h"

#include <cmath>
#include <optional>
#include <sstream>

#include "game/notation.h"
#include "game/square.h"
#include "play/views.h"

namespace makzero::play {
namespace {

using game::Bitboard;
using game::Color;
using game::contains;
using game::Position;
using game::Square;

// 256-colour palette entries.
constexpr int kLight = 180, kDark = 137, kMoved = 143, kTaken = 131;
constexpr int kWhiteInk = 231, kBlackInk = 16;

constexpr int kBarWidth = 30;

struct Marks {
  Bitboard moved = 0, taken = 0;
};

Marks last_marks(const PlayedGame& game) {
  Marks marks;
  for (int i = static_cast<int>(game.actions().size()) - 1; i >= 0; --i) {
    const Action& action = game.actions()[i];
    if (action.declaration) continue;
    if (action.move.is_step()) marks.moved |= game::bit(action.move.origin());
    if (!action.move.is_pass()) marks.moved |= game::bit(action.move.destination());
    marks.taken = captured_by(game, i).squares;
    break;
  }
  return marks;
}

std::string plain_cell(const PlayedGame& game, const Marks& marks, Square square) {
  const char letter = game::letter_on(game.rules().info(), game.position(), square);
  if (!contains(game.position().occupied(), square))
    return {' ', contains(marks.taken, square) ? 'x' : letter, ' '};
  return contains(marks.moved, square) ? std::string{'[', letter, ']'} : std::string{' ', letter, ' '};
}

std::string colored_cell(const PlayedGame& game, const Marks& marks, Square square) {
  const char letter = game::letter_on(game.rules().info(), game.position(), square);
  int ground = (game::file_of(square) + game::rank_of(square)) % 2 ? kLight : kDark;
  if (contains(marks.moved, square)) ground = kMoved;
  if (contains(marks.taken, square)) ground = kTaken;
  const int ink = contains(game.position().side[0], square) ? kWhiteInk : kBlackInk;
  return "\x1b[1;38;5;" + std::to_string(ink) + ";48;5;" + std::to_string(ground) + "m " +
         (letter == '.' ? ' ' : letter) + " \x1b[0m";
}

std::string taken_by(const PlayedGame& game, Color side) {
  std::string letters;
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    if (game.position_before(i).to_move == side) letters += captured_by(game, i).letters;
  }
  return letters;
}

}  // namespace

std::string written_action(const PlayedGame& game, int action, Notation notation) {
  const Action& played = game.actions()[action];
  if (played.declaration) return declaration_word(*played.declaration);
  return written_move(game.rules(), game.position_before(action), played.move, notation);
}

Captured captured_by(const PlayedGame& game, int action) {
  Captured captured;
  if (game.actions()[action].declaration) return captured;
  const Position& before = game.position_before(action);
  const Position& after = game.position_before(action + 1);
  captured.squares = before.enemy() & ~after.side[game::index(game::other(before.to_move))];
  for (Bitboard rest = captured.squares; rest;) {
    captured.letters += game::letter_on(game.rules().info(), before, game::pop_first(&rest));
  }
  return captured;
}

std::string draw_board(const PlayedGame& game, const BoardStyle& style) {
  const game::GameInfo& info = game.rules().info();
  const Marks marks = last_marks(game);
  std::ostringstream text;
  for (int row = 0; row < info.ranks; ++row) {
    const int rank = style.flipped ? row : info.ranks - 1 - row;
    text << " " << rank + 1 << " ";
    for (int column = 0; column < info.files; ++column) {
      const int file = style.flipped ? info.files - 1 - column : column;
      const Square square = game::square_at(file, rank);
      text << (style.color ? colored_cell(game, marks, square) : plain_cell(game, marks, square));
    }
    text << "\n";
  }
  text << "   ";
  for (int column = 0; column < info.files; ++column) {
    text << " " << static_cast<char>('a' + (style.flipped ? info.files - 1 - column : column)) << " ";
  }
  text << "\n";
  return text.str();
}

std::string describe_state(const PlayedGame& game, const Language& language) {
  const game::GameInfo& info = game.rules().info();
  const Position& position = game.position();
  std::ostringstream text;
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const std::string taken = taken_by(game, side);
    const int pieces = game::size(position.side[game::index(side)]);
    text << language.text(message("{side}: {count} pieces", {{"side", side_name(side)}, {"count", pieces}}));
    if (info.has_hands) {
      const int held = position.hand[game::index(side)];
      text << ", " << language.text(message("{count} in hand", {{"count", held}}));
    }
    if (!taken.empty()) text << ", " << language.text(message("has taken {pieces}", {{"pieces", taken}}));
    text << "\n";
  }
  if (const std::optional<CountView> count = count_view(info, position))
    text << language.text(count->text) << "\n";
  return text.str();
}

std::string draw_expectation(const mcts::WhiteValue& value, const BoardStyle& style) {
  const int white = static_cast<int>(std::lround(value.white * kBarWidth));
  const int black = std::min(kBarWidth - white, static_cast<int>(std::lround(value.black * kBarWidth)));
  std::string bar;
  const auto part = [&](int width, char letter, int ground) {
    if (style.color) bar += "\x1b[48;5;" + std::to_string(ground) + "m";
    bar += std::string(width, style.color ? ' ' : letter);
  };
  part(white, 'W', kWhiteInk);
  part(kBarWidth - white - black, '-', kMoved);
  part(black, 'b', kBlackInk);
  if (style.color) bar += "\x1b[0m";
  return style.language.text(message("White {white} % [{bar}] {black} % Black, draw {draw} %",
                                     {{"white", std::lround(100 * value.white)},
                                      {"bar", bar},
                                      {"black", std::lround(100 * value.black)},
                                      {"draw", std::lround(100 * value.draw)}}));
}

}  // namespace makzero::play
