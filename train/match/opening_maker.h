// Makes openings that are level: after a few random moves a deep search sees neither side ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "nn/backend.h"
#include "train/match/match_opening.h"

namespace makzero::train {

struct OpeningRequest {
  models::PlayerSpec judge;  // Who searches their ends, with a limit.
  int openings = 500;
  int plies = 8;                // Random.
  float most_expected = 0.15f;  // Of either side at the end, in [0, 1]: 0.15 is 0.3 logits.
  std::uint64_t seed = 1;
  nn::Backend backend = {};              // Of a tower.
  std::set<std::uint64_t> avoided = {};  // Repetition keys of positions that are not to come up.
  std::stop_token stop = {};
};

// No two end with the same position. `progress(made, drawn)` is called after each draw. Fewer where it was
// stopped. Throws models::Error; also when almost nothing that is drawn is level or new.
std::vector<MatchOpening> make_openings(const game::Game& game, const OpeningRequest& request,
                                        const std::function<void(int made, int drawn)>& progress);

// Repetition keys of the positions that openings end with.
std::set<std::uint64_t> ends_of(const game::Game& game, const std::vector<MatchOpening>& openings);

}  // namespace makzero::train
