#include "play/outcome_view.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Reason;
using game::Result;

std::string name_of(Color side) { return side == Color::kWhite ? "White" : "Black"; }

// The side that lost; none in a draw.
std::optional<Color> loser_of(Result result) {
  if (result == Result::kWhiteWins) return Color::kBlack;
  if (result == Result::kBlackWins) return Color::kWhite;
  return std::nullopt;
}

// Where men hunt a hunter they are too few to shut it in; else the loser's are.
std::string too_few_men(const game::GameInfo& info, const std::string& loser) {
  const bool hunted = info.kinds.find('H') != std::string::npos;
  return hunted ? "too few men are left to shut the hunter in" : loser + " has too few men left";
}

}  // namespace

std::string outcome_cause(const PlayedGame& game, const game::Outcome& outcome) {
  const game::GameInfo& info = game.rules().info();
  const std::optional<Color> lost = loser_of(outcome.result);
  const std::string loser = name_of(lost.value_or(Color::kWhite));
  const std::string winner = name_of(game::other(lost.value_or(Color::kWhite)));
  const std::string mover = name_of(game.position().to_move);
  switch (outcome.reason) {
    case Reason::kNoPieces:
      return loser + (is_chess(info) ? " has no pieces left" : " has no men left");
    case Reason::kKingCaptured:
      return loser + "'s king is captured";
    case Reason::kTooFewMen:
      return too_few_men(info, loser);
    case Reason::kNoLegalMove:
      return mover + " cannot move";
    case Reason::kCheckmate:
      return loser + " is checkmated";
    case Reason::kStalemate:
      return "stalemate, " + mover + " cannot move and is not in check";
    case Reason::kCheck:
      return loser + " is in check, which loses this game";
    case Reason::kRepetition:
      return "the same position came " + std::to_string(game.history().occurrences()) + " times";
    case Reason::kNoProgress:
      return "too many moves without progress";
    case Reason::kDeadMaterial:
      return "neither side has enough left to win";
    case Reason::kCountExceeded:
      return "the count ran out";
    case Reason::kCounterMated:
      return mover + " is mated by the side that was counting";
    case Reason::kPlyLimit:
      return "the game has reached its greatest length";
    case Reason::kMaterialAtPlyCap:
      return winner + " has more left where the game was cut";
    case Reason::kResignation:
      return loser + " resigned";
    case Reason::kTimeForfeit:
      return loser + "'s time is up";
    case Reason::kAgreement:
      return "the players agreed to a draw";
    case Reason::kNone:
    case Reason::kCut:
      break;
  }
  return std::string(game::reason_text(outcome.reason));
}

std::string outcome_sentence(const PlayedGame& game, const game::Outcome& outcome,
                             std::optional<Color> person) {
  const std::optional<Color> lost = loser_of(outcome.result);
  std::string how = "Draw";
  if (lost && person) how = *lost == *person ? "You lose" : "You win";
  if (lost && !person) how = name_of(game::other(*lost)) + " wins";
  return how + ": " + outcome_cause(game, outcome) + ".";
}

}  // namespace makzero::play
