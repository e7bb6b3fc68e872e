#include "game/rules/makruk.h"

#include "game/rules/chess_moves.h"

namespace makzero::game {
namespace {

const std::vector<Option<ChessRules>>& makruk_options() {
  static const std::vector<Option<ChessRules>> kOptions = [] {
    std::vector<Option<ChessRules>> table;
    add_count_options(&table);
    add_chess_end_options(&table);
    return table;
  }();
  return kOptions;
}

GameInfo makruk_info(std::string ruleset, const ChessRules& rules) {
  GameInfo info;
  info.ruleset = std::move(ruleset);
  info.title = "Makruk";
  info.summary =
      "Thai chess: mate the king; pawns promote to queens on the sixth rank; pawnless endings are counted.";
  info.source = "Wikipedia, Makruk; Fairy-Stockfish and the Thai federation where it is silent";
  info.options = describe_options(makruk_options(), rules);
  add_chess_features("makruk", rules, &info);
  add_count_features(rules, &info);
  return info;
}

template <class Visitor>
void visit_moves(const Position& position, Visitor* visitor) {
  by_side(position.to_move, [&]<Color kSide>() {
    const MakrukSteps steps;
    visit_chess_moves<kSide>(position, steps, checks_and_pins<kSide>(position, steps), visitor);
  });
}

}  // namespace

Makruk::Makruk(std::string ruleset, const ChessRules& rules)
    : ChessGame(makruk_info(std::move(ruleset), rules), rules, {}) {}

void Makruk::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  visit_moves(position, &lister);
}

int Makruk::count_moves(const Position& position) const {
  MoveCounter counter;
  visit_moves(position, &counter);
  return counter.moves;
}

void Makruk::apply(Move move, Position* position) const {
  const CountedMove done = move_piece(move, kPromotionRank, position);
  count_move(count_rules(), done, position);
}

Parsed<GamePtr> make_makruk(std::string_view ruleset, const OptionTexts& options) {
  return make_chess_game<Makruk>(ruleset, makruk_options(), ChessRules(), options);
}

}  // namespace makzero::game
