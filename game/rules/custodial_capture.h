// The captures of the Mak-yek family, for one arriving piece or a whole set of arrivals at once.
//
// Custodian capture: enemies in line between the arriving piece and another own piece.   M m M
// Intervention: the two enemies between which a piece arrives.                           m M m
//
// Every function takes the squares of arrival as a set and returns what the arrivals take together, so the
// same few shifts serve a move (one square) and the question what a side threatens (every square that it can
// reach).
#pragma once

#include <array>
#include <cstdint>

#include "game/rules/slide_moves.h"
#include "game/slides.h"

namespace makzero::game {

enum class Custodian : std::uint8_t { kSingle, kLine, kNone };
enum class Intervention : std::uint8_t { kPair, kLine, kNone };

// What counts where one arrival captures in both ways on the same axis.
enum class SameAxis : std::uint8_t { kUnion, kInterventionOnly, kCustodianOnly };

struct CaptureRules {
  Custodian custodian = Custodian::kSingle;
  Intervention intervention = Intervention::kPair;
  SameAxis same_axis = SameAxis::kUnion;
  bool corner_capture =
      false;  // A corner man falls when both its neighbours are hostile and one of them just arrived.

  bool operator==(const CaptureRules&) const = default;
};

// The one enemy next to an arrival in the direction, with an own piece right behind it.
template <Direction kAhead>
constexpr Bitboard custodian_single(Bitboard arrivals, Bitboard own, Bitboard enemy) {
  return step<kAhead>(arrivals) & enemy & step<opposite(kAhead)>(own);
}

// The unbroken row of enemies in the direction from an arrival up to an own piece.
template <Direction kAhead>
constexpr Bitboard custodian_line(Bitboard arrivals, Bitboard own, Bitboard enemy) {
  return slide<kAhead>(arrivals, enemy) & slide<opposite(kAhead)>(own, enemy);
}

// The arrivals with an enemy on both sides, on the axis of the direction.
template <Direction kAhead>
constexpr Bitboard arrivals_between(Bitboard arrivals, Bitboard enemy) {
  return arrivals & step<kAhead>(enemy) & step<opposite(kAhead)>(enemy);
}

// The same on either axis.
constexpr Bitboard arrivals_between_enemies(Bitboard arrivals, Bitboard enemy) {
  return arrivals_between<Direction::kNorth>(arrivals, enemy) |
         arrivals_between<Direction::kEast>(arrivals, enemy);
}

// The corners that arrivals take together with other own pieces. `corners` are the corner squares of the
// board.
constexpr Bitboard corner_captures(Bitboard arrivals, Bitboard own, Bitboard enemy, Bitboard corners) {
  constexpr auto above_or_below = [](Bitboard set) { return north(set) | south(set); };
  constexpr auto beside = [](Bitboard set) { return east(set) | west(set); };
  return corners & enemy &
         ((above_or_below(arrivals) & beside(own)) | (above_or_below(own) & beside(arrivals)));
}

// The pairs between which pieces arrive.
constexpr Bitboard pair_captures(Bitboard arrivals, Bitboard enemy) {
  using enum Direction;
  const Bitboard upright = arrivals_between<kNorth>(arrivals, enemy);
  const Bitboard level = arrivals_between<kEast>(arrivals, enemy);
  return north(upright) | south(upright) | east(level) | west(level);
}

// The single enemies caught between arrivals and other own pieces.
constexpr Bitboard single_captures(Bitboard arrivals, Bitboard own, Bitboard enemy) {
  using enum Direction;
  return custodian_single<kNorth>(arrivals, own, enemy) | custodian_single<kSouth>(arrivals, own, enemy) |
         custodian_single<kEast>(arrivals, own, enemy) | custodian_single<kWest>(arrivals, own, enemy);
}

// Captures by single custodian and pair intervention, the default of most games: 30 operations without a
// branch.
constexpr Bitboard single_and_pair_captures(Bitboard arrivals, Bitboard own, Bitboard enemy) {
  return pair_captures(arrivals, enemy) | single_captures(arrivals, own, enemy);
}

// What arrivals take, by the way of taking. The sets may overlap.
struct Captures {
  Bitboard intervention = 0;
  std::array<Bitboard, 4> custodian = {};  // By the direction from the arrival, in the order of Direction.
  Bitboard corner = 0;
  Bitboard arrivals = 0;  // Those that take something.

  constexpr Bitboard all() const {
    return intervention | custodian[0] | custodian[1] | custodian[2] | custodian[3] | corner;
  }
};

template <Direction kAhead>
constexpr Bitboard custodian_captures(Custodian custodian, Bitboard arrivals, Bitboard own, Bitboard enemy) {
  if (custodian == Custodian::kNone) return 0;
  return custodian == Custodian::kSingle ? custodian_single<kAhead>(arrivals, own, enemy)
                                         : custodian_line<kAhead>(arrivals, own, enemy);
}

// Adds what arrivals take on the axis of the direction.
template <Direction kAhead>
constexpr void add_axis_captures(const CaptureRules& rules, Bitboard arrivals, Bitboard own, Bitboard enemy,
                                 Captures* captures) {
  constexpr Direction back = opposite(kAhead);
  Bitboard between = arrivals_between<kAhead>(arrivals, enemy);
  if (rules.intervention == Intervention::kNone) between = 0;
  const Bitboard flanking = rules.same_axis == SameAxis::kInterventionOnly ? arrivals & ~between : arrivals;
  const Bitboard ahead = custodian_captures<kAhead>(rules.custodian, flanking, own, enemy);
  const Bitboard behind = custodian_captures<back>(rules.custodian, flanking, own, enemy);
  const Bitboard flankers = arrivals & (step<back>(ahead) | step<kAhead>(behind));
  if (rules.same_axis == SameAxis::kCustodianOnly) between &= ~flankers;
  captures->arrivals |= between | flankers;
  captures->custodian[static_cast<int>(kAhead)] |= ahead;
  captures->custodian[static_cast<int>(back)] |= behind;
  if (rules.intervention == Intervention::kLine) {
    captures->intervention |= slide<kAhead>(between, enemy) | slide<back>(between, enemy);
  } else {
    captures->intervention |= step<kAhead>(between) | step<back>(between);
  }
}

// What arrivals take under any rules. `own` may hold the arriving pieces on their old or new squares: a slide
// never ends with its origin in a place that matters. REQUIRES: no enemy stands on a square of arrival.
constexpr Captures captures_of(const CaptureRules& rules, Bitboard arrivals, Bitboard own, Bitboard enemy,
                               Bitboard corners) {
  Captures captures;
  add_axis_captures<Direction::kNorth>(rules, arrivals, own, enemy, &captures);
  add_axis_captures<Direction::kEast>(rules, arrivals, own, enemy, &captures);
  if (rules.corner_capture) {
    captures.corner = corner_captures(arrivals, own, enemy, corners);
    captures.arrivals |= arrivals & neighbours(captures.corner);
  }
  return captures;
}

}  // namespace makzero::game
