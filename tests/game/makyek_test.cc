// Mak-yek: the numbered facts of its rules (L01 ...), the ends of the game and what the rules imply. The
// captures by number (C01 ...) are rows of the family's data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "game/perft.h"
#include "game/rules/end_rules.h"
#include "game/symmetry.h"
#include "tests/support/playthrough.h"
#include "tests/support/position_tools.h"

namespace makzero::game {
namespace {

using testing::IsEmpty;

constexpr Outcome kOngoing = {};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }
constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

constexpr const char* kBlocked = "8/8/8/8/8/7M/M7/mM6 b";

// A sparse random arrangement with both sides on the board, so that lines and corners are open.
Position random_position(std::mt19937_64* rng) {
  auto& next = *rng;
  Position position;
  do {
    position.side[0] = next() & next() & next();
    position.side[1] = next() & next() & next() & ~position.side[0];
  } while (!position.side[0] || !position.side[1] || size(position.side[0]) > 16 ||
           size(position.side[1]) > 16);
  position.kind[0] = position.occupied();
  position.to_move = next() % 2 ? Color::kWhite : Color::kBlack;
  return position;
}

Bitboard taken_by(const Game& game, const Position& position, Move move) {
  Position after = position;
  game.apply(move, &after);
  return position.enemy() & ~after.occupied();
}

TEST(MakyekTest, StartHasThirtyTwoMoves) {
  const Playthrough start("makyek");
  EXPECT_EQ(start.text(), "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w");
  EXPECT_EQ(start.legal().size(), 32);
  EXPECT_EQ(start.moves("a1"), "a1a2");
  EXPECT_EQ(start.moves("a3"), "a3a2 a3a4 a3a5");
}

TEST(MakyekTest, ABlockedSideLoses) {
  const Playthrough game("makyek", kBlocked);
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoLegalMove));
}

TEST(MakyekTest, OneManAgainstOneIsDead) {
  const Playthrough game("makyek", "8/8/8/3M4/8/5m2/8/8 w");
  EXPECT_EQ(game.outcome(), draw_by(Reason::kInsufficientMaterial));
  EXPECT_EQ(Playthrough("makyek", "8/8/8/3M4/8/5m1m/8/8 w").outcome(), kOngoing);
}

TEST(MakyekTest, ThirdOccurrenceOfTheStartIsADraw) {
  Playthrough game("makyek");
  game.play("a3a4 a6a5 a4a3 a5a6 a3a4 a6a5 a4a3");
  EXPECT_EQ(game.outcome(), kOngoing);
  game.play("a5a6");
  EXPECT_EQ(game.outcome(), draw_by(Reason::kRepetition));
}

// 99 no-progress plies, after which White, to move, may play c1c2 and take the last man or shuffle on.
Playthrough before_the_hundredth_quiet_ply() {
  Playthrough game("makyek:repetition=0", "7M/8/8/8/8/8/Mm6/2M5 b");
  for (int i = 0; i < 24; ++i) game.play("b2b3 h8h7 b3b2 h7h8");
  return game.play("b2b3 h8h7 b3b2");
}

TEST(MakyekTest, AHundredPliesWithoutACaptureAreADraw) {
  Playthrough game = before_the_hundredth_quiet_ply();
  EXPECT_EQ(game.outcome(), kOngoing);
  EXPECT_EQ(game.position().no_progress_plies, 99);
  game.play("h7h8");
  EXPECT_EQ(game.outcome(), draw_by(Reason::kNoProgress));
}

TEST(MakyekTest, AWinOnTheHundredthPlyIsAWin) {
  Playthrough game = before_the_hundredth_quiet_ply();
  game.play("c1c2");
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoPieces));
}

TEST(MakyekTest, ACaptureResetsTheNoProgressPlies) {
  Playthrough game("makyek", "7m/8/8/8/8/8/Mm5M/2M5 w");
  game.play("h2h3 h8g8");
  EXPECT_EQ(game.position().no_progress_plies, 2);
  game.play("c1c2");
  EXPECT_EQ(game.position().no_progress_plies, 0);
  EXPECT_EQ(game.text(), "6m1/8/8/8/8/7M/M1M5/8 b");
}

TEST(MakyekTest, PerftIsTheSameForAllImages) {
  const GamePtr game = *make_game("makyek");
  std::mt19937_64 rng(32);
  for (int i = 0; i < 20; ++i) {
    const Position position = random_position(&rng);
    const std::uint64_t leaves = perft(*game, position, 3);
    for (int id = 0; id < kSymmetries; ++id) {
      ASSERT_EQ(perft(*game, Symmetry(id, 8, 8)(position), 3), leaves) << "symmetry " << id;
    }
    ASSERT_EQ(perft(*game, swap_colors(game->info(), position), 3), leaves);
  }
}

