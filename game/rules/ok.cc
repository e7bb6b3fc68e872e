// Ok, also Ouk Chaktrang: Cambodian chess. Makruk, and two leaps that a king and a met have as their
// first move.
//
// Source: Wikipedia "Makruk", section on Cambodian chess. Where it is silent, the choice follows
// Fairy-Stockfish:
//  - As long as no piece of either side has been captured, an unmoved king may leap like a knight, and
//    an unmoved met may go two squares straight ahead.
//  - The king leaps to the row before it alone, b2 or f2 (`ok.king_leap=any`: also c3, e3), to an empty
//    square and not out of check.
//  - The met leaps over whatever stands before it, also out of check, and does not capture
//    (`ok.met_leap_captures=on`: it does, so that it gives check and guards; as a capture ends all
//    leaps, any capture answers that check).
//  - `ok.rook_aim=on`: a king's leap is lost for good when a rook moves to the king's rank or file.
//    `ok.leaps_after_captures=on`: captures do not end the leaps.
//  - Counting as in Makruk, or as in the SEA Games of 2023 (`ok.counting=seagames`); see counting.h.
// `cambodian` is what Fairy-Stockfish plays, `ok-cutechess` the moves of cutechess (its count is not
// here).
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"; D, E are the first-move rights
// of White's king and met, e, d those of Black's. Moves: "d1b2" a king's leap, "e1e3" a met's.
//
// Ka Ok, also Ka Ouk, Kar Ouk: Ok in which the first check wins.
//
// Source: Wikipedia "Makruk", section on Cambodian chess; Fairy-Stockfish ("karouk") where it is
// silent:
//  - A move that exposes the own king stays illegal, even if it would give check, so nobody is in check
//    on his turn. A position in which the side to move is in check is over.
//  - A side without a legal move has drawn. Nothing but two bare kings is dead, since any piece can
//    give check.
//  - A counter who gives check while counting wins: the check ends the game before the count is looked
//    at.
//  - Leaps and counting are those of Ok with the same options; `karouk` has those of `cambodian`.
//
// Position: that of Ok; the checks left that Fairy-Stockfish writes behind the limit of the count
// ("1+1") may stand there. Moves: as in Ok.
#include <utility>

#include "game/rule_features.h"
#include "game/rules/chess_game.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

enum class KingLeap : std::uint8_t { kLateral, kAny };

struct OkRules : ChessRules {
  KingLeap king_leap = KingLeap::kLateral;
  bool met_leap_captures = false;
  bool rook_aim = false;              // A rook on the king's rank or file ends the king's leap.
  bool leaps_after_captures = false;  // A capture does not end all leaps.
};

// The square on which the side's unmoved met takes by leaping, where the rules let it.
template <Color kSide>
Bitboard leap_captures(const OkRules& rules, const Position& position) {
  if (!rules.met_leap_captures || !unmoved<kSide>(position, kMetUnmoved)) return 0;
  return forward<kSide>(forward<kSide>(bit(kMetHome<kSide>)));
}

template <Color kSide>
ChecksAndPins ok_checks_and_pins(const OkRules& rules, const Position& position) {
  ChecksAndPins safety = checks_and_pins<kSide>(position, MakrukSteps());
  if (const Bitboard leap = leap_captures<other(kSide)>(rules, position)) {
    // Pieces whose capture ends the leap: the met, or any piece where a capture ends all leaps.
    const Bitboard met = bit(kMetHome<other(kSide)>);
    const Bitboard ends_leap = rules.leaps_after_captures ? met : position.enemy();
    safety.attacked |= leap;
    safety.king_targets &= ~leap | ends_leap;
    if (contains(leap, safety.king)) safety.targets &= ends_leap;
  }
  return safety;
}

template <Color kSide, class Visitor>
void visit_ok_moves(const OkRules& rules, const Position& position, const ChecksAndPins& safety,
                    Visitor* visitor) {
  visit_chess_moves<kSide>(position, MakrukSteps(), safety, visitor);
  if (position.rights == 0) return;
  if (!contains(safety.attacked, safety.king)) {
    const Bitboard row = rules.king_leap == KingLeap::kAny ? kAllSquares : kSecondRow<kSide>;
    visitor->from(safety.king, king_leaps<kSide>(position, safety) & row);
  }
  const Bitboard taken = rules.met_leap_captures ? 0 : position.enemy();
  visitor->from(kMetHome<kSide>, met_leap<kSide>(position, safety) & ~position.own() & ~taken);
}

std::vector<Option> ok_options() {
  std::vector<Option> table;
  add_count_options<OkRules>(&table);
  add_chess_end_options<OkRules>(&table);
  table.push_back(choice_of<&OkRules::king_leap, OkRules>("ok.king_leap", {"lateral", "any"}));
  table.push_back(choice_of<&OkRules::met_leap_captures, OkRules>("ok.met_leap_captures", {"off", "on"}));
  table.push_back(choice_of<&OkRules::rook_aim, OkRules>("ok.rook_aim", {"off", "on"}));
  table.push_back(
      choice_of<&OkRules::leaps_after_captures, OkRules>("ok.leaps_after_captures", {"off", "on"}));
  table.push_back(choice_of<&OkRules::scheme, OkRules>("ok.counting", {"makruk", "seagames"}));
  return table;
}

