#include "game/rules/end_rules.h"

namespace makzero::game {
namespace {

Result more_pieces_win(const Position& position) {
  const int white = size(position.side[0]) + position.hand[0];
  const int black = size(position.side[1]) + position.hand[1];
  if (white == black) return Result::kDraw;
  return win_of(white > black ? Color::kWhite : Color::kBlack);
}

}  // namespace

Reason reached_limit(const Limits& limits, const Position& position, int occurrences, bool dead) {
  if (limits.repetition > 0 && occurrences >= limits.repetition) return Reason::kRepetition;
  if (limits.no_progress > 0 && position.no_progress_plies >= limits.no_progress) return Reason::kNoProgress;
  if (dead) return Reason::kInsufficientMaterial;
  return plies_left(limits.max_plies, position) == 0 ? Reason::kPlyLimit : Reason::kNone;
}

Outcome outcome_without_winner(const EndRules& rules, const Position& position, bool can_move,
                               int occurrences, bool dead) {
  if (!can_move) {
    const Result result = rules.no_move == NoMove::kLoss ? win_of(other(position.to_move)) : Result::kDraw;
    return {result, Reason::kNoLegalMove};
  }
  const Reason reason = reached_limit(rules, position, occurrences, dead);
  if (reason == Reason::kNone) return {};
  const bool capped = reason == Reason::kPlyLimit;
  const bool by_material =
      (rules.limit_result == LimitResult::kMaterial && (capped || reason == Reason::kNoProgress)) ||
      (rules.cap_result == LimitResult::kMaterial && capped);
  return {by_material ? more_pieces_win(position) : Result::kDraw, reason};
}

void check_rules(const Limits& limits, std::vector<std::string>* reasons) {
  if (limits.repetition == 1) {
    reasons->push_back(
        "option 'repetition' is '1', which ends every game at once: give 0 (never) or 2 and more");
  }
}

}  // namespace makzero::game
