// Legal moves of the chess family, without trying any: a king, its attackers, the pins of rooks.
//
// The moves come as sets of destinations, so that counting them costs one population count per set. Games
// with more moves (leaps, sutras) add theirs behind visit_chess_moves(); games with other steps pass them as
// `steps`.
#pragma once

#include "game/move_list.h"
#include "game/position.h"
#include "game/rules/chess_steps.h"
#include "game/rules/counting.h"

namespace makzero::game {

// The steps in which games of the family differ. In all of them mets and khons move and take one step
// diagonally forward, pawns take so and move straight on.
struct MakrukSteps {
  static Bitboard king(Square square) { return kSteps[square].king; }

  // Pieces that move and take one step straight forward, and one step diagonally back.
  static Bitboard straight(const Position& position) { return position.kind[kKhon]; }
  static Bitboard back(const Position& position) { return position.kind[kMet] | position.kind[kKhon]; }

  // Pieces that move one step diagonally back without taking.
  static Bitboard quiet_back(const Position&) { return 0; }
};

// All squares that a side's pieces guard; sliders look through what is not in `occupied`.
// REQUIRES: the side has a king.
template <Color kSide, class Steps>
Bitboard chess_attacks(const Position& position, Bitboard occupied, const Steps& steps) {
  const Bitboard own = position.side[index(kSide)];
  const Bitboard ahead = position.kind[kMet] | position.kind[kKhon] | position.kind[kPawn];
  Bitboard attacks =
      forward_diagonals<kSide>(own & ahead) | forward_diagonals<other(kSide)>(own & steps.back(position)) |
      forward<kSide>(own & steps.straight(position)) | knight_leaps(own & position.kind[kKnight]) |
      steps.king(first_square(own & position.kind[kKing]));
  for (Bitboard rooks = own & position.kind[kRook]; rooks;)
    attacks |= rook_attacks(pop_first(&rooks), occupied);
  return attacks;
}

template <class Steps = MakrukSteps>
Bitboard chess_attacks(const Position& position, Color side, const Steps& steps = {}) {
  return side == Color::kWhite ? chess_attacks<Color::kWhite>(position, position.occupied(), steps)
                               : chess_attacks<Color::kBlack>(position, position.occupied(), steps);
}

// Pieces of a side that guard a square by a step or a leap, kings excepted.
template <Color kSide, class Steps>
Bitboard stepping_attackers(const Position& position, Square square, const Steps& steps) {
  const Bitboard target = bit(square);
  const Bitboard ahead = position.kind[kMet] | position.kind[kKhon] | position.kind[kPawn];
  return position.side[index(kSide)] & ((forward_diagonals<other(kSide)>(target) & ahead) |
                                        (forward_diagonals<kSide>(target) & steps.back(position)) |
                                        (forward<other(kSide)>(target) & steps.straight(position)) |
                                        (kSteps[square].knight & position.kind[kKnight]));
}

// Pieces of both sides in `occupied` that guard a square; rooks look through what is not in it.
template <class Steps = MakrukSteps>
Bitboard chess_attackers(const Position& position, Square square, Bitboard occupied,
                         const Steps& steps = {}) {
  return occupied & (stepping_attackers<Color::kWhite>(position, square, steps) |
                     stepping_attackers<Color::kBlack>(position, square, steps) |
                     (steps.king(square) & position.kind[kKing]) |
                     (rook_attacks(square, occupied) & position.kind[kRook]));
}

// What the king's safety leaves to the side to move.
struct ChecksAndPins {
  Square king;
  Bitboard attacked;      // What the enemy guards; rooks look through the king, it cannot hide behind itself.
  Bitboard king_targets;  // Where the king may go.
  Bitboard targets;       // Where any other piece may go, out of check if need be; none in double check.
  Bitboard pinned;        // Own pieces that a rook pins to the king; they stay on rook_lines(king).
};

template <Color kSide, class Steps>
ChecksAndPins checks_and_pins(const Position& position, const Steps& steps) {
  const Bitboard own = position.side[index(kSide)], enemy = position.side[index(other(kSide))];
  const Bitboard occupied = own | enemy;
  const Bitboard king_bit = own & position.kind[kKing];
  ChecksAndPins safety;
  safety.king = first_square(king_bit);
  safety.attacked = chess_attacks<other(kSide)>(position, occupied ^ king_bit, steps);
  safety.king_targets = steps.king(safety.king) & ~own & ~safety.attacked;
  safety.targets = ~own;
  safety.pinned = 0;

  Bitboard checks = 0;
  if (safety.attacked & king_bit) {
    checks = stepping_attackers<other(kSide)>(position, safety.king, steps);
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
template <Color kSide, class Steps, class Visitor>
void visit_chess_moves(const Position& position, const Steps& steps, const ChecksAndPins& safety,
                       Visitor* visitor) {
  visitor->from(safety.king, safety.king_targets);
  if (safety.targets == 0) return;

  const Bitboard own = position.side[index(kSide)], enemy = position.side[index(other(kSide))];
  const Bitboard free = own & ~safety.pinned;
  const Bitboard rank_and_file = rook_lines(safety.king);

  // A pinned piece steps straight on within the king's file, and in no other way.
  const Bitboard within_file = free | (own & kFileA << file_of(safety.king));
  const Bitboard pushes = forward<kSide>(within_file & position.kind[kPawn]) & ~enemy;
  const Bitboard straight = forward<kSide>(within_file & steps.straight(position));
  constexpr int ahead = kSide == Color::kWhite ? 8 : -8;
  visitor->shift((pushes | straight) & safety.targets, ahead);

  const Bitboard steppers = free & (position.kind[kMet] | position.kind[kKhon]);
  const Bitboard pawns = free & position.kind[kPawn];
  const auto advances = [&](Bitboard any, Bitboard takes) {
    return (any | (takes & enemy)) & safety.targets;
  };
  const Bitboard step_east = forward<kSide>(east(steppers)), take_east = forward<kSide>(east(pawns));
  const Bitboard step_west = forward<kSide>(west(steppers)), take_west = forward<kSide>(west(pawns));
  visitor->shift(advances(step_east, take_east), ahead + 1);
  visitor->shift(advances(step_west, take_west), ahead - 1);

  const Bitboard back = free & steps.back(position), quiet = free & steps.quiet_back(position);
  const auto retreats = [&](Bitboard any, Bitboard moves) {
    return (forward<other(kSide)>(any) | (forward<other(kSide)>(moves) & ~enemy)) & safety.targets;
  };
  visitor->shift(retreats(east(back), east(quiet)), -ahead + 1);
  visitor->shift(retreats(west(back), west(quiet)), -ahead - 1);

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

// Calls `visit` with the side as its template argument: by_side(side, [&]<Color kSide>() { ... }).
template <class Visit>
void by_side(Color side, const Visit& visit) {
  if (side == Color::kWhite) {
    visit.template operator()<Color::kWhite>();
  } else {
    visit.template operator()<Color::kBlack>();
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

// Moves a piece, makes a met of a pawn that arrives on its promotion rank, and passes the turn.
inline CountedMove move_piece(Move move, int promotion_rank, Position* position) {
  const Bitboard origin = bit(move.origin()), destination = bit(move.destination());
  const Color mover = position->to_move;
  CountedMove done;
  done.captured = position->occupied() & destination;
  done.captured_pawn = position->kind[kPawn] & destination;
  const bool pawn_moved = position->kind[kPawn] & origin;

  // Every kind alike, so that nobody has to find out which one moves and which is taken.
  for (Bitboard& kind : position->kind) {
    const Bitboard moved = (kind >> move.origin() & 1) << move.destination();
    kind = (kind & ~(origin | destination)) | moved;
  }
  position->side[index(mover)] ^= origin | destination;
  position->side[index(other(mover))] &= ~destination;
  if (pawn_moved && (destination & promotion_zone(mover, promotion_rank))) {
    done.promoted = true;
    position->kind[kPawn] ^= destination;
    position->kind[kMet] ^= destination;
  }
  position->no_progress_plies = done.captured || pawn_moved ? 0 : position->no_progress_plies + 1;
  ++position->ply;
  position->to_move = other(mover);
  return done;
}

}  // namespace makzero::game
