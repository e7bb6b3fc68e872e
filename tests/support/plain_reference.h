// A game of the program held against a plain program of its rules: the same moves, the same positions after
// them, the same winners.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
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

// The ranks of a position text from the first one up, a letter or '.' a square.
inline std::vector<std::string> plain_board(const std::string& text) {
  std::vector<std::string> ranks(1);
  for (const char letter : text.substr(0, text.find(' '))) {
    if (letter == '/') {
      ranks.emplace_back();
    } else if (std::isdigit(static_cast<unsigned char>(letter))) {
      ranks.back() += std::string(letter - '0', '.');
    } else {
      ranks.back() += letter;
    }
  }
  std::reverse(ranks.begin(), ranks.end());
  return ranks;
}

inline std::string plain_board_text(const std::vector<std::string>& ranks) {
  std::string text = ranks.back();
  for (size_t rank = ranks.size() - 1; rank-- > 0;) text += "/" + ranks[rank];
  for (size_t run = ranks.size(); run > 0; --run) {
    const std::string dots(run, '.');
    for (size_t at; (at = text.find(dots)) != std::string::npos;) text.replace(at, run, std::to_string(run));
  }
  return text;
}

// A ruleset and what its plain program is to do.
template <class Rules>
struct Ruled {
  std::string spec;
  Rules rules;
};

template <class Rules>
void PrintTo(const Ruled<Rules>& ruled, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << ruled.spec;
}

template <class Rules>
std::string name_of(const testing::TestParamInfo<Ruled<Rules>>& test) {
  std::string name = test.param.spec;
  for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
}

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
