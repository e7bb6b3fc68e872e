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

constexpr int kMen = 16;
constexpr int kHunterValue = 1000;  // Half-way between sixteen men and the four that are the least.
constexpr int kPaths = 8;           // That a move's alternative can tell apart.

enum class MenMove : std::uint8_t { kRook, kStep, kStepForwardSideways };
enum class HunterMove : std::uint8_t { kRook, kStep };

// Result at either limit.
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

void add_features(const HuntRules& rules, GameInfo* info) {
  add_choice_feature(rules.men_move, {"men_move=rook", "men_move=step", "men_move=step_forward_sideways"},
                     info);
  add_capture_features({.custodian = Custodian::kNone, .intervention = Intervention::kNone}, info);
  add_choice_feature(rules.hunter_move, {"hunter_move=rook", "hunter_move=step"}, info);
  add_feature("chain", rules.chain, info);
  add_feature("flying", rules.flying, info);
  add_feature("min_men", static_cast<float>(rules.min_men) / kMen, info);
  add_no_move_feature(NoMove::kLoss, info);
  add_limit_features(rules, info);
  add_choice_feature(rules.limit_result, {"", "limit_result=hunter_wins"}, info);
}

// Leaps in a row: the squares of landing and the men that they leave.
struct Chain {
  std::array<Square, kMen + 1> path;  // The origin first.
  int leaps = 0;
  Bitboard men = 0;

  Square last() const { return path[leaps]; }
};

class Hunt final : public Game {
 public:
  static constexpr int kMan = 0, kHunter = 1;  // Position::kind.

  Hunt(GameInfo info, const HuntRules& rules) : rules_(rules), info_(std::move(info)) {
    info_.kinds = "MH";
    info_.has_hunter = true;
    info_.kind_value = {100, kHunterValue};
  }

  const GameInfo& info() const override { return info_; }

  Position initial() const override {
    Position position;
    position.side[0] = position.kind[kMan] = kRank1 | kRank1 << 16;
    position.side[1] = position.kind[kHunter] = bit(square_at(4, 7));
    return position;
  }

  void legal_moves(const Position& position, MoveList* moves) const override {
    moves->clear();
    if (decided(position)) return;
    const Bitboard men = position.side[0], hunter = position.side[1];
    if (position.to_move == Color::kWhite) return add_moves(men_moves(position), men, moves);
    add_moves(hunter_moves(hunter, men), hunter, moves);
    if (rules_.chain) return add_chains(position, moves);
    add_moves(leaps(hunter, men), hunter, moves);
  }

  int count_moves(const Position& position) const override {
    if (decided(position)) return 0;
    if (position.to_move == Color::kWhite) return men_moves(position).count();
    if (rules_.chain) return Game::count_moves(position);
    const Bitboard men = position.side[0], hunter = position.side[1];
    return hunter_moves(hunter, men).count() + leaps(hunter, men).count();
  }

