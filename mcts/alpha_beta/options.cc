#include "mcts/alpha_beta/options.h"

#include <cmath>

namespace makzero::mcts {

AlphaBetaOptions alpha_beta_options(const game::GameInfo& info) {
  AlphaBetaOptions options;
  // No null move where men are dropped, or one piece is hunted by many: a move may be worse than none.
  if (info.family.empty() || info.has_hands || info.has_hunter)
    options.null_move_depth = AlphaBetaOptions::kNever;
  return options;
}

Reductions late_move_reductions(const AlphaBetaOptions& options) {
  std::array<double, kReductionSize> logarithms = {};
  for (int i = 1; i < kReductionSize; ++i) logarithms[i] = std::log(i);
  Reductions table = {};
  for (int depth = 1; depth < kReductionSize; ++depth) {
    for (int move = 1; move < kReductionSize; ++move) {
      const double product = logarithms[depth] * logarithms[move];
      table[depth][move] = static_cast<int>(options.lmr_base + product / options.lmr_divisor);
    }
  }
  return table;
}

}  // namespace makzero::mcts
