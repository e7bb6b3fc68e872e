// Games of men alone that slide like rooks and capture by custodian and intervention: Mak-yek and Apit-sodok,
// which differ in their set-up and defaults.
//
// Both leave some points open, which are settled alike: White begins, a side without a legal move loses, and
// the third occurrence of a position, 100 plies without a capture, one man against one, and 400 plies are
// draws.
//
//   "a3a5": the man on a3 slides to a5; captures follow by themselves.
//   "f5f3:e3": with custodian_total=one, the man taken where there is a choice.
//   "--": a pass, with no_move=pass.
//
// Mak-yek: sixteen men a side slide like rooks and capture by custodian and intervention.
//
// Sources: the Wikipedia article on Mak-yek; J. Low, "On Siamese Literature", 1839, for lines. Decisions:
//  - One custodian capture in each direction; "not more than one" of a shorter text is custodian_total=one.
//  - Lines, corners and jumps are variations: makyek-line, makyek-low, makyek-corner, makyek-jump.
//
//   8  m m m m m m m m      The start; White begins.
//   7  . . . . . . . .
//   6  m m m m m m m m
//   5  . . . . . . . .
//   4  . . . . . . . .
//   3  M M M M M M M M
//   2  . . . . . . . .
//   1  M M M M M M M M
//      a b c d e f g h
//
// Apit-sodok, the Malay cousin of Mak-yek: another start, and whole rows fall to a custodian capture.
//
// Source: the Wikipedia article on Mak-yek, section Apit-sodok, whose set-up is a "possible" reconstruction.
// Apit ("squeezed") is its custodian capture, sodok ("shovel") its intervention. Decisions:
//  - Only the man that moves captures: a row that walks between two enemies is safe, and so is a man in a
//    corner, except as one of a pair.
//  - Where one arrival captures in both ways on the same axis, all fall; apit-intfirst and apit-custfirst
//    read the source's open case (h5b5 in its diagram) the other two ways.
//
//   8  m m m m m m m m      The start; White begins.
//   7  m m m m m m m m
//   6  . . . . . . . .
//   5  . . . . . . . .
//   4  . . . . . . . .
//   3  . . . . . . . .
//   2  M M M M M M M M
//   1  M M M M M M M M
//      a b c d e f g h
#include <algorithm>
#include <array>
#include <utility>

#include "game/rules/custodial_features.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"
#include "game/rules/piece_limits.h"
#include "game/rules/turn.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

enum class Setup : std::uint8_t { kRows13, kRows12, k5x5 };

// Custodian captures of one move: in any direction, or in one that the mover chooses.
enum class CustodianTotal : std::uint8_t { kAny, kOne };

struct MenRules : CaptureRules, EndRules {
  Setup setup = Setup::kRows13;
  CustodianTotal custodian_total = CustodianTotal::kAny;
  bool jump = false;  // Besides sliding, a man may jump over one adjacent man without taking it.
};

std::vector<Option> men_options() {
  using Rules = MenRules;
  std::vector<Option> options = {
      choice_of<&Rules::setup, Rules>("setup", {"rows13", "rows12", "5x5"}),
      choice_of<&Rules::custodian, Rules>("custodian", {"single", "line", "none"}),
      choice_of<&Rules::custodian_total, Rules>("custodian_total", {"any", "one"}),
      choice_of<&Rules::intervention, Rules>("intervention", {"pair", "line", "none"}),
      choice_of<&Rules::same_axis, Rules>("same_axis", {"union", "intervention_only", "custodian_only"}),
      choice_of<&Rules::corner_capture, Rules>("corner_capture", {"off", "on"}),
      choice_of<&Rules::jump, Rules>("jump", {"off", "on"}),
  };
  add_end_options<Rules>(&options);
  return options;
}

void add_men_features(const MenRules& rules, GameInfo* info) {
  add_feature("men_move=rook", 1, info);
  add_feature("jump", rules.jump, info);
  add_capture_features(rules, info);
  add_choice_feature(rules.custodian_total, {"", "custodian_total=one"}, info);
  add_end_features(rules, info);
}

std::vector<NamedRules<MenRules>> makyek_rules() {
  const std::string slide = "Men slide like rooks; take all enemy men. ";
  const std::string pair = "A man arriving between two enemies takes both";
  const std::string single = ", one enemy between two own men falls, and ";
  MenRules line, low, corner, jump;
  line.custodian = low.custodian = Custodian::kLine;
  low.intervention = Intervention::kLine;
  corner.corner_capture = true;
  jump.jump = true;
  return {
      {"makyek", "Mak-yek", slide + pair + ", and one enemy caught between two own men falls.", {}},
      {"makyek-line", "Mak-yek, lines",
       slide + pair + ", and a row of enemies caught between two own men falls.", line},
      {"makyek-low", "Mak-yek after Low (1839)",
       slide + pair + " and the enemies behind them, and a row caught between two own men falls.", low},
      {"makyek-corner", "Mak-yek, corners",
       slide + pair + single + "so does a corner man with both neighbours taken.", corner},
      {"makyek-jump", "Mak-yek, jumps",
       slide + pair + single + "a man may jump over a neighbour without taking it.", jump},
  };
}