  void apply(Move move, Position* position) const override {
    Bitboard men = position->side[0];
    if (position->to_move == Color::kWhite) {
      men = moved(men, move);
    } else {
      men = rules_.chain ? chain_of(move, *position).men : men & ~between(move.origin(), move.destination());
      position->side[1] = position->kind[kHunter] = bit(move.destination());
    }
    hand_over(position);
    if (size(men) < size(position->side[0])) position->no_progress_plies = 0;
    position->side[0] = position->kind[kMan] = men;
  }

  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    if (decided(position)) return {Result::kBlackWins, Reason::kTooFewMen};
    if (!can_move) return {win_of(other(position.to_move)), Reason::kNoLegalMove};
    const Reason reason = reached_limit(rules_, position, occurrences, false);
    if (reason == Reason::kNone) return {};
    const bool hunter_wins =
        rules_.limit_result == HuntLimitResult::kHunterWins && reason != Reason::kRepetition;
    return {hunter_wins ? Result::kBlackWins : Result::kDraw, reason};
  }

  Threats threats(const Position& position, Color side) const override {
    Threats threats;
    if (side == Color::kWhite) return threats;
    const Bitboard men = position.side[0];
    const auto add = [&](const Chain& chain) {
      threats.targets |= men ^ chain.men;
      threats.destinations |= bit(chain.last());
    };
    visit_chains({{first_square(position.side[1])}, 0, men}, &add);
    return threats;
  }

  // Men who only step forward and sideways tell up from down.
  std::uint8_t symmetries(const Position&) const override {
    return rules_.men_move == MenMove::kStepForwardSideways ? kLeftRight : kAllSymmetries;
  }

  void check(const Position& position, std::vector<std::string>* reasons) const override {
    const Bitboard hunters = position.kind[kHunter], men = position.kind[kMan];
    if (size(hunters & position.side[1]) != 1)
      reasons->push_back("Black needs one hunter: put one 'h' on the board");
    if (hunters & position.side[0]) reasons->push_back("White has a hunter: only Black has one, 'h'");
    if (men & position.side[1]) reasons->push_back("Black has men: only White has them, 'M'");
    check_at_most(kMen, "men", Color::kWhite, size(men & position.side[0]), reasons);
  }

  std::string move_path(const Position& position, Move move) const override {
    if (!rules_.chain || position.to_move == Color::kWhite) return "";
    const Chain chain = chain_of(move, position);
    std::string path;
    for (int i = 1; i < chain.leaps; ++i) path += square_text(chain.path[i]);
    return path;
  }

 private:
  bool decided(const Position& position) const { return size(position.side[0]) < rules_.min_men; }

  Destinations men_moves(const Position& position) const {
    const Bitboard men = position.side[0], open = ~position.occupied();
    if (rules_.men_move == MenMove::kRook) return slides_of(men, open);
    Destinations steps = steps_of(men, open);
    if (rules_.men_move == MenMove::kStepForwardSideways) steps[Direction::kSouth] = 0;
    return steps;
  }

  Destinations hunter_moves(Bitboard hunter, Bitboard men) const {
    const Bitboard open = ~(hunter | men);
    return rules_.hunter_move == HunterMove::kRook ? slides_of(hunter, open) : steps_of(hunter, open);
  }

  // The landing squares of one leap, and all chains of leaps that go on from a first part.
  // With flying, the nearest man ahead is leapt over, otherwise only one beside the hunter.
  Destinations leaps(Bitboard hunter, Bitboard men) const {
    Destinations landings;
    for_each_direction([&]<Direction kAhead>() {
      const Bitboard before = rules_.flying ? hunter | slide<kAhead>(hunter, ~(hunter | men)) : hunter;
      landings[kAhead] = step<kAhead>(step<kAhead>(before) & men) & ~men;
    });
    return landings;
  }

  // Calls visit for every longer chain, each before those that go on from it; without the option, for one
  // more leap.
  template <class Visit>
  void visit_chains(const Chain& begun, Visit* visit) const {
    const Destinations landings = leaps(bit(begun.last()), begun.men);
    for_each_direction([&]<Direction kAhead>() {
      if (!landings[kAhead]) return;
      Chain chain = begun;
      chain.path[++chain.leaps] = first_square(landings[kAhead]);
      chain.men ^= step<opposite(kAhead)>(landings[kAhead]);
      (*visit)(chain);
      if (rules_.chain) visit_chains(chain, visit);
    });
  }

  // Paths to one square are numbered; a slide there comes before them.
  void add_chains(const Position& position, MoveList* moves) const {
    const Square hunter = first_square(position.side[1]);
    std::array<std::uint8_t, kSquares> paths = {};
    for (const Move slide : *moves) paths[slide.destination()] = 1;
    const auto add = [&](const Chain& chain) {
      std::uint8_t& number = paths[chain.last()];
      if (number < kPaths) moves->add(Move::step(hunter, chain.last(), number++));
    };
    visit_chains({{hunter}, 0, position.side[0]}, &add);
  }

  // The leaps of a move; none for a slide.
  Chain chain_of(Move move, const Position& position) const {
    const Chain none = {{move.origin()}, 0, position.side[0]};
    int number = contains(hunter_moves(position.side[1], position.side[0]).all(), move.destination());
    if (move.alternative() < number) return none;
    Chain found = none;
    const auto compare = [&](const Chain& chain) {
      if (chain.last() == move.destination() && number++ == move.alternative()) found = chain;
    };
    visit_chains(none, &compare);
    return found;
  }

  const HuntRules rules_;
  GameInfo info_;
};

}  // namespace

Rulesets hunt_rulesets() {
  using Rules = HuntRules;
  RulesTable<Rules> table;
  table.family = "custodial";
  table.source = "Wikipedia, Mak-yek: one piece against sixteen";
  table.rulesets = {
      {"hunt",
       "Hunt Mak-yek",
       "Sixteen men slide like rooks and shut in one hunter, who slides too and takes by leaping "
       "until fewer than four are left.",
       {}}};
  table.options = {
      choice_of<&Rules::men_move, Rules>("men_move", {"rook", "step", "step_forward_sideways"}),
      choice_of<&Rules::hunter_move, Rules>("hunter_move", {"rook", "step"}),
      choice_of<&Rules::chain, Rules>("chain", {"off", "on"}),
      choice_of<&Rules::flying, Rules>("flying", {"off", "on"}),
      number_of<&Rules::min_men, Rules>("min_men", 1, kMen),
  };
  add_limit_options<Rules>(&table.options);
  table.options.push_back(choice_of<&Rules::limit_result, Rules>("limit_result", {"draw", "hunter_wins"}));
  table.add_features = add_features;
  return make_rulesets<Hunt>(std::move(table));
}

}  // namespace makzero::game
