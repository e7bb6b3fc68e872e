// How a game stands or ended, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "game/color.h"

namespace makzero::game {

enum class Result : std::uint8_t { kOngoing, kWhiteWins, kBlackWins, kDraw };

enum class Reason : std::uint8_t {
  kNone,          // Not over, or ended by a cause that nobody has stated.
  kNoPieces,      // The loser has no piece left.
  kKingCaptured,  // The loser's king was captured.
  kTooFewMen,     // The men can no longer shut the hunter in; Gala: the thirteen are down to one.
  kNoLegalMove,   // The side to move cannot move, and the rules decide this so.
  kCheckmate,
  kStalemate,
  kCheck,  // Ka Ok: a check wins.
  kRepetition,
  kNoProgress,            // Too many plies without a capture or drop.
  kInsufficientMaterial,  // Neither side can win any more.
  kCountExceeded,         // The count of pieces' or board's honour ran out.
  kCounterMated,          // Manual counting: the counter gave mate without stopping the count.
  kPlyLimit,              // The rules' own limit of the game's length.
  kMaterialAtPlyCap,      // Self-play only: cut before the rules ended it, adjudicated by material.
  kResignation,
  kCut,  // Self-play only: cut before the rules ended it, nobody won.
  kTimeForfeit,
  kAgreement,  // A draw that the players agreed to.
};

struct Outcome {
  Result result = Result::kOngoing;
  Reason reason = Reason::kNone;

  bool over() const { return result != Result::kOngoing; }
  bool operator==(const Outcome&) const = default;
};

constexpr Result win_of(Color color) {
  return color == Color::kWhite ? Result::kWhiteWins : Result::kBlackWins;
}

// "1-0", "0-1", "1/2-1/2" or "*".
std::string_view result_text(Result result);

// A few words for people: "checkmate", "third repetition", ...
std::string_view reason_text(Reason reason);

// The result of such a text; none of any other.
std::optional<Result> parse_result(std::string_view text);

// How a game ended by what a file says of it: a result, and words that may be those of reason_text() in any
// case; other words state no reason.
Outcome stated_outcome(Result result, std::string_view words);

}  // namespace makzero::game
