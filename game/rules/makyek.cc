#include "game/rules/makyek.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <utility>

#include "game/rules/custodial_capture.h"
#include "game/rules/end_rules.h"
#include "game/slides.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr Bitboard kCorners = bit(0) | bit(7) | bit(56) | bit(63);
constexpr int kMen = 16;

enum class Setup : std::uint8_t { kRows13, kRows12 };

// How many custodian captures one move may make: in any direction, or in one that the mover chooses.
enum class CustodianTotal : std::uint8_t { kAny, kOne };

struct MakyekRules : CaptureRules, EndRules {
  Setup setup = Setup::kRows13;
  CustodianTotal custodian_total = CustodianTotal::kAny;
  bool jump = false;  // Besides sliding, a man may jump over one adjacent man without taking it.
};

const std::vector<Option<MakyekRules>>& option_table() {
  using Rules = MakyekRules;
  static const std::vector<Option<Rules>> kTable = [] {
    std::vector<Option<Rules>> table = {
        choice_of<&Rules::setup, Rules>("setup", {"rows13", "rows12"}),
        choice_of<&Rules::custodian, Rules>("custodian", {"single", "line", "none"}),
        choice_of<&Rules::custodian_total, Rules>("custodian_total", {"any", "one"}),
        choice_of<&Rules::intervention, Rules>("intervention", {"pair", "line", "none"}),
        choice_of<&Rules::same_axis, Rules>("same_axis", {"union", "intervention_only", "custodian_only"}),
        choice_of<&Rules::corner_capture, Rules>("corner_capture", {"off", "on"}),
        choice_of<&Rules::jump, Rules>("jump", {"off", "on"}),
    };
    add_end_options(&table);
    return table;
  }();
  return kTable;
}

struct Ruleset {
  std::string name, title, summary;
  MakyekRules rules;
};

const std::vector<Ruleset>& rulesets() {
  static const std::vector<Ruleset> kRulesets = [] {
    const std::string slide = "Men slide like rooks; take all enemy men. ";
    const std::string pair = "A man arriving between two enemies takes both";
    MakyekRules line, low, corner, jump;
    line.custodian = low.custodian = Custodian::kLine;
    low.intervention = Intervention::kLine;
    corner.corner_capture = true;
    jump.jump = true;
    return std::vector<Ruleset>{
        {"makyek", "Mak-yek", slide + pair + ", and one enemy caught between two own men falls.", {}},
        {"makyek-line", "Mak-yek, lines",
         slide + pair + ", and a row of enemies caught between two own men falls.", line},
        {"makyek-low", "Mak-yek after Low (1839)",
         slide + pair + " and the enemies behind them, and a row caught between two own men falls.", low},
        {"makyek-corner", "Mak-yek, corners",
         slide + pair +
             ", one enemy between two own men falls, and so does a corner man with both neighbours taken.",
         corner},
        {"makyek-jump", "Mak-yek, jumps",
         slide + pair +
             ", one enemy between two own men falls, and a man may jump over a neighbour without taking it.",
         jump},
    };
  }();
  return kRulesets;
}

// The landing squares of jumps over an adjacent piece, in one direction.
template <Direction kDirection>
Bitboard jumps(Bitboard men, Bitboard occupied) {
  return step<kDirection>(step<kDirection>(men) & occupied) & ~occupied;
}

template <Direction kDirection>
void add_jumps(Bitboard men, Bitboard occupied, MoveList* moves) {
  for (Bitboard landings = jumps<kDirection>(men, occupied); landings;) {
    const Square landing = pop_first(&landings);
    const Bitboard origin = step<opposite(kDirection)>(step<opposite(kDirection)>(bit(landing)));
    moves->add(Move::step(first_square(origin), landing));
  }
}

