// Makes the baseline of a game: positions of a player's games against itself, judged by deep searches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "train/match/arena.h"
#include "train/progress.h"
#include "train/rating/baseline.h"

namespace makzero::train {

struct BaselineRequest {
  models::PlayerSpec player;               // Who plays the games.
  std::vector<models::PlayerSpec> judges;  // With limits.
  int positions = 2000;
  int positions_per_game = 2;  // At most.
  int lines = 1;               // Moves that a judge ranks; 2: for Judgement::second.
  // As the games are played, by so many threads; positions come from behind their random plies.
  MatchOptions match = {.opening_plies = 6, .threads = 1};
};

// No position twice, each with a choice of moves. `progress` is called by one thread at a time. None where it
// was stopped. Throws models::Error.
std::optional<Baseline> make_baseline(const game::Game& game, const BaselineRequest& request,
                                      const ShowProgress& progress);

// Adds to each position what a player's search says of it; `request` says by how many threads, on which
// device and until when. Returns false where it was stopped. Throws models::Error.
bool add_judgements(const game::Game& game, const models::PlayerSpec& judge, const BaselineRequest& request,
                    const ShowProgress& progress, std::vector<BaselinePosition>* positions);

}  // namespace makzero::train
