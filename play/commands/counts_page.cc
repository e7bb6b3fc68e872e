#include "play/commands/counts_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/endings/solver.h"

namespace makzero::play {
namespace {

using game::Color;
using mcts::EndingSummary;
using mcts::EndingTable;
using mcts::EndingValue;

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// "64.74 %", "< 0.01 %".
std::string share_text(std::uint64_t part, std::uint64_t whole) {
  const double share = percent(part, whole);
  return part > 0 && share < 0.005 ? "< 0.01 %" : fmt::format("{:.2f} %", share);
}

// Moves of a side in so many plies, of which it makes the first one.
int moves_in(int plies) { return (plies + 1) / 2; }

// The count as it begins against a bare king; none where the ending is a draw from the start.
struct Count {
  int limit = 0, begins = 0;  // Moves.

  int moves_left() const { return std::max(0, limit - begins); }
};

// As the game itself begins it, by a move without a capture.
Count count_of(const game::Game& game, const EndingTable& table) {
  for (std::size_t number = 0; number < table.codes.size(); ++number) {
    if (table.codes[number] == EndingTable::kNoPosition) continue;
    const game::Position position = *table.ending.position(number);
    if (position.to_move != Color::kWhite) break;
    game::MoveList moves;
    game.legal_moves(position, &moves);
    for (const game::Move move : moves) {
      game::Position after = position;
      game.apply(move, &after);
      if (after.count_limit > 0) return {after.count_limit / 2, after.count / 2};
    }
  }
  return {};
}

// Squares of a bare king to move that are images of each other: how often it is mated there in time.
struct KingSquare {
  game::Square square;
  double mated;  // Percent.
};

std::vector<KingSquare> king_squares(const EndingTable& table, int plies) {
  std::array<std::uint64_t, game::kSquares> positions = {}, mated = {};
  for (std::size_t number = 0; number < table.codes.size(); ++number) {
    if (table.codes[number] == EndingTable::kNoPosition) continue;
    const game::Position position = *table.ending.position(number);
    if (position.to_move != Color::kBlack) continue;
    const game::Square king = game::first_square(position.side[1]);
    const game::Square square = std::min(king, king ^ 7);
    const EndingValue value = EndingTable::value(table.codes[number]);
    ++positions[square];
    mated[square] += value.result < 0 && value.plies <= plies;
  }
  std::vector<KingSquare> squares;
  for (game::Square square = 0; square < game::kSquares; ++square) {
    if (positions[square] > 0) squares.push_back({square, percent(mated[square], positions[square])});
  }
  std::stable_sort(squares.begin(), squares.end(),
                   [](const KingSquare& a, const KingSquare& b) { return a.mated < b.mated; });
  return squares;
}

std::string square_text(const KingSquare& square) {
  return fmt::format("{} {:.0f}", game::square_text(square.square), square.mated);
}

std::string position_of(const game::Game& game, const EndingTable& table, std::size_t number) {
  const std::string text = game::position_text(game, *table.ending.position(number));
  return text.substr(0, text.find(' '));
}

// "K+R v K".
std::string pieces_text(const std::string& name) {
  std::string text;
  for (const char letter : name)
    text += letter == 'K' ? (text.empty() ? "K" : " v K") : letter == 'v' ? "" : std::string("+") + letter;
  return text;
}

struct BareRow {
  const EndingTable* table;
  Count count;
  EndingSummary chaser, bare;
};

// A table of each class; those that nobody wins are named apart.
std::string bare_table(const game::Game& game, const std::vector<BareRow>& rows) {
  std::string text =
      "| pieces | count | begins at | own moves left | longest mate | mated | mated in time | of the mated "
      "|\n"
      "|---|---|---|---|---|---|---|---|\n";
  std::string longest = "| pieces | moves | position, White to move |\n|---|---|---|\n", drawn;
  for (const BareRow& row : rows) {
    const std::string pieces = pieces_text(row.table->ending.name());
    if (row.bare.lost == 0) {
      drawn += (drawn.empty() ? "" : ", ") + pieces;
      continue;
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.1f} % |\n", pieces, row.count.limit,
                        row.count.begins, row.count.moves_left(), moves_in(row.chaser.longest_win),
                        share_text(row.bare.lost, row.bare.positions),
                        share_text(row.bare.lost_in_time, row.bare.positions),
                        percent(row.bare.lost_in_time, row.bare.lost));
    longest += fmt::format("| {} | {} | `{}` |\n", pieces, moves_in(row.chaser.longest_win),
                           position_of(game, *row.table, row.chaser.longest_win_number));
  }
  if (!drawn.empty()) text += "\nNobody wins " + drawn + ".\n";
  return text + "\nLongest mates:\n\n" + longest;
}

std::string squares_table(const std::vector<BareRow>& rows) {
  constexpr int shown = 3;
  std::string text = "| pieces | safest squares | most dangerous squares |\n|---|---|---|\n";
  for (const BareRow& row : rows) {
    if (row.bare.lost_in_time * 100 < row.bare.positions) continue;
    const auto squares = king_squares(*row.table, 2 * row.count.moves_left());
    std::string safe, dangerous;
    for (int i = 0; i < shown; ++i) {
      safe += (i ? ", " : "") + square_text(squares[i]);
      dangerous += (i ? ", " : "") + square_text(squares[squares.size() - 1 - i]);
    }
    text += fmt::format("| {} | {} | {} |\n", pieces_text(row.table->ending.name()), safe, dangerous);
  }
  return text;
}

std::string piece_against_piece(const std::vector<const EndingTable*>& tables) {
  std::string text =
      "| pieces | White to move: wins | loses | Black to move: White wins | loses | longest, moves |\n"
      "|---|---|---|---|---|---|\n";
  for (const EndingTable* table : tables) {
    const EndingSummary white = mcts::summarize(*table, Color::kWhite);
    const bool alike = table->ending.one_mover();
    const EndingSummary black = alike ? EndingSummary() : mcts::summarize(*table, Color::kBlack);
    const auto of_black = [&](std::uint64_t part) {
      return alike ? std::string("-") : share_text(part, black.positions);
    };
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", pieces_text(table->ending.name()),
                        share_text(white.won, white.positions), share_text(white.lost, white.positions),
                        of_black(black.lost), of_black(black.won), moves_in(white.longest_win));
  }
  return text;
}

}  // namespace

