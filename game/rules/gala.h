// Gala of Sulawesi: thirteen discs against ten are dropped on a board of 7x7 squares, then slide and capture.
//
// Sources: Wikipedia after H. J. R. Murray, who follows B. F. Matthes 1859; Matthes's Buginese dictionary of
// 1874 for captures, corners and numbers; Ludii where both are silent. Decisions:
//  - The crosses on the board mean nothing but the centre: Black begins and must drop on d4. They may be
//    closed to every later drop (`cross=closed`).
//  - Sides drop in turn on their own three ranks; the middle rank belongs to both (`middle_row`). Who has
//    a disc in hand must drop it. Nothing is captured by dropping, and what stands between enemies stays.
//    "Cannot be moved to the opponent's half until all pieces have been entered" may also mean that a disc
//    can slide within its own half before that (`early_moves=on`): instead of a drop, capturing as ever.
//  - Black has dropped all when White has three left: Black passes until they are in (`rest=pass`;
//    `triple` leaves the passes out, `black_moves` lets Black slide and capture meanwhile).
//  - Discs then slide like rooks anywhere; Ludii has single steps (`move=step`). Only the disc that slides
//    captures, one enemy caught between it and another own disc in any direction. A disc in a corner is
//    safe; by Matthes 1874 it falls to two neighbours (`corner_capture=on`).
//  - A side without a legal move has lost, and so has one without discs on the board and in hand. One disc
//    against one is dead. Under `objective=ludii` the thirteen have also lost when they are down to one.
//
//   "@d4": a drop. "a2a4": a slide; captures follow by themselves. "--": a pass.
//   "7/7/7/3m3/7/7/7 w W13 B9": the hands stand behind the side to move while any disc is in hand. An empty
//   board without hands is the start.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"
#include "game/rules/custodial_capture.h"
#include "game/rules/end_rules.h"
#include "game/rules/slide_moves.h"

namespace makzero::game {

enum class GalaMove : std::uint8_t { kRook, kStep };
enum class MiddleRow : std::uint8_t { kShared, kNeutral };
enum class Cross : std::uint8_t { kOpen, kClosed };
enum class Rest : std::uint8_t { kPass, kTriple, kBlackMoves };
enum class GalaSides : std::uint8_t { kWhite13Black10, kWhite10Black13 };
enum class Objective : std::uint8_t { kSymmetric, kLudii };

struct GalaRules : EndRules {
  GalaMove move = GalaMove::kRook;
  MiddleRow middle_row = MiddleRow::kShared;
  Cross cross = Cross::kOpen;  // Whether discs but the first may be dropped on marked squares.
  Rest rest = Rest::kPass;     // What the side does that has dropped all before the other.
  bool early_moves = false;    // Who has a disc in hand may slide in his own half instead of dropping.
  bool corner_capture = false;
  GalaSides sides = GalaSides::kWhite13Black10;
  Objective objective = Objective::kSymmetric;
};

class Gala final : public Game {
 public:
  Gala(GameInfo info, const GalaRules& rules);

  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  std::uint8_t symmetries(const Position& position) const override;
  std::string fields_text(const Position& position) const override;
  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override;
  void check(const Position& position, std::vector<std::string>* reasons) const override;

 private:
  enum class Turn : std::uint8_t { kDrop, kPass, kSlide };
  Turn turn_of(const Position& position, Color side) const;

  // Why the side has lost on the board, or kNone.
  Reason lost(const Position& position, Color side) const;
  bool decided(const Position& position) const;

  // The squares on which a side drops.
  Bitboard half_of(Color side) const;
  Bitboard drop_squares(const Position& position) const;

  // Where these discs can slide to, and where those of a side may were it to move.
  Destinations slides(Bitboard discs, Bitboard occupied) const;
  Destinations slides(const Position& position, Color side) const;
  void drop(int us, Square square, Position* position) const;

  const GalaRules rules_;
  const CaptureRules capture_rules_;
  const std::array<std::uint8_t, 2> discs_;  // Of White and of Black at the start.
  GameInfo info_;
};

// The named rulesets of this file; only the game itself.
std::vector<std::string> gala_rulesets();

// Gala with options. REQUIRES: the ruleset is one of gala_rulesets().
Parsed<GamePtr> make_gala(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
