// Rek, the Cambodian game of the carrying pole: capture the enemy king.
//
// Sources: the Wikipedia article on Rek; the notes of an open-source Rek engine (Khmer dictionary and board
// videos) where it is silent. Decisions:
//  - Every piece slides like a rook, the king too. There is no check: kings may move into danger.
//  - Rek: a piece that arrives between two enemies takes both; kings can be carried and can carry. No
//    custodian capture between two pieces.
//  - Poat (surround): "cannot perform a legal move" means that no piece of a connected group has an empty
//    square beside it. Only the opponent's move surrounds, and no move can enclose the mover's own pieces.
//    Wikipedia's "or possibly pieces" leaves open whether more than one may fall (`surround=single`).
//  - The carried pair leaves the board before groups are looked at; `order` has the other two readings.
//  - A bare king against a bare king is dead. Other ends as in end_rules.h.
//
//   8  m m m m m m m .      The start; White begins. kings=right is its mirror image; kings=mirror has both
//   7  . . . . . . . k      kings on the h-file.
//   6  m m m m m m m m
//   5  . . . . . . . .      "a2b2": the king slides from a2 to b2; captures follow by themselves.
//   4  . . . . . . . .      "--": a pass, with no_move=pass.
//   3  M M M M M M M M
//   2  K . . . . . . .
//   1  . M M M M M M M
//      a b c d e f g h
#pragma once

#include <string>
#include <vector>

#include "game/game.h"
#include "game/rules/end_rules.h"
#include "game/rules/slide_moves.h"

namespace makzero::game {

// The side, as its owner sees it, on which each king starts; kMirror: White's right and Black's left.
enum class Kings : std::uint8_t { kLeft, kRight, kMirror };

// Which capture comes first where one move does both.
enum class CaptureOrder : std::uint8_t { kInterventionFirst, kSimultaneous, kSurroundFirst };

// What falls when it is surrounded: nothing, any group, or only a group of one piece.
enum class Surround : std::uint8_t { kOff, kOn, kSingle };

struct RekRules : EndRules {
  Kings kings = Kings::kLeft;
  CaptureOrder order = CaptureOrder::kInterventionFirst;
  Surround surround = Surround::kOn;
};

// The features of both games with these rules, the king's move excepted.
void add_pair_features(const RekRules& rules, GameInfo* info);

// Also the base of Min Rek Chanh.
class Rek : public Game {
 public:
  static constexpr int kMan = 0, kKing = 1;  // Position::kind.

  Rek(GameInfo info, const RekRules& rules);

  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  std::uint8_t symmetries(const Position& position) const override;
  void check(const Position& position, std::vector<std::string>* reasons) const override;

 protected:
  // A king is missing.
  static bool decided(const Position& position);

  // What an arriving piece takes, and what of it by surrounding; `own` has it on its new square.
  Bitboard taken_by(Bitboard arrival, Bitboard own, Bitboard enemy) const;
  Bitboard surrounded_by(Bitboard arrival, Bitboard own, Bitboard enemy) const;

  // What these moves of a side would take.
  Threats threats_of(const Destinations& destinations, Bitboard movers, Bitboard own, Bitboard enemy) const;

  GameInfo info_;

 private:
  const RekRules rules_;
};

}  // namespace makzero::game
