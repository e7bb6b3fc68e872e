#include "game/rules/ok.h"

#include "game/rule_features.h"
#include "game/rules/ok_moves.h"

namespace makzero::game {
namespace {

GameInfo ok_info(std::string ruleset, const OkRules& rules) {
  GameInfo info;
  info.title = ruleset.starts_with("cambodian")      ? "Ok, as Fairy-Stockfish plays it"
               : ruleset.starts_with("ok-cutechess") ? "Ok, as Cute Chess plays it"
                                                     : "Ok";
  info.ruleset = std::move(ruleset);
  info.summary =
      "Cambodian chess: Makruk whose king may once leap like a knight and whose queen may once go two "
      "squares "
      "ahead.";
  info.source = "Wikipedia, Makruk (Cambodian chess); Fairy-Stockfish and cutechess for their rulesets";
  info.options = describe_options(ok_options(), rules);
  add_ok_features("ok", rules, &info);
  return info;
}

OkRules cutechess_rules() {
  OkRules rules;
  rules.met_leap_captures = true;
  rules.leaps_after_captures = true;
  return rules;
}

}  // namespace

const std::vector<Option<OkRules>>& ok_options() {
  static const std::vector<Option<OkRules>> kOptions = [] {
    std::vector<Option<OkRules>> table;
    add_count_options(&table);
    add_chess_end_options(&table);
    table.push_back(choice_of<&OkRules::king_leap, OkRules>("ok.king_leap", {"lateral", "any"}));
    table.push_back(choice_of<&OkRules::met_leap_captures, OkRules>("ok.met_leap_captures", {"off", "on"}));
    table.push_back(choice_of<&OkRules::rook_aim, OkRules>("ok.rook_aim", {"off", "on"}));
    table.push_back(
        choice_of<&OkRules::leaps_after_captures, OkRules>("ok.leaps_after_captures", {"off", "on"}));
    table.push_back(choice_of<&OkRules::scheme, OkRules>("ok.counting", {"makruk", "seagames"}));
    return table;
  }();
  return kOptions;
}

OkRules cambodian_rules() {
  OkRules rules;
  rules.rook_aim = true;
  rules.leaps_after_captures = true;
  rules.scheme = CountScheme::kSeaGames;
  return rules;
}

void add_ok_features(std::string_view game, const OkRules& rules, GameInfo* info) {
  add_chess_features(game, rules, info);
  add_count_features(rules, info);
  add_feature("king_leap", 1, info);
  add_choice_feature(rules.king_leap, {"", "king_leap=any"}, info);
  add_feature("rook_aim", rules.rook_aim, info);
  add_feature("met_leap", 1, info);
  add_feature("met_leap_captures", rules.met_leap_captures, info);
  add_feature("captures_end_first_moves", !rules.leaps_after_captures, info);
}

Ok::Ok(std::string ruleset, const OkRules& rules) : Ok(ok_info(std::move(ruleset), rules), rules) {}

Ok::Ok(GameInfo info, const OkRules& rules)
    : ChessGame(std::move(info), rules, {.first_movers = {kKing, kMet}}), rules_(rules) {}

void Ok::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  by_side(position.to_move, [&]<Color kSide>() {
    visit_ok_moves<kSide>(rules_, position, ok_checks_and_pins<kSide>(rules_, position), &lister);
  });
}

int Ok::count_moves(const Position& position) const {
  MoveCounter counter;
  by_side(position.to_move, [&]<Color kSide>() {
    visit_ok_moves<kSide>(rules_, position, ok_checks_and_pins<kSide>(rules_, position), &counter);
  });
  return counter.moves;
}

void Ok::apply(Move move, Position* position) const {
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

Threats Ok::threats(const Position& position, Color side) const {
  Threats threats = ChessGame::threats(position, side);
  by_side(side, [&]<Color kSide>() {
    const Bitboard leap = leap_captures<kSide>(rules_, position);
    threats.destinations |= leap;
    threats.targets |= leap & position.side[index(other(side))];
  });
  return threats;
}

const std::vector<std::string>& ok_rulesets() {
  static const std::vector<std::string> kNames = {"ok", "cambodian", "ok-cutechess"};
  return kNames;
}

Parsed<GamePtr> make_ok(std::string_view ruleset, const OptionTexts& options) {
  OkRules named;
  if (ruleset == "cambodian") named = cambodian_rules();
  if (ruleset == "ok-cutechess") named = cutechess_rules();
  return make_chess_game<Ok>(ruleset, ok_options(), named, options);
}

}  // namespace makzero::game
