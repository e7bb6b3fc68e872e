#include "game/outcome.h"

#include "game/plain_text.h"

namespace makzero::game {

std::string_view result_text(Result result) {
  switch (result) {
    case Result::kOngoing:
      return "*";
    case Result::kWhiteWins:
      return "1-0";
    case Result::kBlackWins:
      return "0-1";
    case Result::kDraw:
      return "1/2-1/2";
  }
  return "?";
}

std::string_view reason_text(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "not over";
    case Reason::kNoPieces:
      return "no piece left";
    case Reason::kKingCaptured:
      return "king captured";
    case Reason::kTooFewMen:
      return "too few men left";
    case Reason::kNoLegalMove:
      return "no legal move";
    case Reason::kCheckmate:
      return "checkmate";
    case Reason::kStalemate:
      return "stalemate";
    case Reason::kCheck:
      return "check";
    case Reason::kRepetition:
      return "third repetition";
    case Reason::kNoProgress:
      return "no progress";
    case Reason::kInsufficientMaterial:
      return "dead material";
    case Reason::kCountExceeded:
      return "count exceeded";
    case Reason::kCounterMated:
      return "the counter mated while counting";
    case Reason::kPlyLimit:
      return "ply limit";
    case Reason::kMaterialAtPlyCap:
      return "adjudicated by material at the ply cap";
    case Reason::kResignation:
      return "resignation";
    case Reason::kCut:
      return "cut by self-play";
    case Reason::kTimeForfeit:
      return "time forfeit";
    case Reason::kAgreement:
      return "agreement";
  }
  return "?";
}

std::optional<Result> parse_result(std::string_view text) {
  for (const Result result : {Result::kOngoing, Result::kWhiteWins, Result::kBlackWins, Result::kDraw}) {
    if (result_text(result) == text) return result;
  }
  return std::nullopt;
}

Outcome stated_outcome(Result result, std::string_view words) {
  if (result == Result::kOngoing) return {};
  const std::string wanted = lowered(words);
  for (int i = static_cast<int>(Reason::kNoPieces); i <= static_cast<int>(Reason::kAgreement); ++i) {
    const auto reason = static_cast<Reason>(i);
    if (lowered(reason_text(reason)) == wanted) return {result, reason};
  }
  return {result, Reason::kNone};
}

}  // namespace makzero::game