std::vector<NamedRules<MenRules>> apit_rules() {
  const std::string pair =
      "Men slide like rooks; take all enemy men. A man arriving between two enemies takes both";
  const std::string row = pair + ", and a row of enemies caught between two own men falls";
  MenRules apit;
  apit.setup = Setup::kRows12;
  apit.custodian = Custodian::kLine;
  MenRules single = apit, intervention_first = apit, custodian_first = apit;
  single.custodian = Custodian::kSingle;
  intervention_first.same_axis = SameAxis::kInterventionOnly;
  custodian_first.same_axis = SameAxis::kCustodianOnly;
  return {
      {"apit", "Apit-sodok", row + ".", apit},
      {"apit-single", "Apit-sodok, single men", pair + ", and one enemy caught between two own men falls.",
       single},
      {"apit-intfirst", "Apit-sodok, pairs first", row + "; on one axis the pair goes before the row.",
       intervention_first},
      {"apit-custfirst", "Apit-sodok, rows first", row + "; on one axis the row goes before the pair.",
       custodian_first},
  };
}

constexpr int kSmallBoard = 5;  // Files and ranks under setup=5x5.

// The corners of a square board.
constexpr Bitboard corners_of(int files) {
  const Square last = files - 1;
  return bit(0) | bit(last) | bit(8 * last) | bit(9 * last);
}

// The landing squares of jumps over an adjacent piece.
Destinations jumps_of(Bitboard men, Bitboard occupied, Bitboard board) {
  Destinations landings;
  for_each_direction([&]<Direction kAhead>() {
    landings[kAhead] = step<kAhead>(step<kAhead>(men) & occupied) & board & ~occupied;
  });
  return landings;
}

// Calls visit(origin, landing) with the squares of each jump as sets.
template <class Visit>
void for_each_jump(const Destinations& jumps, Visit visit) {
  for_each_direction([&]<Direction kAhead>() {
    for (Bitboard landings = jumps[kAhead]; landings;) {
      const Bitboard landing = bit(pop_first(&landings));
      visit(step<opposite(kAhead)>(step<opposite(kAhead)>(landing)), landing);
    }
  });
}

// Puts a side on its new squares and takes enemies away.
void settle(int us, Bitboard own, Bitboard taken, Position* position) {
  const Bitboard enemy = position->side[1 - us] ^ taken;
  position->side[us] = own;
  position->side[1 - us] = enemy;
  position->kind[0] = own | enemy;
  if (taken) position->no_progress_plies = 0;
}

// The custodian captures of one arrival that compete under custodian_total=one: directions that would take a
// man whom the pair does not take anyway. At most three, since nothing is caught on the side that the mover
// came from.
struct Choices {
  std::array<Direction, 4> directions;
  int size = 0;
};

Choices choices_of(const Captures& captures) {
  Choices choices;
  for (const Direction direction : kDirections) {
    if (captures.custodian[static_cast<int>(direction)] & ~captures.intervention) {
      choices.directions[choices.size++] = direction;
    }
  }
  return choices;
}

class CustodialMen final : public Game {
 public:
  CustodialMen(GameInfo info, const MenRules& rules)
      : rules_(rules),
        plain_captures_(static_cast<const CaptureRules&>(rules) == CaptureRules() && !choosing()),
        info_(std::move(info)) {
    info_.kinds = "M";
    info_.kind_value = {100};
    if (rules_.setup == Setup::k5x5) info_.files = info_.ranks = kSmallBoard;
    board_ = info_.board();
    corners_ = corners_of(info_.files);
  }

  const GameInfo& info() const override { return info_; }

  Position initial() const override {
    const int last_rank = info_.ranks - 1;
    const int second_rank = rules_.setup == Setup::k5x5 ? 0 : rules_.setup == Setup::kRows13 ? 2 : 1;
    const Bitboard first = kRank1 & board_;
    Position position;
    position.side[0] = first | first << 8 * second_rank;
    position.side[1] = first << 8 * last_rank | first << 8 * (last_rank - second_rank);
    position.kind[0] = position.occupied();
    return position;
  }

  void legal_moves(const Position& position, MoveList* moves) const override {
    moves->clear();
    if (!position.enemy()) return;
    const Bitboard own = position.own(), occupied = position.occupied();
    add_moves(slides_of(own, board_ & ~occupied), own, moves);
    if (rules_.jump) {
      for_each_jump(jumps_of(own, occupied, board_), [&](Bitboard origin, Bitboard landing) {
        moves->add(Move::step(first_square(origin), first_square(landing)));
      });
    }
    if (choosing()) add_choices(position, moves);
    if (moves->empty() && rules_.no_move == NoMove::kPass && own) moves->add(Move::pass());
  }

  // Counts all slides of a side at once, without a loop over its men.
  int count_moves(const Position& position) const override {
    if (choosing()) return Game::count_moves(position);
    const Bitboard own = position.own(), occupied = position.occupied();
    if (own == occupied) return 0;
    int count = count_rook_slides(own, board_ & ~occupied);
    if (rules_.jump) count += jumps_of(own, occupied, board_).count();
    return count == 0 && own && rules_.no_move == NoMove::kPass ? 1 : count;
  }

