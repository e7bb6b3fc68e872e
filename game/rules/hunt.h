// The hunt: the second, fox-and-geese-like form of Mak-yek. Sixteen men shut in one hunter, who leaps over
// them.
//
// Source: the Wikipedia article on Mak-yek knows one piece against sixteen that moves in any direction but
// diagonally and takes a single enemy by leaping over it onto the empty square behind. All else is decided
// here:
//  - White has sixteen men, Black the hunter; White begins. Men slide like rooks and never capture.
//  - The hunter slides like a rook, or leaps over a man beside it; it need not. One leap a turn;
//    chain=on allows any number, each leapt man leaving at once. flying=on lets a leap begin with a slide.
//  - The men win when the hunter cannot move, the hunter when fewer than min_men=4 are left: fewer cannot
//    shut it in, not even in a corner (a2, b1, and a3, c1 behind them). Men who cannot move lose.
//  - The third occurrence of a position, 200 plies without a capture, and 600 plies are draws.
//
//   8  . . . . h . . .      "a3a5": a slide. "d3d5": a leap over the man on d4.
//   7  . . . . . . . .
//   6  . . . . . . . .      "e8e6e4": with chain=on, two leaps, named by all their squares. At most
//   5  . . . . . . . .      eight paths between the same two squares are moves, those with the first
//   4  . . . . . . . .      leaps to the north before those to the south, east and west.
//   3  M M M M M M M M
//   2  . . . . . . . .
//   1  M M M M M M M M
//      a b c d e f g h
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"
#include "game/rules/end_rules.h"
#include "game/rules/slide_moves.h"

namespace makzero::game {

enum class MenMove : std::uint8_t { kRook, kStep, kStepForwardSideways };
enum class HunterMove : std::uint8_t { kRook, kStep };

// What both limits give.
enum class HuntLimitResult : std::uint8_t { kDraw, kHunterWins };

struct HuntRules : Limits {
  HuntRules() { no_progress = 200, max_plies = 600; }

  MenMove men_move = MenMove::kRook;
  HunterMove hunter_move = HunterMove::kRook;
  bool chain = false;
  bool flying = false;
  int min_men = 4;
  HuntLimitResult limit_result = HuntLimitResult::kDraw;
};

class Hunt final : public Game {
 public:
  static constexpr int kMan = 0, kHunter = 1;  // Position::kind.

  Hunt(GameInfo info, const HuntRules& rules);

  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  std::uint8_t symmetries(const Position& position) const override;
  void check(const Position& position, std::vector<std::string>* reasons) const override;
  std::string move_path(const Position& position, Move move) const override;

 private:
  struct Chain;

  bool decided(const Position& position) const { return size(position.side[0]) < rules_.min_men; }
  Destinations men_moves(const Position& position) const;
  Destinations hunter_moves(Bitboard hunter, Bitboard men) const;

  // The landing squares of one leap, and all chains of leaps that go on from a first part.
  Destinations leaps(Bitboard hunter, Bitboard men) const;
  template <class Visit>
  void visit_chains(const Chain& begun, Visit* visit) const;
  void add_chains(const Position& position, MoveList* moves) const;

  // The leaps of a move; none for a slide.
  Chain chain_of(Move move, const Position& position) const;

  const HuntRules rules_;
  GameInfo info_;
};

// The named rulesets of this file; only the game itself.
std::vector<std::string> hunt_rulesets();

// The hunt with options. REQUIRES: the ruleset is one of hunt_rulesets().
Parsed<GamePtr> make_hunt(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
