// A game of the program held against a plain program of its rules: the same moves, the same positions after
// them, the same winners.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "tests/support/evidence.h"
#include "tests/support/makyek_family_rows.h"

namespace makzero::game {

// A plain program is a value with
//   Plain(rules, text)                       the position of a text,
//   std::string text() const                 its text,
//   std::map<std::string, Plain> moves()     the legal moves by their texts, and the positions after them,
//   Result result(bool can_move) const       who has won on the board, else kOngoing.
template <class Plain>
std::uint64_t plain_perft(const Plain& position, int depth) {
  if (depth == 0) return 1;
  std::uint64_t leaves = 0;
  for (const auto& [text, after] : position.moves()) leaves += plain_perft(after, depth - 1);
  return leaves;
}

// Who has won by the game's own account, draws and limits left out.
inline Result result_on_the_board(const Game& game, const Position& position, bool can_move) {
  const Outcome outcome = game.outcome(position, can_move, 1);
  return outcome.result == Result::kDraw || outcome.reason == Reason::kPlyLimit ? Result::kOngoing
                                                                                : outcome.result;
}

// Plays a random game, at most `plies` long; returns the number of positions compared.
template <class Plain>
int compare_random_game(const Game& game, Plain plain, int plies, std::mt19937_64* random) {
  Position position = *parse_position(game, plain.text());
  for (int ply = 0;; ++ply) {
    MoveList legal;
    game.legal_moves(position, &legal);
    std::map<std::string, std::string> found, expected;
    for (const Move move : legal) {
      Position after = position;
      game.apply(move, &after);
      found[move_text(game, position, move)] = position_text(game, after);
    }
    const std::map<std::string, Plain> moves = plain.moves();
    for (const auto& [text, after] : moves) expected[text] = after.text();
    EXPECT_EQ(found, expected) << plain.text();
    EXPECT_EQ(result_on_the_board(game, position, !legal.empty()), plain.result(!moves.empty()))
        << plain.text();
    if (moves.empty() || ply == plies || testing::Test::HasFailure()) return ply + 1;
    const auto chosen = std::next(moves.begin(), static_cast<int>((*random)() % moves.size()));
    game.apply(*parse_move(game, position, chosen->first), &position);
    plain = Plain(chosen->second);
  }
}

// The positions from which the data counts leaves under these short names.
inline std::set<std::string> positions_of(const std::set<std::string>& names) {
  std::set<std::string> positions;
  for (const Row& row : all_rows()) {
    if (row.kind == "perft" && names.contains(row.name)) positions.insert(row.position);
  }
  return positions;
}

}  // namespace makzero::game