OkRules cambodian_rules() {
  OkRules rules;
  rules.rook_aim = true;
  rules.leaps_after_captures = true;
  rules.scheme = CountScheme::kSeaGames;
  return rules;
}

OkRules cutechess_rules() {
  OkRules rules;
  rules.met_leap_captures = true;
  rules.leaps_after_captures = true;
  return rules;
}

// The features of Ok and of games with its leaps and counting.
void add_ok_features(const OkRules& rules, GameInfo* info) {
  add_chess_features(rules, info);
  add_count_features(rules, info);
  add_feature("king_leap", 1, info);
  add_choice_feature(rules.king_leap, {"", "king_leap=any"}, info);
  add_feature("rook_aim", rules.rook_aim, info);
  add_feature("met_leap", 1, info);
  add_feature("met_leap_captures", rules.met_leap_captures, info);
  add_feature("captures_end_first_moves", !rules.leaps_after_captures, info);
}

void add_kaok_features(const OkRules& rules, GameInfo* info) {
  add_ok_features(rules, info);
  add_feature("first_check_wins", 1, info);
}

class Ok : public VisitedMoves<Ok> {
 public:
  Ok(GameInfo info, const OkRules& rules)
      : VisitedMoves(std::move(info), rules, {.first_movers = {kKing, kMet}}), rules_(rules) {}

  template <Color kSide, class Visitor>
  void visit_moves(const Position& position, Visitor* visitor) const {
    visit_ok_moves<kSide>(rules_, position, ok_checks_and_pins<kSide>(rules_, position), visitor);
  }

  void apply(Move move, Position* position) const override {
    const CountedMove done = move_piece(move, kPromotionRank, position);
    position->rights &= ~(first_moves().at(move.origin()) | first_moves().at(move.destination()));
    if (done.captured && !rules_.leaps_after_captures) position->rights = 0;
    if (rules_.rook_aim && contains(position->kind[kRook], move.destination())) {
      const Square king = first_square(position->own() & position->kind[kKing]);
      if (contains(rook_lines(king), move.destination()))
        position->rights &= ~(kKingUnmoved << 4 * index(position->to_move));
    }
    count_move(rules_, done, position);
  }

  Threats threats(const Position& position, Color side) const override {
    Threats threats = ChessGame::threats(position, side);
    by_side(side, [&]<Color kSide>() {
      const Bitboard leap = leap_captures<kSide>(rules_, position);
      threats.destinations |= leap;
      threats.targets |= leap & position.side[index(other(side))];
    });
    return threats;
  }

 protected:
  const OkRules& leap_rules() const { return rules_; }

 private:
  OkRules rules_;
};

class KaOk final : public VisitedMoves<KaOk, Ok> {
 public:
  using VisitedMoves::VisitedMoves;

  // No moves once a king is in check: the game is over.
  template <Color kSide, class Visitor>
  void visit_moves(const Position& position, Visitor* visitor) const {
    const ChecksAndPins safety = ok_checks_and_pins<kSide>(leap_rules(), position);
    if (!contains(safety.attacked, safety.king))
      visit_ok_moves<kSide>(leap_rules(), position, safety, visitor);
  }

  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    if (in_check(position, position.to_move)) return {win_of(other(position.to_move)), Reason::kCheck};
    if (!can_move) return {Result::kDraw, Reason::kStalemate};
    const bool bare_kings = position.occupied() == position.kind[kKing];
    return with_replies(position, occurrences, bare_kings);
  }

  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override {
    std::vector<std::string_view> kept(fields.begin(), fields.end());
    if (kept.size() > 2 && kept[2] == "1+1") kept.erase(kept.begin() + 2);
    Ok::read_fields(kept, position, reasons);
  }
};

}  // namespace

Rulesets ok_rulesets() {
  const std::string summary =
      "Cambodian chess: Makruk whose king may once leap like a knight and whose queen may once go two "
      "squares ahead.";
  return make_rulesets<Ok, OkRules>(
      {"chess",
       "Wikipedia, Makruk (Cambodian chess); Fairy-Stockfish and cutechess for their rulesets",
       {{"ok", "Ok", summary, {}},
        {"cambodian", "Ok, as Fairy-Stockfish plays it", summary, cambodian_rules()},
        {"ok-cutechess", "Ok, as Cute Chess plays it", summary, cutechess_rules()}},
       ok_options(),
       add_ok_features});
}

Rulesets kaok_rulesets() {
  const std::string summary = "Cambodian chess (Ok) in which whoever gives check first wins.";
  return make_rulesets<KaOk, OkRules>(
      {"chess",
       "Wikipedia, Makruk (Cambodian chess); Fairy-Stockfish where it is silent",
       {{"kaok", "Ka Ok", summary, {}},
        {"karouk", "Ka Ok, as Fairy-Stockfish plays it", summary, cambodian_rules()}},
       ok_options(),
       add_kaok_features});
}

}  // namespace makzero::game
