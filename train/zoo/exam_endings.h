// Solved endings of an exam: positions of the installed tables, each begun by the player, and played to the
// end against perfect defence where it is won.
#pragma once

#include <optional>
#include <vector>

#include "mcts/endings/endings.h"
#include "train/zoo/exam.h"

namespace makzero::train {

// So many positions in which at most half of the legal moves keep the value, the same ones at every call: won
// and drawn ones by turns where there are both, classes of pieces alike. Fewer where hardly any are found;
// a smaller count gives the first of them.
std::vector<game::Position> draw_endings(const game::Game& game, const mcts::Endings& endings, int count);

// Plays what the folder of the exam lacks, with `player`, which has a limit, and counts. None where it was
// stopped: finished positions are kept. Throws models::Error.
std::optional<ExamEndings> take_endings(const game::Game& game, const mcts::Endings& endings,
                                        const models::PlayerSpec& player, const ExamRequest& request,
                                        const ShowProgress& progress);

}  // namespace makzero::train