// Who slides to a square is the nearest man behind it.
template <Direction kDirection>
void add_slides(Bitboard men, Bitboard occupied, MoveList* moves) {
  using enum Direction;
  const auto& lines = kDirection == kNorth || kDirection == kSouth ? kFileLines : kRankLines;
  for (Bitboard destinations = slide<kDirection>(men, ~occupied); destinations;) {
    const Square destination = pop_first(&destinations);
    const Line& line = lines[destination];
    const bool ascending = kDirection == kNorth || kDirection == kEast;
    const Square origin = ascending ? last_square(men & line.below) : first_square(men & line.above);
    moves->add(Move::step(origin, destination));
  }
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

class MakyekGame final : public Game {
 public:
  MakyekGame(const Ruleset& ruleset, const MakyekRules& rules);

  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, const MoveList& legal, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  std::uint8_t symmetries(const Position&) const override { return kAllSymmetries; }
  void check(const Position& position, std::vector<std::string>* reasons) const override;
  std::string move_suffix(const Position& position, Move move) const override;

 private:
  bool choosing() const { return rules_.custodian_total == CustodianTotal::kOne; }

  // What a slide or jump would take. REQUIRES: the move is legal up to its alternative.
  Captures captures_by(Move move, const Position& position) const;
  Bitboard chosen(const Captures& captures, int alternative) const;
  void add_choices(const Position& position, MoveList* moves) const;
  template <Direction kDirection>
  void add_jump_threats(Bitboard own, Bitboard enemy, Threats* threats) const;

  const MakyekRules rules_;
  const bool plain_captures_;  // Single custodian and pair intervention, nothing else: the fast way.
  GameInfo info_;
};

MakyekGame::MakyekGame(const Ruleset& ruleset, const MakyekRules& rules)
    : rules_(rules),
      plain_captures_(static_cast<const CaptureRules&>(rules) == CaptureRules() &&
                      rules.custodian_total == CustodianTotal::kAny) {
  info_.ruleset = ruleset_text(ruleset.name, option_table(), ruleset.rules, rules);
  info_.title = ruleset.title;
  info_.summary = ruleset.summary;
  info_.source = "Wikipedia, Mak-yek; J. Low 1839";
  info_.kinds = "M";
  info_.kind_value = {100};
  info_.repetition = rules.repetition;
  info_.no_progress = rules.no_progress;
  info_.max_plies = rules.max_plies;
  info_.options = describe_options(option_table(), rules);
}

Position MakyekGame::initial() const {
  const int second_row = rules_.setup == Setup::kRows13 ? 2 : 1;
  Position position;
  position.side[0] = kRank1 | kRank1 << 8 * second_row;
  position.side[1] = kRank8 | kRank8 >> 8 * second_row;
  position.kind[0] = position.occupied();
  return position;
}

// Lists direction by direction rather than man by man: 54 moves take 73 ns instead of 163, since a loop over
// the few squares of each man mispredicts its end.
void MakyekGame::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  if (!position.enemy()) return;
  using enum Direction;
  const Bitboard own = position.own(), occupied = position.occupied();
  add_slides<kNorth>(own, occupied, moves);
  add_slides<kSouth>(own, occupied, moves);
  add_slides<kEast>(own, occupied, moves);
  add_slides<kWest>(own, occupied, moves);
  if (rules_.jump) {
    add_jumps<kNorth>(own, occupied, moves);
    add_jumps<kSouth>(own, occupied, moves);
    add_jumps<kEast>(own, occupied, moves);
    add_jumps<kWest>(own, occupied, moves);
  }
  if (choosing()) add_choices(position, moves);
  if (moves->empty() && rules_.no_move == NoMove::kPass && own) moves->add(Move::pass());
}

