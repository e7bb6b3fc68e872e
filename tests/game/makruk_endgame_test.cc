// King and rook against king, solved by working backwards from the mates: how the count limits a win.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "game/rules/chess_steps.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

// For every position of K + R v K, White the chaser: in how many plies White mates, counts ignored.
class RookEnding {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  explicit RookEnding(const Game& game) : plies_(kPositions, kNever), successors_(kPositions) {
    for (Square king = 0; king < kSquares; ++king) {
      for (Square rook = 0; rook < kSquares; ++rook) {
        for (Square enemy = 0; enemy < kSquares; ++enemy) add(game, king, rook, enemy);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      ++longest_;
      for (int i = longest_ % 2; i < kPositions; i += 2) changed |= extend(i);
    }
    --longest_;
  }

  int plies_to_mate(const Position& position) const { return plies(number(position)); }
  int longest() const { return longest_; }

  // How many of a hundred positions with this side to move White wins.
  double percent_won(Color to_move) const {
    int won = 0;
    for (int i = to_move == Color::kWhite; i < kPositions; i += 2) won += plies_[i] != kNever;
    return 100.0 * won / legal_[index(to_move)];
  }

 private:
  static constexpr int kPositions = 2 * 64 * 64 * 64;

  // The number of a position, even when Black is to move; kPositions when the rook is gone.
  static int number(const Position& position) {
    if (position.kind[kRook] == 0) return kPositions;
    const Square king = first_square(position.kind[kKing] & position.side[0]);
    const Square enemy = first_square(position.kind[kKing] & position.side[1]);
    const int white_moves = position.to_move == Color::kWhite;
    return ((king * 64 + enemy) * 64 + first_square(position.kind[kRook])) * 2 + white_moves;
  }

  int plies(int i) const { return i == kPositions ? kNever : plies_[i]; }

  // Adds an arrangement with either side to move: what follows it, and the mates.
  void add(const Game& game, Square king, Square rook, Square enemy) {
    if (king == rook || king == enemy || rook == enemy) return;
    Position position;
    position.kind[kKing] = bit(king) | bit(enemy);
    position.kind[kRook] = bit(rook);
    position.side[0] = bit(king) | bit(rook);
    position.side[1] = bit(enemy);
    for (const Color mover : {Color::kWhite, Color::kBlack}) {
      position.to_move = mover;
      std::vector<std::string> reasons;
      game.check(position, &reasons);
      if (!reasons.empty()) continue;
      ++legal_[index(mover)];
      MoveList legal;
      game.legal_moves(position, &legal);
      const int i = number(position);
      if (game.outcome(position, !legal.empty(), 1).reason == Reason::kCheckmate) plies_[i] = 0;
      for (const Move move : legal) {
        Position next = position;
        game.apply(move, &next);
        successors_[i].push_back(number(next));
      }
    }
  }

  // Does White mate in longest_ plies? White needs one good move, Black must have no other.
  bool extend(int i) {
    const std::vector<int>& successors = successors_[i];
    if (plies_[i] != kNever || successors.empty()) return false;
    const auto mated = [&](int next) { return plies(next) < longest_; };
    const bool white_moves = i % 2;
    const bool mates = white_moves ? std::any_of(successors.begin(), successors.end(), mated)
                                   : std::all_of(successors.begin(), successors.end(), mated);
    if (mates) plies_[i] = longest_;
    return mates;
  }

  std::vector<int> plies_;                    // [position]
  std::vector<std::vector<int>> successors_;  // [position] -> the position after each move
  int longest_ = 0;
  int legal_[2] = {};  // Positions by the side to move.
};

class RookEndingTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ending = std::make_unique<RookEnding>(**make_game("makruk")); }
  static void TearDownTestSuite() { ending.reset(); }

  // Plays the fastest mate against the longest defence until the rules end the game.
  static Playthrough with_best_play(const char* text) {
    Playthrough game("makruk", text);
    while (!game.outcome().over()) {
      const bool white_moves = game.position().to_move == Color::kWhite;
      Move best;
      int best_plies = white_moves ? RookEnding::kNever : -1;
      for (const Move move : game.legal()) {
        Position next = game.position();
        game.game().apply(move, &next);
        const int plies = ending->plies_to_mate(next);
        if (white_moves ? plies >= best_plies : plies <= best_plies) continue;
        best_plies = plies;
        best = move;
      }
      game.play(best);
    }
    return game;
  }

  static int plies_to_mate(const char* text) {
    return ending->plies_to_mate(Playthrough("makruk", text).position());
  }

  static std::unique_ptr<RookEnding> ending;
};

std::unique_ptr<RookEnding> RookEndingTest::ending;

TEST_F(RookEndingTest, WhiteToMoveAlwaysWinsInAtMostSixteenMoves) {
  EXPECT_EQ(ending->percent_won(Color::kWhite), 100);
  EXPECT_NEAR(ending->percent_won(Color::kBlack), 90.07, 0.005);
  EXPECT_EQ(ending->longest(), 2 * 16) << "with Black to move";
  EXPECT_EQ(plies_to_mate("8/8/8/8/8/2k5/1R6/K7 w"), 2 * 16 - 1);
}

TEST_F(RookEndingTest, MateInThirteenIsWithinTheCount) {
  const char* text = "8/K7/5k2/8/8/7R/8/8 w - 32 7 40";
  EXPECT_EQ(plies_to_mate(text), 2 * 13 - 1);
  const Playthrough game = with_best_play(text);
  EXPECT_EQ(game.outcome(), (Outcome{Result::kWhiteWins, Reason::kCheckmate}));
  EXPECT_EQ(game.position().count, 32);
}

TEST_F(RookEndingTest, MateInFourteenIsOneMoveTooLate) {
  const char* text = "8/3R4/2k5/8/8/8/8/5K2 w - 32 7 40";
  EXPECT_EQ(plies_to_mate(text), 2 * 14 - 1);
  EXPECT_EQ(with_best_play(text).outcome(), (Outcome{Result::kDraw, Reason::kCountExceeded}));
}

}  // namespace
}  // namespace makzero::game
