// Where a set of men can slide or step to, by direction, and the moves that take them there.
#pragma once

#include <array>

#include "game/move_list.h"
#include "game/slides.h"

namespace makzero::game {

// Calls visit.operator()<direction>() for each direction.
template <class Visit>
constexpr void for_each_direction(Visit visit) {
  using enum Direction;
  visit.template operator()<kNorth>();
  visit.template operator()<kSouth>();
  visit.template operator()<kEast>();
  visit.template operator()<kWest>();
}

// Squares of arrival by the direction of the move, in the order of Direction.
struct Destinations {
  std::array<Bitboard, 4> by_direction = {};

  constexpr Bitboard all() const {
    return by_direction[0] | by_direction[1] | by_direction[2] | by_direction[3];
  }
  // The number of moves: in one direction at most one man arrives on a square.
  constexpr int count() const {
    return size(by_direction[0]) + size(by_direction[1]) + size(by_direction[2]) + size(by_direction[3]);
  }
  constexpr Destinations operator&(Bitboard set) const {
    return {{by_direction[0] & set, by_direction[1] & set, by_direction[2] & set, by_direction[3] & set}};
  }
  constexpr Destinations operator|(const Destinations& more) const {
    return {{by_direction[0] | more.by_direction[0], by_direction[1] | more.by_direction[1],
             by_direction[2] | more.by_direction[2], by_direction[3] | more.by_direction[3]}};
  }
  constexpr Bitboard& operator[](Direction direction) { return by_direction[static_cast<int>(direction)]; }
  constexpr Bitboard operator[](Direction direction) const {
    return by_direction[static_cast<int>(direction)];
  }
};

// All slides of the men through open squares. REQUIRES: `men` and `open` are disjoint.
constexpr Destinations slides_of(Bitboard men, Bitboard open) {
  Destinations destinations;
  for_each_direction([&]<Direction kAhead>() { destinations[kAhead] = slide<kAhead>(men, open); });
  return destinations;
}

// All steps of the men to adjacent open squares.
constexpr Destinations steps_of(Bitboard men, Bitboard open) {
  Destinations destinations;
  for_each_direction([&]<Direction kAhead>() { destinations[kAhead] = step<kAhead>(men) & open; });
  return destinations;
}

// Adds the moves of the men to their destinations; who moves to a square is the nearest man behind it.
// Direction by direction rather than man by man: 54 moves take 73 ns instead of 163, since a loop over the
// few squares of each man mispredicts its end.
inline void add_moves(const Destinations& destinations, Bitboard men, MoveList* moves) {
  using enum Direction;
  for_each_direction([&]<Direction kAhead>() {
    const auto& lines = kAhead == kNorth || kAhead == kSouth ? kFileLines : kRankLines;
    for (Bitboard arrivals = destinations[kAhead]; arrivals;) {
      const Square arrival = pop_first(&arrivals);
      const Line& line = lines[arrival];
      const Square origin = ascends(kAhead) ? last_square(men & line.below) : first_square(men & line.above);
      moves->add(Move::step(origin, arrival));
    }
  });
}

}  // namespace makzero::game
