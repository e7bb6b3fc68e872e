#include "game/rules/kaok.h"

#include "game/rule_features.h"
#include "game/rules/ok_moves.h"

namespace makzero::game {
namespace {

GameInfo kaok_info(std::string ruleset, const OkRules& rules) {
  GameInfo info;
  info.title = ruleset.starts_with("karouk") ? "Ka Ok, as Fairy-Stockfish plays it" : "Ka Ok";
  info.ruleset = std::move(ruleset);
  info.summary = "Cambodian chess (Ok) in which whoever gives check first wins.";
  info.source = "Wikipedia, Makruk (Cambodian chess); Fairy-Stockfish where it is silent";
  info.options = describe_options(ok_options(), rules);
  add_ok_features("kaok", rules, &info);
  add_feature("first_check_wins", 1, &info);
  return info;
}

// No moves once a king is in check: the game is over.
template <class Visitor>
void visit_moves(const OkRules& rules, const Position& position, Visitor* visitor) {
  by_side(position.to_move, [&]<Color kSide>() {
    const ChecksAndPins safety = ok_checks_and_pins<kSide>(rules, position);
    if (contains(safety.attacked, safety.king)) return;
    visit_ok_moves<kSide>(rules, position, safety, visitor);
  });
}

}  // namespace

KaOk::KaOk(std::string ruleset, const OkRules& rules) : Ok(kaok_info(std::move(ruleset), rules), rules) {}

void KaOk::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  visit_moves(leap_rules(), position, &lister);
}

int KaOk::count_moves(const Position& position) const {
  MoveCounter counter;
  visit_moves(leap_rules(), position, &counter);
  return counter.moves;
}

Outcome KaOk::outcome(const Position& position, bool can_move, int occurrences) const {
  if (in_check(position, position.to_move)) return {win_of(other(position.to_move)), Reason::kCheck};
  if (!can_move) return {Result::kDraw, Reason::kStalemate};
  const bool bare_kings = position.occupied() == position.kind[kKing];
  return with_replies(position, occurrences, bare_kings);
}

void KaOk::read_fields(std::span<const std::string_view> fields, Position* position,
                       std::vector<std::string>* reasons) const {
  std::vector<std::string_view> kept(fields.begin(), fields.end());
  if (kept.size() > 2 && kept[2] == "1+1") kept.erase(kept.begin() + 2);
  Ok::read_fields(kept, position, reasons);
}

const std::vector<std::string>& kaok_rulesets() {
  static const std::vector<std::string> kNames = {"kaok", "karouk"};
  return kNames;
}

Parsed<GamePtr> make_kaok(std::string_view ruleset, const OptionTexts& options) {
  const OkRules named = ruleset == "karouk" ? cambodian_rules() : OkRules();
  return make_chess_game<KaOk>(ruleset, ok_options(), named, options);
}

}  // namespace makzero::game
