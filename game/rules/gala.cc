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
#include <array>
#include <charconv>
#include <utility>

#include "game/rules/custodial_features.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"
#include "game/rules/piece_limits.h"
#include "game/rules/turn.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr int kSize = 7;
constexpr Bitboard kBoard = board_mask(kSize, kSize);
constexpr Bitboard kCorners = bit(0) | bit(6) | bit(48) | bit(54);
constexpr Bitboard kCentre = bit(square_at(3, 3));
constexpr Bitboard kMiddle = board_mask(kSize, 1) << 24;
constexpr Bitboard kEdgeMiddles = bit(3) | bit(24) | bit(30) | bit(51);
constexpr Bitboard kCrosses = kCorners | kEdgeMiddles | kCentre;
constexpr Bitboard kHalves[2] = {board_mask(kSize, 3), board_mask(kSize, 3) << 32};

enum class GalaMove : std::uint8_t { kRook, kStep };
enum class MiddleRow : std::uint8_t { kShared, kNeutral };
enum class Cross : std::uint8_t { kOpen, kClosed };
enum class Rest : std::uint8_t { kPass, kTriple, kBlackMoves };
enum class GalaSides : std::uint8_t { kWhite13Black10, kWhite10Black13 };
enum class Objective : std::uint8_t { kSymmetric, kLudii };

struct GalaRules : EndRules {
  GalaMove move = GalaMove::kRook;
  MiddleRow middle_row = MiddleRow::kShared;
  Cross cross = Cross::kOpen;  // Marked squares, to all drops but the first.
  Rest rest = Rest::kPass;     // Of the side that has dropped all before the other.
  bool early_moves = false;    // Who has a disc in hand may slide in his own half instead of dropping.
  bool corner_capture = false;
  GalaSides sides = GalaSides::kWhite13Black10;
  Objective objective = Objective::kSymmetric;
};

CaptureRules capture_rules_of(const GalaRules& rules) {
  return {Custodian::kSingle, Intervention::kNone, SameAxis::kUnion, rules.corner_capture};
}

void add_features(const GalaRules& rules, GameInfo* info) {
  add_choice_feature(rules.move, {"men_move=rook", "men_move=step"}, info);
  add_capture_features(capture_rules_of(rules), info);
  add_choice_feature(rules.middle_row, {"", "middle_row=neutral"}, info);
  add_choice_feature(rules.cross, {"", "cross=closed"}, info);
  add_choice_feature(rules.rest, {"rest=pass", "rest=triple", "rest=black_moves"}, info);
  add_feature("early_moves", rules.early_moves, info);
  add_choice_feature(rules.sides, {"", "sides=white10_black13"}, info);
  add_choice_feature(rules.objective, {"", "objective=ludii"}, info);
  add_end_features(rules, info);
}

bool hands_empty(const Position& position) { return position.hand[0] == 0 && position.hand[1] == 0; }

// Reads "W13" or "B0" into a hand; false where it is neither or the hand was read before.
bool read_hand(std::string_view field, bool* read, Position* position) {
  if (field.empty() || (field[0] != 'W' && field[0] != 'B')) return false;
  const int side = field[0] == 'B';
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data() + 1, end, position->hand[side]);
  return error == std::errc() && stop == end && !std::exchange(read[side], true);
}

class Gala final : public Game {
 public:
  Gala(GameInfo info, const GalaRules& rules)
      : rules_(rules),
        capture_rules_(capture_rules_of(rules)),
        discs_(rules.sides == GalaSides::kWhite13Black10 ? std::array<std::uint8_t, 2>{13, 10}
                                                         : std::array<std::uint8_t, 2>{10, 13}),
        info_(std::move(info)) {
    info_.files = info_.ranks = kSize;
    info_.kinds = "M";
    info_.kind_value = {100};
    info_.has_hands = true;
    info_.marks = kCrosses;
  }

  const GameInfo& info() const override { return info_; }

