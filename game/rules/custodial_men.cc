#include "game/rules/custodial_men.h"

#include <algorithm>
#include <array>
#include <utility>

#include "game/rules/custodial_features.h"
#include "game/rules/piece_limits.h"
#include "game/rules/slide_moves.h"
#include "game/rules/turn.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr Bitboard kCorners = bit(0) | bit(7) | bit(56) | bit(63);
constexpr int kMen = 16;

// The landing squares of jumps over an adjacent piece.
Destinations jumps_of(Bitboard men, Bitboard occupied) {
  Destinations landings;
  for_each_direction(
      [&]<Direction kAhead>() { landings[kAhead] = step<kAhead>(step<kAhead>(men) & occupied) & ~occupied; });
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

}  // namespace

std::vector<Option<MenRules>> men_options() {
  using Rules = MenRules;
  std::vector<Option<Rules>> options = {
      choice_of<&Rules::setup, Rules>("setup", {"rows13", "rows12"}),
      choice_of<&Rules::custodian, Rules>("custodian", {"single", "line", "none"}),
      choice_of<&Rules::custodian_total, Rules>("custodian_total", {"any", "one"}),
      choice_of<&Rules::intervention, Rules>("intervention", {"pair", "line", "none"}),
      choice_of<&Rules::same_axis, Rules>("same_axis", {"union", "intervention_only", "custodian_only"}),
      choice_of<&Rules::corner_capture, Rules>("corner_capture", {"off", "on"}),
      choice_of<&Rules::jump, Rules>("jump", {"off", "on"}),
  };
  add_end_options(&options);
  return options;
}

void add_men_features(const MenRules& rules, GameInfo* info) {
  add_feature("men_move=rook", 1, info);
  add_feature("jump", rules.jump, info);
  add_capture_features(rules, info);
  add_choice_feature(rules.custodian_total, {"", "custodian_total=one"}, info);
  add_end_features(rules, info);
}

CustodialMen::CustodialMen(GameInfo info, const MenRules& rules)
    : rules_(rules),
      plain_captures_(static_cast<const CaptureRules&>(rules) == CaptureRules() && !choosing()),
      info_(std::move(info)) {
  info_.kinds = "M";
  info_.kind_value = {100};
}

Position CustodialMen::initial() const {
  const int second_row = rules_.setup == Setup::kRows13 ? 2 : 1;
  Position position;
  position.side[0] = kRank1 | kRank1 << 8 * second_row;
  position.side[1] = kRank8 | kRank8 >> 8 * second_row;
  position.kind[0] = position.occupied();
  return position;
}

void CustodialMen::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  if (!position.enemy()) return;
  const Bitboard own = position.own(), occupied = position.occupied();
  add_moves(slides_of(own, ~occupied), own, moves);
  if (rules_.jump) {
    for_each_jump(jumps_of(own, occupied), [&](Bitboard origin, Bitboard landing) {
      moves->add(Move::step(first_square(origin), first_square(landing)));
    });
  }
  if (choosing()) add_choices(position, moves);
  if (moves->empty() && rules_.no_move == NoMove::kPass && own) moves->add(Move::pass());
}

void CustodialMen::add_choices(const Position& position, MoveList* moves) const {
  const MoveList without = *moves;
  moves->clear();
  for (const Move move : without) {
    const int choices = choices_of(captures_by(move, position)).size;
    for (int i = 0; i < std::max(choices, 1); ++i) {
      moves->add(Move::step(move.origin(), move.destination(), i));
    }
  }
}

// Counts all slides of a side at once, without a loop over its men.
int CustodialMen::count_moves(const Position& position) const {
  if (choosing()) return Game::count_moves(position);
  const Bitboard own = position.own(), occupied = position.occupied();
  if (own == occupied) return 0;
  int count = count_rook_slides(own, ~occupied);
  if (rules_.jump) count += jumps_of(own, occupied).count();
  return count == 0 && own && rules_.no_move == NoMove::kPass ? 1 : count;
}

Captures CustodialMen::captures_by(Move move, const Position& position) const {
  const Bitboard arrival = bit(move.destination());
  return captures_of(rules_, arrival, position.own() ^ bit(move.origin()) ^ arrival, position.enemy(),
                     kCorners);
}

// Drops the custodian captures that the mover did not choose; men whom the pair takes fall either way.
Bitboard CustodialMen::chosen(const Captures& captures, int alternative) const {
  if (!choosing()) return captures.all();
  const Choices choices = choices_of(captures);
  if (choices.size < 2) return captures.all();
  return captures.intervention | captures.corner |
         captures.custodian[static_cast<int>(choices.directions[alternative])];
}

void CustodialMen::apply(Move move, Position* position) const {
  const int us = index(hand_over(position));
  if (move.is_pass()) return;
  if (!plain_captures_) return apply_by_rules(us, move, position);
  const Bitboard own = moved(position->side[us], move), enemy = position->side[1 - us];
  settle(us, own, single_and_pair_captures(bit(move.destination()), own, enemy), position);
}

void CustodialMen::apply_by_rules(int us, Move move, Position* position) const {
  const Bitboard own = moved(position->side[us], move), enemy = position->side[1 - us];
  const Captures captures = captures_of(rules_, bit(move.destination()), own, enemy, kCorners);
  settle(us, own, chosen(captures, move.alternative()), position);
}

Outcome CustodialMen::outcome(const Position& position, bool can_move, int occurrences) const {
  if (!position.enemy()) return {win_of(position.to_move), Reason::kNoPieces};
  if (!position.own()) return {win_of(other(position.to_move)), Reason::kNoPieces};
  const bool dead = size(position.side[0]) == 1 && size(position.side[1]) == 1;
  return outcome_without_winner(rules_, position, can_move, occurrences, dead);
}

// All slides at once: whoever arrives on a square takes the same men. The origin does not matter, since all
// squares between it and the destination are empty.
Threats CustodialMen::threats(const Position& position, Color side) const {
  const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
  const Bitboard arrivals = rook_slides(own, ~(own | enemy));
  const Captures captures = captures_of(rules_, arrivals, own, enemy, kCorners);
  Threats threats = {captures.all(), captures.arrivals};
  if (rules_.jump) add_jump_threats(own, enemy, &threats);
  return threats;
}

// A jumper is one by one taken from its origin: left there, it would flank the man that it jumps over.
void CustodialMen::add_jump_threats(Bitboard own, Bitboard enemy, Threats* threats) const {
  for_each_jump(jumps_of(own, own | enemy), [&](Bitboard origin, Bitboard landing) {
    const Captures captures = captures_of(rules_, landing, own ^ origin, enemy, kCorners);
    threats->targets |= captures.all();
    threats->destinations |= captures.arrivals;
  });
}

std::uint8_t CustodialMen::symmetries(const Position&) const { return kAllSymmetries; }

void CustodialMen::check(const Position& position, std::vector<std::string>* reasons) const {
  if (!position.occupied()) reasons->push_back("the board is empty: put at least one man on it");
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    check_at_most(kMen, "men", side, size(position.side[index(side)]), reasons);
  }
}

// ":e3", the nearest man of the direction that the mover chooses.
std::string CustodialMen::move_suffix(const Position& position, Move move) const {
  if (!choosing()) return "";
  const Captures captures = captures_by(move, position);
  const Choices choices = choices_of(captures);
  if (choices.size < 2) return "";
  const Direction direction = choices.directions[move.alternative()];
  const Bitboard taken = captures.custodian[static_cast<int>(direction)] & ~captures.intervention;
  return ":" + square_text(ascends(direction) ? first_square(taken) : last_square(taken));
}

}  // namespace makzero::game
