// Min Rek Chanh, "who does not rek, loses": Rek with compulsory capture and kings that stay in their palaces.
//
// Sources: a Khmer newspaper text of 2013, the description of a Rek game in an app store, and the notes of an
// open-source Rek engine. Decisions:
//  - Start and goal as in Rek (rek.h). Kings do not move (`king=immobile`); the only capture is the rek, the
//    pair between which a piece arrives, kings included. Wikipedia gives the game Rek's surrounding and has
//    no compulsion: `minrekchanh-surround`. With both, surrounding fulfils the obligation as well.
//  - Who can take a pair must (`obligation=global`), choosing freely; so nobody can lose by refusing. One who
//    has no move loses, and so does a bare king.
//  - Players' finer rule is `obligation=transition`: only pairs that the opponent's last move has opened
//    must be taken. A move belongs to them if the same man could not take a pair there before. They are part
//    of the position and of its text: "... w c1c4,e1e4".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"
#include "game/rules/rek.h"
#include "game/rules/slide_moves.h"

namespace makzero::game {

enum class KingMove : std::uint8_t { kImmobile, kRook, kStep };
enum class Obligation : std::uint8_t { kGlobal, kTransition, kNone };

struct MinRekChanhRules : RekRules {
  MinRekChanhRules() { surround = Surround::kOff; }

  KingMove king = KingMove::kImmobile;
  Obligation obligation = Obligation::kGlobal;
};

class MinRekChanh final : public Rek {
 public:
  MinRekChanh(GameInfo info, const MinRekChanhRules& rules);

  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Threats threats(const Position& position, Color side) const override;
  std::string fields_text(const Position& position) const override;
  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override;

 private:
  // The pieces of a side that may move.
  Bitboard movers(Bitboard own, Bitboard kings) const;

  // Where the pieces of a side can go, and where they take a pair by it.
  Destinations destinations(Bitboard own, Bitboard kings, Bitboard occupied) const;
  Destinations openings(Bitboard own, Bitboard kings, Bitboard occupied, Bitboard enemy) const;

  // Where the side to move may go, as far as pairs oblige it.
  Destinations allowed(const Position& position) const;
  // Whether surrounding fulfils an obligation, so that moves have to be tried.
  bool surrounding_obliges() const {
    return rules_.surround != Surround::kOff && rules_.obligation == Obligation::kGlobal;
  }
  void keep_captures(const Position& position, MoveList* moves) const;

  const MinRekChanhRules rules_;
};

// Adds a reason where the rules cannot be played.
void check_rules(const MinRekChanhRules& rules, std::vector<std::string>* reasons);

// The named rulesets of this file, the game itself first.
std::vector<std::string> minrekchanh_rulesets();

// The game of a named ruleset with options on top. REQUIRES: the ruleset is one of minrekchanh_rulesets().
Parsed<GamePtr> make_minrekchanh(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
