#include "train/adjudication.h"

#include <cmath>
#include <cstdlib>

namespace makzero::train {
namespace {

constexpr float kDecided = 0.964f;  // Expected result at 4 logits ...
constexpr int kDecidedPlies = 6;    // ... in so many plies, half of them of either player.
constexpr float kLevel = 0.1f;      // The same at 0.2 logits ...
constexpr int kLevelPlies = 24;
constexpr int kFirstLevelPly = 100;  // ... and where the game has been so long.

}  // namespace

std::optional<game::Outcome> Adjudicator::add(game::Color side, float expected, int ply) {
  const float of_white = side == game::Color::kWhite ? expected : -expected;
  const int winner = of_white >= kDecided ? 1 : of_white <= -kDecided ? -1 : 0;
  decided_plies_ = winner == 0 ? 0 : winner * decided_plies_ > 0 ? decided_plies_ + winner : winner;
  if (std::abs(decided_plies_) >= kDecidedPlies)
    return game::Outcome{game::win_of(winner > 0 ? game::Color::kWhite : game::Color::kBlack),
                         game::Reason::kResignation};
  level_plies_ = ply >= kFirstLevelPly && std::abs(expected) <= kLevel ? level_plies_ + 1 : 0;
  if (level_plies_ >= kLevelPlies) return game::Outcome{game::Result::kDraw, game::Reason::kAgreement};
  return std::nullopt;
}

}  // namespace makzero::train
