#include "game/rules/end_rules.h"

namespace makzero::game {
namespace {

Result more_pieces_win(const Position& position) {
  const int white = size(position.side[0]), black = size(position.side[1]);
  if (white == black) return Result::kDraw;
  return win_of(white > black ? Color::kWhite : Color::kBlack);
}

Outcome at_limit(LimitResult result, Reason reason, const Position& position) {
  return {result == LimitResult::kMaterial ? more_pieces_win(position) : Result::kDraw, reason};
}

}  // namespace

Outcome outcome_without_winner(const EndRules& rules, const Position& position, const MoveList& legal,
                               int occurrences, bool dead) {
  if (legal.empty()) {
    const Result result = rules.no_move == NoMove::kLoss ? win_of(other(position.to_move)) : Result::kDraw;
    return {result, Reason::kNoLegalMove};
  }
  if (rules.repetition > 0 && occurrences >= rules.repetition) return {Result::kDraw, Reason::kRepetition};
  if (rules.no_progress > 0 && position.quiet_plies >= rules.no_progress) {
    return at_limit(rules.limit_result, Reason::kNoProgress, position);
  }
  if (dead) return {Result::kDraw, Reason::kDeadMaterial};
  if (position.ply >= rules.max_plies) {
    const bool material =
        rules.limit_result == LimitResult::kMaterial || rules.cap_result == LimitResult::kMaterial;
    return at_limit(material ? LimitResult::kMaterial : LimitResult::kDraw, Reason::kPlyLimit, position);
  }
  return {};
}

void check_end_rules(const EndRules& rules, std::vector<std::string>* reasons) {
  if (rules.repetition == 1) {
    reasons->push_back(
        "option 'repetition' is '1', which ends every game at once: give 0 (never) or 2 and more");
  }
}

}  // namespace makzero::game
