// Positions: the invariant, the two keys, the history of a game, symmetries and the swap of colours.
#include "game/position.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "tests/support/position_tools.h"

namespace makzero::game {
namespace {

Position position_of(const char* text) { return *parse_position(**make_game("makyek"), text); }

TEST(PositionTest, WellFormedMeansDisjointSidesAndKindsOnTheBoard) {
  const Position good = position_of("8/8/8/3M4/8/5m2/8/8 w");
  EXPECT_TRUE(well_formed(good, kAllSquares));
  Position bad = good;
  bad.side[1] |= bad.side[0];
  EXPECT_FALSE(well_formed(bad, kAllSquares)) << "a square has two owners";
  bad = good;
  bad.kind[1] = bad.kind[0];
  EXPECT_FALSE(well_formed(bad, kAllSquares)) << "a piece is of two kinds";
  bad = good;
  bad.kind[0] = 0;
  EXPECT_FALSE(well_formed(bad, kAllSquares)) << "a piece is of no kind";
  bad = good;
  bad.kind[0] |= bit(0);
  EXPECT_FALSE(well_formed(bad, kAllSquares)) << "a kind stands on an empty square";
  bad = good;
  bad.obliged[1] = bad.side[0];
  EXPECT_FALSE(well_formed(bad, kAllSquares)) << "an obligation leads to an occupied square";
  bad = position_of("7M/8/8/8/8/8/8/m7 w");
  EXPECT_FALSE(well_formed(bad, board_mask(7, 7))) << "a piece stands off the board";
}

// Every field but those that repetition ignores changes the repetition key; those change the evaluation key
// instead.
TEST(PositionTest, KeysTellApartWhatTheyShould) {
  const Position base = position_of("8/8/8/3M4/8/5m2/8/8 w");
  const std::function<void(Position*)> placement[] = {
      [](Position* p) { p->side[0] ^= bit(1), p->kind[0] ^= bit(1); },
      [](Position* p) { std::swap(p->side[0], p->side[1]); },
      [](Position* p) { std::swap(p->kind[0], p->kind[1]); },
      [](Position* p) { std::swap(p->kind[0], p->kind[5]); },
      [](Position* p) { p->obliged[0] = bit(1); },
      [](Position* p) { p->obliged[1] = bit(1); },
      [](Position* p) { p->hand[0] = 1; },
      [](Position* p) { p->hand[1] = 1; },
      [](Position* p) { p->to_move = Color::kBlack; },
      [](Position* p) { p->rights = 1; },
  };
  std::set<std::uint64_t> repetition_keys = {repetition_key(base)}, evaluation_keys = {evaluation_key(base)};
  for (const auto& change : placement) {
    Position changed = base;
    change(&changed);
    EXPECT_TRUE(repetition_keys.insert(repetition_key(changed)).second);
    EXPECT_TRUE(evaluation_keys.insert(evaluation_key(changed)).second);
  }
  const std::function<void(Position*)> counters[] = {
      [](Position* p) { p->counter = Counter::kWhite; },
      [](Position* p) { p->count_limit = 44; },
      [](Position* p) { p->count = 7; },
      [](Position* p) { p->no_progress_plies = 3; },
  };
  for (const auto& change : counters) {
    Position changed = base;
    change(&changed);
    EXPECT_EQ(repetition_key(changed), repetition_key(base));
    EXPECT_TRUE(evaluation_keys.insert(evaluation_key(changed)).second);
  }
  Position later = base;
  later.ply = 9;
  EXPECT_EQ(evaluation_key(later), evaluation_key(base));
}

TEST(HistoryTest, CountsThePositionsSinceTheLastIrreversibleMove) {
  Position a = position_of("8/8/8/3M4/8/5m2/8/8 w"), b = position_of("8/8/8/3M4/8/5m2/8/8 b");
  History history(a);
  EXPECT_EQ(history.occurrences(), 1);
  b.no_progress_plies = 1;
  history.push(b);
  a.no_progress_plies = 2;
  history.push(a);
  EXPECT_EQ(history.occurrences(), 2);
  a.no_progress_plies = 0;
  history.push(a);
  EXPECT_EQ(history.occurrences(), 1) << "what stood before an irreversible move does not count";
  history.pop();
  EXPECT_EQ(history.occurrences(), 2);
  EXPECT_EQ(history.size(), 3);
  history.truncate(1);
  EXPECT_EQ(history.size(), 1);
  EXPECT_EQ(history.occurrences(), 1);
}

TEST(HistoryTest, AStartInTheMiddleOfAGameLooksNoFurtherThanItKnows) {
  Position position = position_of("8/8/8/3M4/8/5m2/8/8 w");
  position.no_progress_plies = 50;
  EXPECT_EQ(History(position).occurrences(), 1);
}

TEST(SymmetryTest, TheEightAreDifferentAndMapSquaresOneToOne) {
  const Square b1 = 1, a2 = 8, g1 = 6, b8 = 57;
  std::set<std::pair<Square, Square>> images;
  for (int id = 0; id < kSymmetries; ++id) {
    const Symmetry symmetry(id, 8, 8);
    images.insert({symmetry(0), symmetry(b1)});
    EXPECT_EQ(symmetry(kAllSquares), kAllSquares);
  }
  EXPECT_EQ(static_cast<int>(images.size()), kSymmetries);
  EXPECT_EQ(Symmetry(0, 8, 8)(b1), b1);
  EXPECT_EQ(Symmetry(1, 8, 8)(b1), g1) << "bit 0 mirrors left and right";
  EXPECT_EQ(Symmetry(2, 8, 8)(b1), b8) << "bit 1 mirrors top and bottom";
  EXPECT_EQ(Symmetry(4, 8, 8)(b1), a2) << "bit 2 transposes";
}

TEST(SymmetryTest, SmallBoardsMapOntoThemselves) {
  const Bitboard board = board_mask(7, 7);
  for (int id = 0; id < kSymmetries; ++id) {
    const Symmetry symmetry(id, 7, 7);
    EXPECT_EQ(symmetry(board), board);
    EXPECT_EQ(symmetry(*parse_square("h8")), *parse_square("h8")) << "squares off the board stay";
  }
}

TEST(SymmetryTest, MovesMapWithTheirSquares) {
  const Symmetry mirror(1, 8, 8);
  EXPECT_EQ(mirror(Move::step(0, 8, 2)), Move::step(7, 15, 2));
  EXPECT_EQ(mirror(Move::drop(0)), Move::drop(7));
  EXPECT_EQ(mirror(Move::pass()), Move::pass());
}

TEST(SymmetryTest, SwappingColorsTwiceChangesNothing) {
  const GamePtr game = *make_game("makyek");
  Position position = position_of("m7/8/8/3MM3/8/5m2/8/8 w");
  position.hand[0] = 3;
  position.rights = 0x21;
  position.counter = Counter::kBlack;
  const Position swapped = swap_colors(game->info(), position);
  EXPECT_EQ(position_text(*game, swapped), "8/8/2M5/8/3mm3/8/8/7M b");
  EXPECT_EQ(swapped.hand[1], 3);
  EXPECT_EQ(swapped.rights, 0x12);
  EXPECT_EQ(swapped.counter, Counter::kWhite);
  EXPECT_EQ(swap_colors(game->info(), swapped), position);
}

}  // namespace
}  // namespace makzero::game