TEST(MakyekTest, ThreatsOfBothSidesAreWhatTheirMovesTake) {
  for (const char* spec : {"makyek", "makyek-line", "makyek-low", "makyek-corner", "makyek-jump",
                           "makyek-low:jump=on,corner_capture=on,same_axis=custodian_only",
                           "makyek-low:jump=on,same_axis=intervention_only", "makyek:custodian_total=one"}) {
    const GamePtr game = *make_game(spec);
    std::mt19937_64 rng(33);
    for (int i = 0; i < 500; ++i) {
      Position position = random_position(&rng);
      for (const Color side : {Color::kWhite, Color::kBlack}) {
        position.to_move = side;
        MoveList moves;
        game->legal_moves(position, &moves);
        Threats expected;
        for (const Move move : moves) {
          const Bitboard taken = taken_by(*game, position, move);
          expected.targets |= taken;
          if (taken) expected.destinations |= bit(move.destination());
        }
        position.to_move = i % 2 ? side : other(side);  // Whose turn it is does not matter.
        const Threats threats = game->threats(position, side);
        ASSERT_EQ(threats.targets, expected.targets) << spec << " " << position_text(*game, position);
        ASSERT_EQ(threats.destinations, expected.destinations)
            << spec << " " << position_text(*game, position);
      }
    }
  }
}

TEST(MakyekTest, ADecidedBoardHasNoMovesAndAWinnerWhoeverIsToMove) {
  for (const char* text : {"8/8/8/8/8/8/8/M7 w", "8/8/8/8/8/8/8/M7 b"}) {
    for (const char* spec : {"makyek", "makyek:no_move=pass", "makyek:no_move=draw"}) {
      const Playthrough game(spec, text);
      EXPECT_THAT(game.legal(), IsEmpty()) << spec << " " << text;
      EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoPieces)) << spec << " " << text;
      EXPECT_EQ(perft(game.game(), game.position(), 1), 0u);
    }
  }
  EXPECT_EQ(Playthrough("makyek", "8/8/8/8/8/8/8/m7 w").outcome(), win_by(Color::kBlack, Reason::kNoPieces));
}

TEST(MakyekTest, TakingTheLastManWins) {
  Playthrough game("makyek", "8/8/8/8/8/8/Mm6/2M5 w");
  game.play("c1c2");
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoPieces));
}

TEST(MakyekTest, PerftGoesOnBehindDraws) {
  const Playthrough limited("makyek:max_plies=1,no_progress=1,repetition=2");
  EXPECT_EQ(perft(limited.game(), limited.position(), 4), 1609910u);
  const Playthrough dead("makyek", "8/8/8/3M4/8/5m2/8/8 w");
  EXPECT_EQ(perft(dead.game(), dead.position(), 1), 14u);
}

TEST(MakyekTest, ReasonsOfADrawHaveAnOrder) {
  Playthrough game("makyek", "8/8/8/3M4/8/5m2/8/8 w");
  Position position = game.position();
  const MoveList legal = game.legal();
  position.no_progress_plies = 100;
  position.ply = 400;
  const auto outcome = [&](int occurrences) {
    return game.game().outcome(position, !legal.empty(), occurrences);
  };
  EXPECT_EQ(outcome(3), draw_by(Reason::kRepetition));
  EXPECT_EQ(outcome(2), draw_by(Reason::kNoProgress));
  position.no_progress_plies = 99;
  EXPECT_EQ(outcome(2), draw_by(Reason::kInsufficientMaterial));
  position.side[0] |= bit(0);
  position.kind[0] |= bit(0);
  EXPECT_EQ(outcome(2), draw_by(Reason::kPlyLimit));
  position.ply = 399;
  EXPECT_EQ(outcome(2), kOngoing);
}

TEST(MakyekTest, AMissingPlyLimitNeverEndsTheGame) {
  Position position = Playthrough("makyek").position();
  position.ply = 60000;
  GameInfo info = Playthrough("makyek").game().info();
  EXPECT_EQ(plies_left(info, position), 0);
  EXPECT_EQ(reached_limit(Limits{.max_plies = 400}, position, 1, false), Reason::kPlyLimit);
  info.max_plies = 0;
  EXPECT_EQ(plies_left(info, position), std::numeric_limits<int>::max());
  EXPECT_EQ(reached_limit(Limits{.max_plies = 0}, position, 1, false), Reason::kNone);
}

TEST(MakyekTest, ABlockedSideLosesBeforeAnyDraw) {
  const Playthrough game("makyek", kBlocked);
  Position position = game.position();
  position.no_progress_plies = 100;
  position.ply = 400;
  EXPECT_EQ(game.game().outcome(position, !game.legal().empty(), 3),
            win_by(Color::kWhite, Reason::kNoLegalMove));
}

TEST(MakyekTest, ImpossibleArrangementsAreRefused) {
  const GamePtr game = *make_game("makyek");
  EXPECT_EQ(parse_position(*game, "8/8/8/8/8/8/8/8 w").why(),
            "the board is empty: put at least one man on it");
  EXPECT_EQ(parse_position(*game, "mmmmmmmm/mmmmmmmm/m7/8/8/M7/MMMMMMMM/MMMMMMMM w").why(),
            "White has 17 men: at most 16 are possible; Black has 17 men: at most 16 are possible");
}

}  // namespace
}  // namespace makzero::game
