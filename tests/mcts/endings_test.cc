// Exact endings: known figures, every value against its children, and plain search.
#include "mcts/endings/endings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/endings/solver.h"
#include "mcts/rng.h"
#include "tests/support/position_tools.h"

namespace makzero::mcts {
namespace {

using game::Color;
using game::Position;

// The endings of a ruleset with up to so many pieces.
struct Solved {
  Solved(const std::string& ruleset, int pieces) : game(*game::make_game(ruleset)), endings(*game) {
    for (const Material material : ending_materials(*game)) {
      if (count_of(material, Color::kWhite) + count_of(material, Color::kBlack) > pieces) break;
      EndingTable table = solve_ending(*game, endings, material);
      faults += count_faults(*game, endings, table);
      names.push_back(table.ending.name());
      endings.add(std::move(table));
    }
  }

  Position position(const std::string& text) const { return *game::parse_position(*game, text); }
  const EndingTable& table(const std::string& text) const { return *endings.find(position(text)); }

  game::GamePtr game;
  Endings endings;
  std::vector<std::string> names;
  std::size_t faults = 0;
};

const Solved& makruk() {
  static const Solved kSolved("makruk", 3);
  return kSolved;
}

const Solved& makyek() {
  static const Solved kSolved("makyek", 4);
  return kSolved;
}

const Solved& small_makyek() {
  static const Solved kSolved("makyek:setup=5x5", 5);
  return kSolved;
}

// By plain search: the side to move can be made to lose, or wins, within so many plies.
bool loses_within(const game::Game& game, const Position& position, int plies);

bool wins_within(const game::Game& game, const Position& position, int plies) {
  game::MoveList moves;
  game.legal_moves(position, &moves);
  if (plies == 0 || game.outcome(position, !moves.empty(), 1).over()) return false;
  for (const game::Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    if (loses_within(game, child, plies - 1)) return true;
  }
  return false;
}

bool loses_within(const game::Game& game, const Position& position, int plies) {
  game::MoveList moves;
  game.legal_moves(position, &moves);
  const game::Outcome outcome = game.outcome(position, !moves.empty(), 1);
  if (outcome.over()) return outcome.result == win_of(other(position.to_move));
  if (plies == 0) return false;
  for (const game::Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    if (!wins_within(game, child, plies - 1)) return false;
  }
  return true;
}

// Sampled positions of the table whose value differs from that of a plain search of so many plies.
int wrong_values(const game::Game& game, const EndingTable& table, int samples, int plies) {
  Rng rng(1);
  int wrong = 0;
  while (samples > 0) {
    const std::size_t number = rng.below(table.codes.size());
    const std::optional<Position> position = ending_position(game, table.ending, number);
    if (!position) continue;
    --samples;
    const EndingValue value = EndingTable::value(table.codes[number]);
    const bool within = value.plies <= plies;
    wrong += wins_within(game, *position, plies) != (value.result > 0 && within);
    wrong += loses_within(game, *position, plies) != (value.result < 0 && within);
    if (value.result != 0 && within && value.plies > 0) {
      wrong += value.result > 0 ? wins_within(game, *position, value.plies - 1)
                                : loses_within(game, *position, value.plies - 1);
    }
  }
  return wrong;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

TEST(EndingClassTest, NumbersLeadBackToTheirPositions) {
  for (const char* ruleset : {"makruk", "makyek", "gala", "hunt", "rek"}) {
    const game::GamePtr game = *game::make_game(ruleset);
    for (const Material material : ending_materials(*game)) {
      const EndingClass ending(*game, material);
      Rng rng(7);
      for (int sample = 0; sample < 200; ++sample) {
        const std::size_t number = rng.below(ending.size());
        const std::optional<Position> position = ending.position(number);
        if (!position) continue;
        EXPECT_TRUE(game::well_formed(*position, game->info().board()));
        const std::size_t first = ending.number(*position);
        EXPECT_LE(first, number) << ending.name();
        EXPECT_EQ(ending.number(*ending.position(first)), first) << ending.name();
      }
    }
  }
}

TEST(EndingClassTest, ImagesOfAPositionShareItsNumber) {
  const EndingTable& rook = makruk().table("8/8/8/8/8/2k5/1R6/K7 w");
  const std::size_t number = rook.ending.number(makruk().position("8/8/8/8/8/2k5/1R6/K7 w"));
  EXPECT_EQ(rook.ending.number(makruk().position("8/8/8/8/8/5k2/6R1/7K w")), number) << "mirrored";
  EXPECT_EQ(rook.ending.number(makruk().position("7k/6r1/5K2/8/8/8/8/8 b")), number) << "colours swapped";
  EXPECT_NE(rook.ending.number(makruk().position("k7/1R6/2K5/8/8/8/8/8 w")), number) << "kings exchanged";
}

// White has more pieces, or better ones.
TEST(EndingsTest, ClassesArePawnless) {
  const std::vector<Material> materials = ending_materials(*makruk().game);
  EXPECT_EQ(makruk().names, (std::vector<std::string>{"KRvK", "KNvK", "KSvK", "KMvK"}));
  EXPECT_EQ(materials.size(), 4u + 10 + 10) << "K+1 v K, K+2 v K, K+1 v K+1";
}

TEST(EndingsTest, AGameOnABoardOf5x5IsSolvedWhole) {
  EXPECT_EQ(ending_materials(*small_makyek().game).size(), 14u) << "but one man against one";
  EXPECT_EQ(small_makyek().names.back(), "MMMMvM");
}

TEST(EndingsTest, EveryValueFollowsFromThoseOfItsChildren) {
  EXPECT_EQ(makruk().faults, 0u);
  EXPECT_EQ(makyek().faults, 0u);
  EXPECT_EQ(small_makyek().faults, 0u);
  EXPECT_EQ(Solved("ok", 3).faults, 0u);
  EXPECT_EQ(Solved("kaok", 3).faults, 0u);
  EXPECT_EQ(Solved("low1839", 3).faults, 0u);
  EXPECT_EQ(Solved("apit", 3).faults, 0u);
  EXPECT_EQ(Solved("gala", 4).faults, 0u);
  EXPECT_EQ(Solved("rek", 3).faults, 0u);
  EXPECT_EQ(Solved("minrekchanh", 3).faults, 0u);
}

TEST(EndingsTest, AChangedValueIsAFault) {
  EndingTable changed = makruk().table("8/8/8/8/8/2k5/1R6/K7 w");
  std::uint8_t& code = changed.codes[changed.ending.number(makruk().position("8/8/8/8/8/2k5/1R6/K7 w"))];
  ASSERT_EQ(EndingTable::value(code), (EndingValue{1, 31}));
  code += 2;
  EXPECT_GT(count_faults(*makruk().game, makruk().endings, changed), 0u);
}

TEST(EndingsTest, SampledValuesAreThoseOfPlainSearch) {
  const Solved& chess = makruk();
  for (const char* text : {"8/8/8/8/8/2k5/1R6/K7 w", "k7/8/3S4/K7/8/8/8/8 w"})
    EXPECT_EQ(wrong_values(*chess.game, chess.table(text), 300, 3), 0) << text;
  for (const char* text : {"8/8/8/8/8/8/M6M/4m3 w", "8/8/8/8/8/8/M6M/M3m3 w", "8/8/8/8/8/8/M6M/m3m3 w"})
    EXPECT_EQ(wrong_values(*makyek().game, makyek().table(text), 100, 3), 0) << text;
  for (const char* text : {"4m/5/5/M4/M4 w", "m3m/5/5/5/MM2M w"})
    EXPECT_EQ(wrong_values(*small_makyek().game, small_makyek().table(text), 1000, 3), 0) << text;
}

// chess-family figures of two independent retrograde solvers: K+R v K is mated in at most 16 moves.
TEST(EndingsTest, RookMatesABareKingInNineOfTenPositions) {
  const EndingTable& rook = makruk().table("8/8/8/8/8/2k5/1R6/K7 w");
  const EndingSummary white = summarize(rook, Color::kWhite);
  EXPECT_EQ(white.won, white.positions);
  EXPECT_EQ(white.longest_win, 31);
  const EndingSummary black =
      summarize(rook, Color::kBlack, 26);  // Thirteen own moves are left by the count.
  EXPECT_NEAR(percent(black.lost, black.positions), 90.07, 0.005);
  EXPECT_NEAR(percent(black.lost_in_time, black.positions), 64.74, 0.005);
}

TEST(EndingsTest, ALoneManOfMakyekIsRarelyCaught) {
  const EndingSummary two = summarize(makyek().table("8/8/8/8/8/8/M6M/4m3 w"), Color::kWhite);
  EXPECT_EQ(two.positions, 124'992u);
  EXPECT_NEAR(percent(two.positions - two.won - two.lost, two.positions), 97.94, 0.005);
  const EndingSummary three = summarize(makyek().table("8/8/8/8/8/8/M6M/M3m3 w"), Color::kWhite);
  EXPECT_EQ(three.positions, 2'541'504u);
  EXPECT_NEAR(percent(three.positions - three.won - three.lost, three.positions), 93.32, 0.005);
  EXPECT_EQ(three.longest_win, 17);
}

// The counts of test positions 41 and 41b of Makruk's rules: mate in 13 moves is in time, mate in 14 is not.
TEST(EndingsTest, ARunningCountDecides) {
  EXPECT_EQ(makruk().endings.probe(makruk().position("8/K7/5k2/8/8/7R/8/8 w - 32 7 40")),
            (EndingValue{1, 25}));
  EXPECT_EQ(makruk().endings.probe(makruk().position("8/3R4/2k5/8/8/8/8/5K2 w - 32 7 40")), EndingValue());
  EXPECT_EQ(makruk().endings.probe(makruk().position("8/3R4/2k5/8/8/8/8/5K2 w - 32 5 40")),
            (EndingValue{1, 27}));
}

// The result for the side to move, by all lines until its count runs out or an ending is known.
int result_by_moves(const game::Game& game, const Endings& known, const Position& position) {
  game::MoveList moves;
  game.legal_moves(position, &moves);
  const game::Outcome outcome = game.outcome(position, !moves.empty(), 1);
  if (outcome.result == game::Result::kDraw) return 0;
  if (outcome.over()) return outcome.result == win_of(position.to_move) ? 1 : -1;
  if (const auto value = known.probe(position)) return value->result;
  int best = -1;
  for (const game::Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    best = std::max(best, -result_by_moves(game, known, child));
  }
  return best;
}

// Board's honour is at its end, and the capture of the rook begins a count that leaves moves enough.
TEST(EndingsTest, ACaptureThatBeginsACountNeedsNoneOfTheOneBefore) {
  const game::Game& game = *makruk().game;
  const Position takes = makruk().position("8/8/1K6/4r3/4R3/8/8/k7 w - 128 128 1");
  const EndingTable table = solve_ending(game, makruk().endings, material_of(takes));
  Endings endings(game);
  endings.add(table);
  EXPECT_EQ(endings.probe(takes), (EndingValue{1, 1}));
  Rng rng(1);
  int decided = 0;
  for (int samples = 0; samples < 200;) {
    const std::size_t number = rng.below(table.codes.size());
    std::optional<Position> position = ending_position(game, table.ending, number);
    const int plies = EndingTable::value(table.codes[number]).plies;
    if (!position || plies < 2 || plies > 4) continue;
    ++samples;
    position->count_limit = 128;
    position->count = static_cast<std::uint16_t>(126 + rng.below(3));
    const int result = result_by_moves(game, makruk().endings, *position);
    EXPECT_EQ(endings.probe(*position)->result, result) << position_text(game, *position);
    decided += result != 0;
  }
  EXPECT_GT(decided, 50);
  EXPECT_LT(decided, 190);
}

// No count runs yet, but the next move of the rook's side begins one: 32 plies, of which 6 are counted then.
TEST(EndingsTest, ACountThatTheNextMoveBeginsDecides) {
  EXPECT_EQ(makruk().endings.probe(makruk().position("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")), EndingValue());
  EXPECT_EQ(makruk().endings.probe_unlimited(makruk().position("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")),
            (EndingValue{1, 31}));
}

TEST(EndingsTest, QuietPliesThatALimitEndsLeaveAWinOpen) {
  Position position = makyek().position("8/8/8/8/1M1M4/8/8/1m2M3 w");
  ASSERT_EQ(makyek().endings.probe(position), (EndingValue{1, 17}));
  position.no_progress_plies = 83;
  EXPECT_EQ(makyek().endings.probe(position), (EndingValue{1, 17}));
  position.no_progress_plies = 84;
  EXPECT_EQ(makyek().endings.probe(position), std::nullopt);
}

TEST(EndingsTest, OtherPiecesAreNotKnown) {
  EXPECT_EQ(makruk().endings.probe(makruk().position("4k3/8/8/8/8/4P3/4R3/4K3 w")), std::nullopt);
  EXPECT_EQ(makruk().endings.probe(makruk().game->initial()), std::nullopt);
}

TEST(EndingsTest, RulesetsThatLimitsDecideAreRefused) {
  EXPECT_EQ(ending_refusal((*game::make_game("makyek"))->info()), "");
  EXPECT_NE(ending_refusal((*game::make_game("makyek:limit_result=material"))->info()), "");
  EXPECT_NE(ending_refusal((*game::make_game("minrekchanh:obligation=transition"))->info()), "");
}

}  // namespace
}  // namespace makzero::mcts
