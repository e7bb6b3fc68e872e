#include "play/outcome_view.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Reason;

std::string name_of(Color side) { return side == Color::kWhite ? "White" : "Black"; }

// Where men hunt a hunter they are too few to shut it in; else the loser's are.
Message too_few_men(const game::GameInfo& info, const std::string& loser) {
  return info.has_hunter ? message("too few men are left to shut the hunter in")
                         : message("{side} has too few men left", {{"side", loser}});
}

}  // namespace

std::optional<Color> loser_of(game::Result result) {
  if (result == game::Result::kWhiteWins) return Color::kBlack;
  if (result == game::Result::kBlackWins) return Color::kWhite;
  return std::nullopt;
}

Message outcome_cause(const PlayedGame& game, const game::Outcome& outcome) {
  const game::GameInfo& info = game.rules().info();
  const std::optional<Color> lost = loser_of(outcome.result);
  const std::string loser = name_of(lost.value_or(Color::kWhite));
  const std::string winner = name_of(game::other(lost.value_or(Color::kWhite)));
  const std::string mover = name_of(game.position().to_move);
  switch (outcome.reason) {
    case Reason::kNoPieces:
      return is_chess(info) ? message("{side} has no pieces left", {{"side", loser}})
                            : message("{side} has no men left", {{"side", loser}});
    case Reason::kKingCaptured:
      return message("{side}'s king is captured", {{"side", loser}});
    case Reason::kTooFewMen:
      return too_few_men(info, loser);
    case Reason::kNoLegalMove:
      return message("{side} cannot move", {{"side", mover}});
    case Reason::kCheckmate:
      return message("{side} is checkmated", {{"side", loser}});
    case Reason::kStalemate:
      return message("stalemate, {side} cannot move and is not in check", {{"side", mover}});
    case Reason::kCheck:
      return message("{side} is in check, which loses this game", {{"side", loser}});
    case Reason::kRepetition:
      return message("the same position came {count} times", {{"count", game.history().occurrences()}});
    case Reason::kNoProgress:
      return message("too many moves without progress");
    case Reason::kInsufficientMaterial:
      return message("neither side has enough left to win");
    case Reason::kCountExceeded:
      return message("the count ran out");
    case Reason::kCounterMated:
      return message("{side} is mated by the side that was counting", {{"side", mover}});
    case Reason::kPlyLimit:
      return message("the game has reached its greatest length");
    case Reason::kMaterialAtPlyCap:
      return message("{side} has more left where the game was cut", {{"side", winner}});
    case Reason::kResignation:
      return message("{side} resigned", {{"side", loser}});
    case Reason::kTimeForfeit:
      return message("{side}'s time is up", {{"side", loser}});
    case Reason::kAgreement:
      return message("the players agreed to a draw");
    case Reason::kNone:
      return message("the record does not say why");
    case Reason::kCut:
      break;
  }
  return {std::string(game::reason_text(outcome.reason))};
}

}  // namespace makzero::play
