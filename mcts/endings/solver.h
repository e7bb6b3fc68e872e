// Retrograde solver: the exact value of every position of a class of endings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "game/game.h"
#include "mcts/endings/endings.h"

namespace makzero::mcts {

struct SolverOptions {
  bool counts = true;  // Captures begin counts, which may run out; false: wins are wins.

  // Called now and then with the share of the work that is done, in [0, 1]; may throw to stop.
  std::function<void(double)> progress = {};
};

// The table of a class. `smaller` has those that captures lead to. Throws std::runtime_error where a win is
// longer than a byte can say.
EndingTable solve_ending(const game::Game& game, const Endings& smaller, Material material,
                         const SolverOptions& options = {});

// Positions whose value differs from what those of their children make it, in one pass that shares nothing
// with the solver but the numbers of the class: 0 of a right table.
std::size_t count_faults(const game::Game& game, const Endings& smaller, const EndingTable& table,
                         const SolverOptions& options = {});

// The position of a number as endings are solved: with a count that never runs out where one already runs, as
// it does against a bare king; none where the number stands for no position of a game.
std::optional<game::Position> ending_position(const game::Game& game, const EndingClass& ending,
                                              std::size_t number);

// How a class stands for one side to move, in positions of the board: a number stands for several.
struct EndingSummary {
  std::uint64_t positions = 0, won = 0, lost = 0;   // By the side to move.
  std::uint64_t won_in_time = 0, lost_in_time = 0;  // Within the plies that were asked for.
  int longest_win = 0, longest_loss = 0;            // Plies.
  std::size_t longest_win_number = 0;
};
EndingSummary summarize(const EndingTable& table, game::Color to_move, int plies = EndingTable::kMostPlies);

}  // namespace makzero::mcts
