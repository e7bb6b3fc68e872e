// Games of men alone that slide like rooks and capture by custodian and intervention: Mak-yek and Apit-sodok,
// which differ in their set-up and defaults.
//
// What both leave open is settled alike: White begins, a side without a legal move loses, and the third
// occurrence of a position, 100 plies without a capture, one man against one, and 400 plies are draws.
//
//   "a3a5": the man on a3 slides to a5; captures follow by themselves.
//   "f5f3:e3": with custodian_total=one, the man taken where there is a choice.
//   "--": a pass, with no_move=pass.
#pragma once

#include <string>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/rules/custodial_capture.h"
#include "game/rules/end_rules.h"

namespace makzero::game {

enum class Setup : std::uint8_t { kRows13, kRows12 };

// How many custodian captures one move may make: in any direction, or in one that the mover chooses.
enum class CustodianTotal : std::uint8_t { kAny, kOne };

struct MenRules : CaptureRules, EndRules {
  Setup setup = Setup::kRows13;
  CustodianTotal custodian_total = CustodianTotal::kAny;
  bool jump = false;  // Besides sliding, a man may jump over one adjacent man without taking it.
};

std::vector<Option<MenRules>> men_options();

void add_men_features(const MenRules& rules, GameInfo* info);

class CustodialMen final : public Game {
 public:
  CustodialMen(GameInfo info, const MenRules& rules);

  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  std::uint8_t symmetries(const Position& position) const override;
  void check(const Position& position, std::vector<std::string>* reasons) const override;
  std::string move_suffix(const Position& position, Move move) const override;

 private:
  bool choosing() const { return rules_.custodian_total == CustodianTotal::kOne; }

  [[gnu::noinline]] void apply_by_rules(int us, Move move, Position* position) const;

  // What a slide or jump would take. REQUIRES: the move is legal up to its alternative.
  Captures captures_by(Move move, const Position& position) const;
  Bitboard chosen(const Captures& captures, int alternative) const;
  void add_choices(const Position& position, MoveList* moves) const;
  void add_jump_threats(Bitboard own, Bitboard enemy, Threats* threats) const;

  const MenRules rules_;
  const bool plain_captures_;  // Single custodian and pair intervention, nothing else: the fast way.
  GameInfo info_;
};

}  // namespace makzero::game