void MakyekGame::add_choices(const Position& position, MoveList* moves) const {
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
int MakyekGame::count_moves(const Position& position) const {
  if (choosing()) return Game::count_moves(position);
  const Bitboard own = position.own(), occupied = position.occupied();
  if (!own || own == occupied) return 0;
  int count = count_rook_slides(own, ~occupied);
  if (rules_.jump) {
    using enum Direction;
    count += size(jumps<kNorth>(own, occupied)) + size(jumps<kSouth>(own, occupied)) +
             size(jumps<kEast>(own, occupied)) + size(jumps<kWest>(own, occupied));
  }
  return count == 0 && rules_.no_move == NoMove::kPass ? 1 : count;
}

Captures MakyekGame::captures_by(Move move, const Position& position) const {
  const Bitboard arrival = bit(move.destination());
  return captures_of(rules_, arrival, position.own() ^ bit(move.origin()) ^ arrival, position.enemy(),
                     kCorners);
}

// Drops the custodian captures that the mover did not choose; men whom the pair takes fall either way.
Bitboard MakyekGame::chosen(const Captures& captures, int alternative) const {
  const Choices choices = choices_of(captures);
  if (!choosing() || choices.size < 2) return captures.all();
  return captures.intervention | captures.corner |
         captures.custodian[static_cast<int>(choices.directions[alternative])];
}

void MakyekGame::apply(Move move, Position* position) const {
  const int us = index(position->to_move);
  ++position->ply;
  ++position->quiet_plies;
  position->to_move = other(position->to_move);
  if (move.is_pass()) return;
  const Bitboard arrival = bit(move.destination());
  const Bitboard own = position->side[us] ^ bit(move.origin()) ^ arrival;
  const Bitboard enemy = position->side[1 - us];
  const Bitboard taken = plain_captures_
                             ? single_and_pair_captures(arrival, own, enemy)
                             : chosen(captures_of(rules_, arrival, own, enemy, kCorners), move.alternative());
  position->side[us] = own;
  position->side[1 - us] = enemy ^ taken;
  position->kind[0] = own | (enemy ^ taken);
  if (taken) position->quiet_plies = 0;
}

Outcome MakyekGame::outcome(const Position& position, const MoveList& legal, int occurrences) const {
  if (!position.enemy()) return {win_of(position.to_move), Reason::kNoPieces};
  if (!position.own()) return {win_of(other(position.to_move)), Reason::kNoPieces};
  const bool dead = size(position.side[0]) == 1 && size(position.side[1]) == 1;
  return outcome_without_winner(rules_, position, legal, occurrences, dead);
}

// All slides at once: whoever arrives on a square takes the same men. The origin does not matter, since all
// squares between it and the destination are empty.
Threats MakyekGame::threats(const Position& position, Color side) const {
  const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
  const Bitboard arrivals = rook_slides(own, ~(own | enemy));
  const Captures captures = captures_of(rules_, arrivals, own, enemy, kCorners);
  Threats threats = {captures.all(), captures.arrivals};
  if (rules_.jump) {
    add_jump_threats<Direction::kNorth>(own, enemy, &threats);
    add_jump_threats<Direction::kSouth>(own, enemy, &threats);
    add_jump_threats<Direction::kEast>(own, enemy, &threats);
    add_jump_threats<Direction::kWest>(own, enemy, &threats);
  }
  return threats;
}

// A jumper is one by one taken from its origin: left there, it would flank the man that it jumps over.
template <Direction kDirection>
void MakyekGame::add_jump_threats(Bitboard own, Bitboard enemy, Threats* threats) const {
  for (Bitboard landings = jumps<kDirection>(own, own | enemy); landings;) {
    const Bitboard landing = bit(pop_first(&landings));
    const Bitboard origin = step<opposite(kDirection)>(step<opposite(kDirection)>(landing));
    const Captures captures = captures_of(rules_, landing, own ^ origin, enemy, kCorners);
    threats->targets |= captures.all();
    threats->destinations |= captures.arrivals;
  }
}

void MakyekGame::check(const Position& position, std::vector<std::string>* reasons) const {
  if (!position.occupied()) reasons->push_back("the board is empty: put at least one man on it");
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const int men = size(position.side[index(side)]);
    if (men <= kMen) continue;
    reasons->push_back(std::string(side == Color::kWhite ? "White" : "Black") + " has " +
                       std::to_string(men) + " men: at most " + std::to_string(kMen) + " are possible");
  }
}

// ":e3", the nearest man of the direction that the mover chooses.
std::string MakyekGame::move_suffix(const Position& position, Move move) const {
  if (!choosing()) return "";
  const Captures captures = captures_by(move, position);
  const Choices choices = choices_of(captures);
  if (choices.size < 2) return "";
  const Direction direction = choices.directions[move.alternative()];
  const Bitboard taken = captures.custodian[static_cast<int>(direction)] & ~captures.intervention;
  const bool ascending = direction == Direction::kNorth || direction == Direction::kEast;
  return ":" + square_text(ascending ? first_square(taken) : last_square(taken));
}

}  // namespace

std::vector<std::string> makyek_rulesets() {
  std::vector<std::string> names;
  for (const Ruleset& ruleset : rulesets()) names.push_back(ruleset.name);
  return names;
}

Parsed<GamePtr> make_makyek(std::string_view ruleset, const OptionTexts& options) {
  const auto named = std::find_if(rulesets().begin(), rulesets().end(),
                                  [&](const Ruleset& candidate) { return candidate.name == ruleset; });
  assert(named != rulesets().end());
  MakyekRules rules = named->rules;
  std::vector<std::string> reasons;
  read_options(option_table(), options, &rules, &reasons);
  check_end_rules(rules, &reasons);
  if (!reasons.empty()) return Parsed<GamePtr>::failure(std::move(reasons));
  return GamePtr(std::make_shared<MakyekGame>(*named, rules));
}

}  // namespace makzero::game
