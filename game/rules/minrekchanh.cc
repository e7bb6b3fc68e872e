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
#include <algorithm>
#include <utility>

#include "game/notation.h"
#include "game/plain_text.h"
#include "game/rule_features.h"
#include "game/rules/custodial_capture.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"
#include "game/rules/rek.h"
#include "game/rules/turn.h"

namespace makzero::game {
namespace {

enum class KingMove : std::uint8_t { kImmobile, kRook, kStep };
enum class Obligation : std::uint8_t { kGlobal, kTransition, kNone };

struct MinRekChanhRules : RekRules {
  MinRekChanhRules() { surround = Surround::kOff; }

  KingMove king = KingMove::kImmobile;
  Obligation obligation = Obligation::kGlobal;
};

// Adds a reason where the rules cannot be played.
void check_rules(const MinRekChanhRules& rules, std::vector<std::string>* reasons) {
  check_rules(static_cast<const Limits&>(rules), reasons);
  if (rules.order != CaptureOrder::kInterventionFirst && rules.obligation != Obligation::kNone) {
    reasons->push_back(
        "option 'order' needs obligation=none: who must take a pair takes it before groups are looked at");
  }
}

void add_features(const MinRekChanhRules& rules, GameInfo* info) {
  add_pair_features(rules, info);
  add_choice_feature(rules.king, {"king_move=immobile", "king_move=rook", "king_move=step"}, info);
  add_choice_feature(rules.obligation, {"obligation=global", "obligation=transition", ""}, info);
}

// The part of the destinations that is obligatory.
Destinations obliged_part(const Destinations& destinations, const Position& position) {
  Destinations part;
  for_each_direction(
      [&]<Direction kAhead>() { part[kAhead] = destinations[kAhead] & position.obliged[ascends(kAhead)]; });
  return part;
}

void oblige(Move move, Position* position) {
  position->obliged[move.origin() < move.destination()] |= bit(move.destination());
}

bool has_obligation(const Position& position) { return position.obliged[0] | position.obliged[1]; }

std::string step_text(Move move) { return square_text(move.origin()) + square_text(move.destination()); }

class MinRekChanh final : public Rek {
 public:
  MinRekChanh(GameInfo info, const MinRekChanhRules& rules) : Rek(std::move(info), rules), rules_(rules) {
    info_.has_obligations = rules.obligation == Obligation::kTransition;
    info_.must_take = rules.obligation == Obligation::kGlobal;
  }

  void legal_moves(const Position& position, MoveList* moves) const override {
    moves->clear();
    if (decided(position)) return;
    const Bitboard own = position.own(), kings = position.kind[kKing];
    if (surrounding_obliges()) {
      add_moves(destinations(own, kings, position.occupied()), movers(own, kings), moves);
      keep_captures(position, moves);
    } else {
      add_moves(allowed(position), movers(own, kings), moves);
    }
    if (moves->empty() && rules_.no_move == NoMove::kPass) moves->add(Move::pass());
  }

  int count_moves(const Position& position) const override {
    if (surrounding_obliges()) {
      MoveList moves;
      legal_moves(position, &moves);
      return moves.size();
    }
    if (decided(position)) return 0;
    const int count = allowed(position).count();
    return count == 0 && rules_.no_move == NoMove::kPass ? 1 : count;
  }

  // Obliges the opponent to what he can take now and could not before: openings of the men that he still has,
  // on the board before the move.
  void apply(Move move, Position* position) const override {
    const Position before = *position;
    Rek::apply(move, position);
    if (rules_.obligation != Obligation::kTransition) return;
    position->obliged[0] = position->obliged[1] = 0;
    if (decided(*position)) return;
    const Bitboard own = position->own(), kings = position->kind[kKing];
    const Destinations open = openings(own, kings, position->occupied(), position->enemy());
    const Destinations open_before = openings(own, before.kind[kKing], before.occupied(), before.own());
    for_each_direction([&]<Direction kAhead>() {
      position->obliged[ascends(kAhead)] |= open[kAhead] & ~open_before[kAhead];
    });
  }

  Threats threats(const Position& position, Color side) const override {
    const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
    const Bitboard kings = position.kind[kKing];
    Destinations all = destinations(own, kings, position.occupied());
    if (side == position.to_move && has_obligation(position)) all = obliged_part(all, position);
    return threats_of(all, movers(own, kings), own, enemy);
  }

