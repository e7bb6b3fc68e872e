// Positions of exams: leads, from games of players of unequal strength, and puzzles, from baselines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "train/rating/baseline_maker.h"

namespace makzero::train {

// Positions in which a side is ahead by four men and the last move took nothing: at most one of a game for
// each quarter of the men. `request.player` plays `weaker`. None where it was stopped. Throws models::Error.
std::optional<std::vector<game::Position>> make_leads(const game::Game& game, const BaselineRequest& request,
                                                      const models::PlayerSpec& weaker,
                                                      const ShowProgress& progress);

// The text of such positions, a line each, as parse_openings() reads it, marked as an exam; `about` is the
// comment on top.
std::string leads_text(const game::Game& game, const std::vector<game::Position>& positions,
                       const std::string& about);

// Positions of a player's games against itself in which one move is better than all others by at least 0.15
// of a game, and the first judge prefers another: a gain that it misses. Each further judge, the deeper the
// later, searches what the one before has confirmed. None where it was stopped. Throws models::Error.
// REQUIRES: two judges or more.
std::optional<Baseline> make_puzzles(const game::Game& game, const BaselineRequest& request,
                                     const ShowProgress& progress);

}  // namespace makzero::train
