// What is true of every slide in the Mak-yek family, whatever the game.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

class FamilySlideTest : public testing::TestWithParam<std::string> {};

// The sign of a number.
int sign(int number) { return (number > 0) - (number < 0); }

// Checks one slide: the square behind the destination is empty, and nothing behind it is taken.
void expect_nothing_behind(const Position& before, Move move, const Position& after) {
  const int files = sign(file_of(move.origin()) - file_of(move.destination()));
  const int ranks = sign(rank_of(move.origin()) - rank_of(move.destination()));
  const Bitboard taken = before.enemy() & ~after.occupied();
  int file = file_of(move.destination()) + files, rank = rank_of(move.destination()) + ranks;
  ASSERT_FALSE(contains(after.occupied(), square_at(file, rank)));
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files, rank += ranks) {
    ASSERT_FALSE(contains(taken, square_at(file, rank)));
  }
}

TEST_P(FamilySlideTest, NothingStandsOrIsTakenBehindASlide) {
  std::mt19937_64 rng(30);
  int captures = 0;
  for (int i = 0; i < 20; ++i) {
    Playthrough game(GetParam());
    while (!game.outcome().over()) {
      const MoveList legal = game.legal();
      for (const Move move : legal) {
        if (!move.is_step()) continue;
        Position after = game.position();
        game.game().apply(move, &after);
        captures += size(after.occupied()) < size(game.position().occupied());
        expect_nothing_behind(game.position(), move, after);
        if (HasFatalFailure()) FAIL() << game.text() << " " << move_text(game.game(), game.position(), move);
      }
      game.play(legal[static_cast<int>(rng() % legal.size())]);
    }
  }
  EXPECT_GT(captures, 50);
}

INSTANTIATE_TEST_SUITE_P(Family, FamilySlideTest,
                         testing::Values("makyek", "makyek-line", "makyek-low", "makyek-corner", "apit",
                                         "apit-single", "apit-intfirst", "apit-custfirst", "rek",
                                         "rek:order=simultaneous", "rek:order=surround_first", "minrekchanh",
                                         "minrekchanh:obligation=transition", "minrekchanh:surround=on",
                                         "gala", "gala:rest=black_moves,corner_capture=on",
                                         "gala:early_moves=on"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& letter : name) {
                             if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace makzero::game
