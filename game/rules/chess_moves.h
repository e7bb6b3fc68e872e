// Legal moves of the chess family, without trying any: a king, its attackers, the pins of rooks.
//
// The moves come as sets of destinations, so that counting them costs one population count per set. Games
// with more moves (leaps, sutras) add theirs behind visit_chess_moves().
#pragma once

#include "game/move_list.h"
#include "game/position.h"
#include "game/rules/chess_steps.h"

namespace makzero::game {

// All squares that a side's pieces guard; sliders look through what is not in `occupied`.
template <Color kSide>
Bitboard chess_attacks(const Position& position, Bitboard occupied) {
  const Bitboard own = position.side[index(kSide)];
  const Bitboard khons = own & position.kind[kKhon];
  Bitboard attacks = diagonals(own & (position.kind[kMet] | position.kind[kKhon])) | forward<kSide>(khons) |
                     forward_diagonals<kSide>(own & position.kind[kPawn]) |
                     knight_leaps(own & position.kind[kKnight]) | king_steps(own & position.kind[kKing]);
  for (Bitboard rooks = own & position.kind[kRook]; rooks;)
    attacks |= rook_attacks(pop_first(&rooks), occupied);
  return attacks;
}

inline Bitboard chess_attacks(const Position& position, Color side) {
  return side == Color::kWhite ? chess_attacks<Color::kWhite>(position, position.occupied())
                               : chess_attacks<Color::kBlack>(position, position.occupied());
}

// REQUIRES: both sides have a king.
inline bool in_check(const Position& position, Color side) {
  return chess_attacks(position, other(side)) & position.side[index(side)] & position.kind[kKing];
}

// What the king's safety leaves to the side to move.
struct KingSafety {
  Square king;
  Bitboard king_targets;  // Where the king may go.
  Bitboard
      targets;      // Where any other piece may go: out of check by blocking or taking; none in double check.
  Bitboard pinned;  // Own pieces that a rook pins to the king; they stay on rook_lines(king).
};

template <Color kSide>
KingSafety king_safety(const Position& position) {
  const Bitboard own = position.side[index(kSide)], enemy = position.side[index(other(kSide))];
  const Bitboard occupied = own | enemy;
  const Bitboard king_bit = own & position.kind[kKing];
  KingSafety safety;
  safety.king = first_square(king_bit);
  // Without the king on the board: it cannot hide from a rook behind itself.
  const Bitboard attacked = chess_attacks<other(kSide)>(position, occupied ^ king_bit);
  safety.king_targets = kSteps[safety.king].king & ~own & ~attacked;
  safety.targets = ~own;
  safety.pinned = 0;

  Bitboard checks = 0;
  if (attacked & king_bit) {
    checks = enemy & ((diagonals(king_bit) & (position.kind[kMet] | position.kind[kKhon])) |
                      (forward<kSide>(king_bit) & position.kind[kKhon]) |
                      (forward_diagonals<kSide>(king_bit) & position.kind[kPawn]) |
                      (kSteps[safety.king].knight & position.kind[kKnight]));
    if (checks) safety.targets = checks;
  }
  for (Bitboard rooks = rook_lines(safety.king) & enemy & position.kind[kRook]; rooks;) {
    const Square rook = pop_first(&rooks);
    const Bitboard inside = between(safety.king, rook) & occupied;
    if (inside == 0) {
      checks |= bit(rook);
      safety.targets &= between(safety.king, rook) | bit(rook);
    } else if ((inside & (inside - 1)) == 0) {
      safety.pinned |= inside & own;
    }
  }
  if (checks & (checks - 1)) safety.targets = 0;
  return safety;
}

// Calls visitor.from(origin, destinations) for kings, knights and rooks and visitor.shift(destinations,
// distance) for the pieces that step by one distance at once (origin = destination - distance); destinations
// may be empty.
template <Color kSide, class Visitor>
void visit_chess_moves(const Position& position, Visitor* visitor) {
  const KingSafety safety = king_safety<kSide>(position);
  visitor->from(safety.king, safety.king_targets);
  if (safety.targets == 0) return;

  const Bitboard own = position.side[index(kSide)], enemy = position.side[index(other(kSide))];
  const Bitboard free = own & ~safety.pinned;
  const Bitboard rank_and_file = rook_lines(safety.king);

  // A pinned piece steps straight on within the king's file, and in no other way.
  const Bitboard straight = free | (own & kFileA << file_of(safety.king));
  const Bitboard pushes = forward<kSide>(straight & position.kind[kPawn]) & ~enemy;
  const Bitboard khon_steps = forward<kSide>(straight & position.kind[kKhon]);
  constexpr int ahead = kSide == Color::kWhite ? 8 : -8;
  visitor->shift((pushes | khon_steps) & safety.targets, ahead);

  const Bitboard steppers = free & (position.kind[kMet] | position.kind[kKhon]);
  const Bitboard pawns = free & position.kind[kPawn];
  const auto takers = [&](Bitboard steps, Bitboard takes) {
    return (steps | (takes & enemy)) & safety.targets;
  };
  const Bitboard step_east = forward<kSide>(east(steppers)), take_east = forward<kSide>(east(pawns));
  const Bitboard step_west = forward<kSide>(west(steppers)), take_west = forward<kSide>(west(pawns));
  visitor->shift(takers(step_east, take_east), ahead + 1);
  visitor->shift(takers(step_west, take_west), ahead - 1);
  visitor->shift(forward<other(kSide)>(east(steppers)) & safety.targets, -ahead + 1);
  visitor->shift(forward<other(kSide)>(west(steppers)) & safety.targets, -ahead - 1);

  for (Bitboard knights = free & position.kind[kKnight]; knights;) {
    const Square knight = pop_first(&knights);
    visitor->from(knight, kSteps[knight].knight & safety.targets);
  }
  for (Bitboard rooks = own & position.kind[kRook]; rooks;) {
    const Square rook = pop_first(&rooks);
    const Bitboard line = contains(safety.pinned, rook) ? rank_and_file : kAllSquares;
    visitor->from(rook, rook_attacks(rook, position.occupied()) & safety.targets & line);
  }
}

template <class Visitor>
void visit_chess_moves(const Position& position, Visitor* visitor) {
  if (position.to_move == Color::kWhite) {
    visit_chess_moves<Color::kWhite>(position, visitor);
  } else {
    visit_chess_moves<Color::kBlack>(position, visitor);
  }
}

// A visitor that counts the moves.
struct MoveCounter {
  int moves = 0;

  void from(Square, Bitboard destinations) { moves += size(destinations); }
  void shift(Bitboard destinations, int) { moves += size(destinations); }
};

// A visitor that lists the moves.
struct MoveLister {
  MoveList* moves;

  void from(Square origin, Bitboard destinations) {
    while (destinations) moves->add(Move::step(origin, pop_first(&destinations)));
  }
  void shift(Bitboard destinations, int distance) {
    while (destinations) {
      const Square destination = pop_first(&destinations);
      moves->add(Move::step(destination - distance, destination));
    }
  }
};

}  // namespace makzero::game
