// The bit-parallel captures against the rules' own words: neighbour by neighbour, square by square.
#include "game/rules/custodial_capture.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

namespace makzero::game {
namespace {

constexpr Bitboard kCorners = bit(0) | bit(7) | bit(56) | bit(63);

std::optional<Square> square_from(Square square, int files, int ranks) {
  const int file = file_of(square) + files, rank = rank_of(square) + ranks;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return square_at(file, rank);
}

// The rules' pseudo-code for one arrival.
class PlainCaptures {
 public:
  PlainCaptures(const CaptureRules& rules, Square arrival, Bitboard own, Bitboard enemy)
      : rules_(rules), arrival_(arrival), own_(own), enemy_(enemy) {}

  Bitboard all() const { return axis(1, 0) | axis(0, 1) | corners(); }

 private:
  // The enemies in a row from the arrival, and the square behind the last of them.
  struct Run {
    std::vector<Square> enemies;
    std::optional<Square> behind;
  };

  Run run(int files, int ranks) const {
    Run run;
    for (int i = 1;; ++i) {
      run.behind = square_from(arrival_, i * files, i * ranks);
      if (!run.behind || !contains(enemy_, *run.behind)) return run;
      run.enemies.push_back(*run.behind);
    }
  }

  static Bitboard set_of(const std::vector<Square>& squares) {
    Bitboard set = 0;
    for (const Square square : squares) set |= bit(square);
    return set;
  }

  Bitboard axis(int files, int ranks) const {
    const Run runs[] = {run(files, ranks), run(-files, -ranks)};
    Bitboard intervention = 0, custodian = 0;
    if (rules_.intervention != Intervention::kNone && !runs[0].enemies.empty() && !runs[1].enemies.empty()) {
      intervention = bit(runs[0].enemies[0]) | bit(runs[1].enemies[0]);
      if (rules_.intervention == Intervention::kLine) {
        intervention = set_of(runs[0].enemies) | set_of(runs[1].enemies);
      }
    }
    for (const Run& run : runs) {
      const bool long_enough = rules_.custodian == Custodian::kSingle ? run.enemies.size() == 1
                               : rules_.custodian == Custodian::kLine ? !run.enemies.empty()
                                                                      : false;
      if (long_enough && run.behind && contains(own_, *run.behind)) custodian |= set_of(run.enemies);
    }
    if (intervention && custodian && rules_.same_axis == SameAxis::kInterventionOnly) return intervention;
    if (intervention && custodian && rules_.same_axis == SameAxis::kCustodianOnly) return custodian;
    return intervention | custodian;
  }

  Bitboard corners() const {
    Bitboard taken = 0;
    for (const Square corner : {0, 7, 56, 63}) {
      const Bitboard beside = neighbours(bit(corner));
      const bool closed = (beside & own_) == beside && contains(beside, arrival_);
      if (rules_.corner_capture && closed && contains(enemy_, corner)) taken |= bit(corner);
    }
    return taken;
  }

  const CaptureRules rules_;
  const Square arrival_;
  const Bitboard own_, enemy_;
};

std::vector<CaptureRules> all_rules() {
  std::vector<CaptureRules> rules;
  for (const auto custodian : {Custodian::kSingle, Custodian::kLine, Custodian::kNone}) {
    for (const auto intervention : {Intervention::kPair, Intervention::kLine, Intervention::kNone}) {
      for (const auto same : {SameAxis::kUnion, SameAxis::kInterventionOnly, SameAxis::kCustodianOnly}) {
        for (const bool corner : {false, true}) rules.push_back({custodian, intervention, same, corner});
      }
    }
  }
  return rules;
}

// A random crowded board: own pieces, enemies and empty squares in changing shares.
struct Board {
  Bitboard own, enemy;
};

Board random_board(std::mt19937_64* rng, int i) {
  auto& next = *rng;
  const Bitboard own = i % 2 ? next() & next() : next();
  const Bitboard enemy = (i % 3 ? next() : next() | next()) & ~own;
  return {own, enemy};
}

TEST(CustodialCaptureTest, OneArrivalTakesWhatTheRulesSayUnderAllRules) {
  std::mt19937_64 rng(1);
  for (const CaptureRules& rules : all_rules()) {
    for (int i = 0; i < 300; ++i) {
      const Board board = random_board(&rng, i);
      const Square arrival = static_cast<Square>(rng() % kSquares);
      const Bitboard own = board.own | bit(arrival), enemy = board.enemy & ~bit(arrival);
      const Captures captures = captures_of(rules, bit(arrival), own, enemy, kCorners);
      ASSERT_EQ(captures.all(), PlainCaptures(rules, arrival, own, enemy).all());
      ASSERT_EQ(captures.arrivals, captures.all() ? bit(arrival) : 0);
    }
  }
}

TEST(CustodialCaptureTest, ASetOfArrivalsTakesWhatItsMembersTake) {
  std::mt19937_64 rng(2);
  for (const CaptureRules& rules : all_rules()) {
    for (int i = 0; i < 100; ++i) {
      const auto [own, enemy] = random_board(&rng, i);
      const Bitboard arrivals = rng() & ~(own | enemy);
      Bitboard taken = 0, taking = 0;
      for (Bitboard rest = arrivals; rest;) {
        const Captures captures = captures_of(rules, bit(pop_first(&rest)), own, enemy, kCorners);
        taken |= captures.all();
        taking |= captures.arrivals;
      }
      const Captures together = captures_of(rules, arrivals, own, enemy, kCorners);
      ASSERT_EQ(together.all(), taken);
      ASSERT_EQ(together.arrivals, taking);
    }
  }
}

TEST(CustodialCaptureTest, TheFastWayIsTheDefaultRules) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 2000; ++i) {
    const auto [own, enemy] = random_board(&rng, i);
    const Bitboard arrivals = rng() & ~(own | enemy);
    ASSERT_EQ(single_and_pair_captures(arrivals, own, enemy),
              captures_of({}, arrivals, own, enemy, kCorners).all());
  }
}

TEST(CustodialCaptureTest, CornersOfASmallerBoardAreTheBoardsOwn) {
  const Square a7 = *parse_square("a7"), a6 = *parse_square("a6"), b7 = *parse_square("b7");
  const Bitboard corners = bit(0) | bit(6) | bit(48) | bit(54);
  EXPECT_EQ(corner_captures(bit(b7), bit(a6) | bit(b7), bit(a7), corners), bit(a7));
  EXPECT_EQ(corner_captures(bit(b7), bit(a6) | bit(b7), bit(a7), kCorners), 0u);
}

}  // namespace
}  // namespace makzero::game