  Position initial() const override {
    Position position;
    position.hand[0] = discs_[0];
    position.hand[1] = discs_[1];
    position.to_move = Color::kBlack;
    return position;
  }

  void legal_moves(const Position& position, MoveList* moves) const override {
    moves->clear();
    if (decided(position)) return;
    const Turn turn = turn_of(position, position.to_move);
    if (turn == Turn::kPass) return moves->add(Move::pass());
    if (turn == Turn::kDrop) {
      for (Bitboard squares = drop_squares(position); squares;) moves->add(Move::drop(pop_first(&squares)));
    }
    add_moves(slides(position, position.to_move), position.own(), moves);
    if (moves->empty() && rules_.no_move == NoMove::kPass) moves->add(Move::pass());
  }

  int count_moves(const Position& position) const override {
    if (decided(position)) return 0;
    const Turn turn = turn_of(position, position.to_move);
    if (turn == Turn::kPass) return 1;
    const int drops = turn == Turn::kDrop ? size(drop_squares(position)) : 0;
    const int count = drops + slides(position, position.to_move).count();
    return count == 0 && rules_.no_move == NoMove::kPass ? 1 : count;
  }

  void apply(Move move, Position* position) const override {
    const int us = index(hand_over(position));
    if (move.is_pass()) return;
    if (move.is_drop()) return drop(us, move.destination(), position);
    const Bitboard arrival = bit(move.destination());
    const Bitboard own = moved(position->side[us], move), before = position->side[1 - us];
    Bitboard taken = single_captures(arrival, own, before);
    if (rules_.corner_capture) taken |= corner_captures(arrival, own, before, kCorners);
    position->side[us] = own;
    position->side[1 - us] = before ^ taken;
    position->kind[0] = own | (before ^ taken);
    if (taken) position->no_progress_plies = 0;
  }

  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    for (const Color side : {Color::kWhite, Color::kBlack}) {
      const Reason reason = lost(position, side);
      if (reason != Reason::kNone) return {win_of(other(side)), reason};
    }
    const bool dead = hands_empty(position) && size(position.side[0]) == 1 && size(position.side[1]) == 1;
    return outcome_without_winner(rules_, position, can_move, occurrences, dead);
  }

  // All slides at once: whoever arrives on a square takes the same discs.
  Threats threats(const Position& position, Color side) const override {
    const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
    const Bitboard arrivals = slides(position, side).all();
    const Captures captures = captures_of(capture_rules_, arrivals, own, enemy, kCorners);
    return {captures.all(), captures.arrivals};
  }

  // Drops tell White's half from Black's.
  std::uint8_t symmetries(const Position& position) const override {
    return hands_empty(position) ? kAllSymmetries : kLeftRight;
  }

  // " W3 B0", while any disc is in hand.
  std::string fields_text(const Position& position) const override {
    if (hands_empty(position)) return "";
    return " W" + std::to_string(position.hand[0]) + " B" + std::to_string(position.hand[1]);
  }

  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override {
    if (fields.empty() && !position->occupied()) {
      position->hand[0] = discs_[0];
      position->hand[1] = discs_[1];
    }
    bool read[2] = {};
    for (const std::string_view field : fields) {
      if (!read_hand(field, read, position))
        reasons->push_back("hand '" + std::string(field) + "': write the discs in hand like 'W3 B0'");
    }
  }

  void check(const Position& position, std::vector<std::string>* reasons) const override {
    if (!position.occupied() && hands_empty(position)) {
      reasons->push_back("no disc is on the board or in hand: put one somewhere");
    }
    for (const Color side : {Color::kWhite, Color::kBlack}) {
      const int us = index(side);
      check_at_most(discs_[us], "discs", side, size(position.side[us]) + position.hand[us], reasons);
    }
  }

 private:
  enum class Turn : std::uint8_t { kDrop, kPass, kSlide };

  Turn turn_of(const Position& position, Color side) const {
    if (position.hand[index(side)] > 0) return Turn::kDrop;
    if (position.hand[index(other(side))] > 0 && rules_.rest != Rest::kBlackMoves) return Turn::kPass;
    return Turn::kSlide;
  }

  // Why the side has lost on the board, or kNone.
  Reason lost(const Position& position, Color side) const {
    const int us = index(side), discs = size(position.side[us]);
    if (position.hand[us] > 0 || discs > 1) return Reason::kNone;
    if (discs == 0) return Reason::kNoPieces;
    const bool down_to_one = rules_.objective == Objective::kLudii && discs_[us] > discs_[1 - us];
    return down_to_one ? Reason::kTooFewMen : Reason::kNone;
  }

  bool decided(const Position& position) const {
    return lost(position, Color::kWhite) != Reason::kNone || lost(position, Color::kBlack) != Reason::kNone;
  }

  // The squares on which a side drops.
  Bitboard half_of(Color side) const {
    const Bitboard half = kHalves[index(side)];
    return rules_.middle_row == MiddleRow::kShared ? half | kMiddle : half;
  }

  // The first disc goes to the centre.
  Bitboard drop_squares(const Position& position) const {
    if (!position.occupied()) return kCentre;
    const Bitboard closed = rules_.cross == Cross::kClosed ? kCrosses : 0;
    return half_of(position.to_move) & ~(position.occupied() | closed);
  }

  // Where these discs can slide to, and where those of a side may were it to move.
  Destinations slides(Bitboard discs, Bitboard occupied) const {
    const Bitboard open = kBoard & ~occupied;
    return rules_.move == GalaMove::kRook ? slides_of(discs, open) : steps_of(discs, open);
  }

  Destinations slides(const Position& position, Color side) const {
    const Bitboard own = position.side[index(side)], half = half_of(side);
    switch (turn_of(position, side)) {
      case Turn::kPass:
        break;
      case Turn::kDrop:
        if (rules_.early_moves) return slides(own & half, position.occupied()) & half;
        break;
      case Turn::kSlide:
        return slides(own, position.occupied());
    }
    return {};
  }

  // Where the rest is dropped in one go, the side keeps the turn as long as it alone has discs in hand.
  void drop(int us, Square square, Position* position) const {
    position->side[us] |= bit(square);
    position->kind[0] |= bit(square);
    position->no_progress_plies = 0;
    --position->hand[us];
    const bool alone = position->hand[us] > 0 && position->hand[1 - us] == 0;
    if (alone && rules_.rest == Rest::kTriple) position->to_move = other(position->to_move);
  }

  const GalaRules rules_;
  const CaptureRules capture_rules_;
  const std::array<std::uint8_t, 2> discs_;  // Of White and of Black at the start.
  GameInfo info_;
};

}  // namespace