std::string counts_page(const game::Game& game, const mcts::Endings& endings) {
  std::vector<BareRow> rows;
  std::vector<const EndingTable*> others;
  for (const mcts::Material material : mcts::ending_materials(game)) {
    const mcts::EndingClass ending(game, material);
    std::size_t number = 0;
    while (!ending.position(number)) ++number;
    const EndingTable* table = endings.find(*ending.position(number));
    if (mcts::count_of(material, Color::kBlack) > 1) {
      others.push_back(table);
      continue;
    }
    const Count count = count_of(game, *table);
    rows.push_back({table, count, mcts::summarize(*table, Color::kWhite),
                    mcts::summarize(*table, Color::kBlack, 2 * count.moves_left())});
  }
  const std::string& title = game.info().title;
  return fmt::format(
      "# What the counts of {0} are worth\n\n"
      "Exact, from the tables of all endings without pawns and with four pieces at most. Made by `makzero "
      "endings "
      "{1}`, then\n`makzero endings {1} --counts`; every value was checked against those of the moves.\n\n"
      "## Against a bare king\n\n"
      "All positions with the bare king to move, as they stand when the last of its pieces has been "
      "taken.\n\n"
      "- **count**: moves that the bare king counts to; it **begins at** the number of pieces on the board.\n"
      "- **own moves left**: what the chaser has to mate in.\n"
      "- **longest mate**: moves, with the chaser to move and without a count.\n"
      "- **mated**: share of positions that end in mate without a count; **in time**: within the count.\n\n"
      "{2}\n"
      "## Where the bare king stands best\n\n"
      "Squares of the bare king, Black, which is to move, and the percent of its positions there that are "
      "mated in "
      "time. A square\nstands for its mirror image too. Classes that are mated in time in fewer than one "
      "position of "
      "a hundred are left out.\n\n"
      "{3}\n"
      "## Piece against piece\n\n"
      "Positions in which one side forces mate, or a capture that bares the other king and leaves enough "
      "moves of the "
      "count that it\nbegins. Shares are of all positions with that side to move; the last column is the "
      "longest way "
      "to such a mate or capture.\n\n"
      "{4}",
      title, game::ruleset_name(game.info().ruleset), bare_table(game, rows), squares_table(rows),
      piece_against_piece(others));
}

}  // namespace makzero::play