  void apply(Move move, Position* position) const override {
    const int us = index(hand_over(position));
    if (move.is_pass()) return;
    if (!plain_captures_) return apply_by_rules(us, move, position);
    const Bitboard own = moved(position->side[us], move), enemy = position->side[1 - us];
    settle(us, own, single_and_pair_captures(bit(move.destination()), own, enemy), position);
  }

  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    if (!position.enemy()) return {win_of(position.to_move), Reason::kNoPieces};
    if (!position.own()) return {win_of(other(position.to_move)), Reason::kNoPieces};
    const bool dead = size(position.side[0]) == 1 && size(position.side[1]) == 1;
    return outcome_without_winner(rules_, position, can_move, occurrences, dead);
  }

  // All slides at once: whoever arrives on a square takes the same men. The origin does not matter, since all
  // squares between it and the destination are empty.
  Threats threats(const Position& position, Color side) const override {
    const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
    const Bitboard arrivals = rook_slides(own, board_ & ~(own | enemy));
    const Captures captures = captures_of(rules_, arrivals, own, enemy, corners_);
    Threats threats = {captures.all(), captures.arrivals};
    if (rules_.jump) add_jump_threats(own, enemy, &threats);
    return threats;
  }

  std::uint8_t symmetries(const Position&) const override { return kAllSymmetries; }

  void check(const Position& position, std::vector<std::string>* reasons) const override {
    if (!position.occupied()) reasons->push_back("the board is empty: put at least one man on it");
    const int men = size(initial().side[0]);
    for (const Color side : {Color::kWhite, Color::kBlack})
      check_at_most(men, "men", side, size(position.side[index(side)]), reasons);
  }

  // ":e3", the nearest man of the direction that the mover chooses.
  std::string move_suffix(const Position& position, Move move) const override {
    if (!choosing()) return "";
    const Captures captures = captures_by(move, position);
    const Choices choices = choices_of(captures);
    if (choices.size < 2) return "";
    const Direction direction = choices.directions[move.alternative()];
    const Bitboard taken = captures.custodian[static_cast<int>(direction)] & ~captures.intervention;
    return ":" + square_text(ascends(direction) ? first_square(taken) : last_square(taken));
  }

 private:
  bool choosing() const { return rules_.custodian_total == CustodianTotal::kOne; }

  [[gnu::noinline]] void apply_by_rules(int us, Move move, Position* position) const {
    const Bitboard own = moved(position->side[us], move), enemy = position->side[1 - us];
    const Captures captures = captures_of(rules_, bit(move.destination()), own, enemy, corners_);
    settle(us, own, chosen(captures, move.alternative()), position);
  }

  // Captures of a slide or jump. REQUIRES: the move is legal up to its alternative.
  Captures captures_by(Move move, const Position& position) const {
    const Bitboard arrival = bit(move.destination());
    return captures_of(rules_, arrival, position.own() ^ bit(move.origin()) ^ arrival, position.enemy(),
                       corners_);
  }

  // Drops the custodian captures that the mover did not choose; men whom the pair takes fall either way.
  Bitboard chosen(const Captures& captures, int alternative) const {
    if (!choosing()) return captures.all();
    const Choices choices = choices_of(captures);
    if (choices.size < 2) return captures.all();
    return captures.intervention | captures.corner |
           captures.custodian[static_cast<int>(choices.directions[alternative])];
  }

  void add_choices(const Position& position, MoveList* moves) const {
    const MoveList without = *moves;
    moves->clear();
    for (const Move move : without) {
      const int choices = choices_of(captures_by(move, position)).size;
      for (int i = 0; i < std::max(choices, 1); ++i) {
        moves->add(Move::step(move.origin(), move.destination(), i));
      }
    }
  }

  // A jumper is one by one taken from its origin: left there, it would flank the man that it jumps over.
  void add_jump_threats(Bitboard own, Bitboard enemy, Threats* threats) const {
    for_each_jump(jumps_of(own, own | enemy, board_), [&](Bitboard origin, Bitboard landing) {
      const Captures captures = captures_of(rules_, landing, own ^ origin, enemy, corners_);
      threats->targets |= captures.all();
      threats->destinations |= captures.arrivals;
    });
  }

  const MenRules rules_;
  const bool plain_captures_;  // Single custodian and pair intervention, nothing else: the fast way.
  GameInfo info_;
  Bitboard board_ = 0, corners_ = 0;
};

}  // namespace

Rulesets makyek_rulesets() {
  return make_rulesets<CustodialMen, MenRules>(
      {"custodial", "Wikipedia, Mak-yek; J. Low 1839", makyek_rules(), men_options(), add_men_features});
}

Rulesets apit_rulesets() {
  return make_rulesets<CustodialMen, MenRules>(
      {"custodial", "Wikipedia, Mak-yek: Apit-sodok", apit_rules(), men_options(), add_men_features});
}

}  // namespace makzero::game
