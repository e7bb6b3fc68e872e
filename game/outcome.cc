#include "game/outcome.h"

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
  }
  return "?";
}

}  // namespace makzero::game