Rulesets gala_rulesets() {
  using Rules = GalaRules;
  RulesTable<Rules> table;
  table.family = "custodial";
  table.source = "Wikipedia, Gala, after Murray and Matthes 1859; Matthes 1874";
  table.rulesets = {
      {"gala",
       "Gala",
       "Thirteen discs against ten are dropped, then slide like rooks; one enemy caught between two "
       "own discs falls. Who cannot move has lost.",
       {}}};
  table.options = {
      choice_of<&Rules::move, Rules>("move", {"rook", "step"}),
      choice_of<&Rules::middle_row, Rules>("middle_row", {"shared", "neutral"}),
      choice_of<&Rules::cross, Rules>("cross", {"open", "closed"}),
      choice_of<&Rules::rest, Rules>("rest", {"pass", "triple", "black_moves"}),
      choice_of<&Rules::early_moves, Rules>("early_moves", {"off", "on"}),
      choice_of<&Rules::corner_capture, Rules>("corner_capture", {"off", "on"}),
      choice_of<&Rules::sides, Rules>("sides", {"white13_black10", "white10_black13"}),
      choice_of<&Rules::objective, Rules>("objective", {"symmetric", "ludii"}),
  };
  add_end_options<Rules>(&table.options);
  table.add_features = add_features;
  return make_rulesets<Gala>(std::move(table));
}

}  // namespace makzero::game