  // " c1c4,e1e4": the obligatory moves, if there are any.
  std::string fields_text(const Position& position) const override {
    if (!has_obligation(position)) return "";
    MoveList moves;
    add_moves(allowed(position), movers(position.own(), position.kind[kKing]), &moves);
    std::string text;
    for (const Move move : moves) text += (text.empty() ? " " : ",") + step_text(move);
    return text;
  }

  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override {
    if (rules_.obligation != Obligation::kTransition) return Game::read_fields(fields, position, reasons);
    const Bitboard own = position->own(), kings = position->kind[kKing];
    MoveList open;
    add_moves(openings(own, kings, position->occupied(), position->enemy()), movers(own, kings), &open);
    for (const std::string_view field : fields) {
      for (const std::string_view text : split(field, ',')) {
        const auto named =
            std::find_if(open.begin(), open.end(), [&](Move move) { return step_text(move) == text; });
        if (named != open.end())
          oblige(*named, position);
        else if (!text.empty())
          reasons->push_back("obligation '" + std::string(text) +
                             "' is no move that takes a pair: leave it out");
      }
    }
  }

 private:
  // The pieces of a side that may move.
  Bitboard movers(Bitboard own, Bitboard kings) const {
    return rules_.king == KingMove::kImmobile ? own & ~kings : own;
  }

  // Where the pieces of a side can go, and where they take a pair by it.
  Destinations destinations(Bitboard own, Bitboard kings, Bitboard occupied) const {
    if (rules_.king == KingMove::kRook) return slides_of(own, ~occupied);
    const Destinations slides = slides_of(own & ~kings, ~occupied);
    return rules_.king == KingMove::kStep ? slides | steps_of(own & kings, ~occupied) : slides;
  }

  Destinations openings(Bitboard own, Bitboard kings, Bitboard occupied, Bitboard enemy) const {
    return destinations(own, kings, occupied) & arrivals_between_enemies(~occupied, enemy);
  }

  // Where the side to move may go, as far as pairs oblige it.
  Destinations allowed(const Position& position) const {
    const Destinations all = destinations(position.own(), position.kind[kKing], position.occupied());
    if (has_obligation(position)) return obliged_part(all, position);
    if (rules_.obligation != Obligation::kGlobal) return all;
    const Destinations takes = all & arrivals_between_enemies(~position.occupied(), position.enemy());
    return takes.all() ? takes : all;
  }
  // True if surrounding fulfils an obligation, so that moves have to be tried.
  bool surrounding_obliges() const {
    return rules_.surround != Surround::kOff && rules_.obligation == Obligation::kGlobal;
  }

  // Removes the moves that take nothing, unless none takes.
  void keep_captures(const Position& position, MoveList* moves) const {
    MoveList captures;
    for (const Move move : *moves) {
      const Bitboard own = moved(position.own(), move);
      if (taken_by(bit(move.destination()), own, position.enemy())) captures.add(move);
    }
    if (!captures.empty()) *moves = captures;
  }

  const MinRekChanhRules rules_;
};

}  // namespace

Rulesets minrekchanh_rulesets() {
  using Rules = MinRekChanhRules;
  RulesTable<Rules> table;
  table.family = "custodial";
  table.source = "Wikipedia, Rek; Khmer texts collected by an open-source Rek engine";
  const std::string pair =
      "Men slide like rooks, kings stay; capture the king. A man arriving between two enemies takes both, ";
  Rules surround;
  surround.surround = Surround::kOn;
  surround.obligation = Obligation::kNone;
  table.rulesets = {{"minrekchanh", "Min Rek Chanh", pair + "and who can take must.", {}},
                    {"minrekchanh-surround", "Min Rek Chanh, surrounding",
                     pair + "and a group without an empty square beside it falls.", surround}};
  table.options = {
      choice_of<&Rules::obligation, Rules>("obligation", {"global", "transition", "none"}),
      choice_of<&Rules::surround, Rules>("surround", {"off", "on", "single"}),
      choice_of<&Rules::king, Rules>("king", {"immobile", "rook", "step"}),
      choice_of<&Rules::kings, Rules>("kings", {"left", "right", "mirror"}),
      choice_of<&Rules::order, Rules>("order", {"intervention_first", "simultaneous", "surround_first"}),
  };
  add_end_options<Rules>(&table.options);
  table.add_features = add_features;
  return make_rulesets<MinRekChanh>(std::move(table));
}

}  // namespace makzero::game
