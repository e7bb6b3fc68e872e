// Techniques of the alpha-beta search and their margins.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "game/game.h"
#include "game/parsed.h"

namespace makzero::mcts {

class Endings;

// Entries of the transposition table that end the search of a node.
enum class TableCutoffs : std::uint8_t {
  kNone,
  kExact,  // Entries of the same depth that rest on no repetition: the score is that of a full search.
  kAll,    // Entries of at least the depth.
};

// Depths are in plies, margins in the unit of the evaluation's score; the defaults are those of the small
// networks, in thousandths of a logit.
struct AlphaBetaOptions {
  static constexpr int kNever = 1000;       // A least depth that no node has: switches a technique off.
  static constexpr int kEndless = 1 << 20;  // More plies than any game has.

  // Aspiration window: an iteration expects a score near that of the one before.
  int aspiration_depth = 5;     // First iteration with a window: scores of earlier ones vary too much.
  int aspiration_window = 60;   // Half the first window.
  int aspiration_growth = 4;    // Factor of its width after each score outside of it.
  int aspiration_limit = 1000;  // A wider window is open on the side where it failed.

  // Check and obligation extension, in plies: a side in check or with an obligation has no free choice, and a
  // line that ends there says little.
  int forced_extension = 1;

  // Quiescence search: captures behind the last ply, at most so many in a row. 0: leaves are evaluated as
  // they stand, with the moves of the side to move listed, so that mates and blocked sides are seen.
  int quiescence_plies = 10;

  // Mate-distance pruning: no line is better than a win that is already found nearer to the root.
  bool mate_distance_pruning = true;

  // Reverse futility pruning (RFP): a node whose evaluation is so far above beta is left there.
  int rfp_depth = 6;     // Deepest node.
  int rfp_margin = 250;  // Per ply of depth.

  // Null-move pruning: a node that stays above beta even when the other side moves twice is left there. Off
  // where having to move may be what loses, see alpha_beta_options().
  int null_move_depth = 3;      // Least depth.
  int null_move_reduction = 3;  // Plies besides the move itself ...
  int null_move_divisor = 4;    // ... and one more for as many plies of depth.
  int null_move_pieces = 4;     // Own pieces at least: zugzwang belongs to endgames.

  // Internal iterative reduction (IIR): a deep node without a table move is badly ordered, and searched one
  // ply less.
  int iir_depth = 5;  // Least depth.

  // Late move pruning (LMP): quiet moves behind the first base + factor * depth^2 are not searched; half as
  // many where the evaluation does not improve: it is no better than before the side's last move.
  int lmp_depth = 4;  // Deepest node.
  int lmp_base = 6;
  int lmp_factor = 5;
  bool lmp_improving = false;

  // Futility pruning: quiet moves are not searched where the evaluation is so far below alpha.
  int futility_depth = 5;  // Deepest node.
  int futility_base = 150;
  int futility_margin = 200;  // Per ply of depth.

  // Late move reduction (LMR): late quiet moves are searched base + ln(depth) ln(number) / divisor plies
  // less, and again in full when they raise alpha.
  int lmr_depth = 3;  // Least depth.
  int lmr_moves = 3;  // Moves before the first reduced one.
  double lmr_base = 0.6;
  double lmr_divisor = 2.2;
  int lmr_history = 1 << 13;  // History of a move that is reduced one ply less; its negative, one more.
  int lmr_worsening = 0;      // Plies more where the evaluation does not improve, ...
  int lmr_cut = 0;            // ... and where the node is expected to be cut.

  // Static exchange evaluation (SEE) of games whose pieces take by arrival: captures that lose material come
  // last and end the quiescence search, and moves that lose so much per ply of depth are not searched.
  bool see_order = false;
  int see_depth = 0;  // Deepest node that such moves are not searched in.
  int see_capture_margin = 100;
  int see_quiet_margin = 50;

  // Move ordering: killers are quiet moves that cut at the same ply, the history counts cuts and failures of
  // quiet moves by side, origin and destination.
  bool killers = true;
  int history_bonus = 32;  // For a cut, times depth^2; the quiet moves tried before it lose as much. 0: none.
  int history_limit = 1 << 14;
  int history_ageing = 8;  // Divides the history between two searches.

  TableCutoffs table_cutoffs = TableCutoffs::kAll;

  // Plies before a limit of the rules, of the game or without progress, from which on its counter takes part
  // in the keys of the transposition table. Otherwise a position is the same however late it is reached.
  int key_horizon = kEndless;

  // A position that stands a second time at or below the root is a draw where repetition draws: a loop gains
  // nothing. Otherwise only the occurrence that ends the game is.
  bool repetition_in_tree = true;

  // Hunt of the last men, where all pieces slide as rooks: each square fewer that the men of the smaller
  // side can slide to, on average, gains the other so much per man that it has more. Evaluations by win and
  // loss are nearly flat there. By the lead, for otherwise men are given up to shut the others in.
  int hunted_men = 0;  // Most men of the smaller side.
  int hunted_weight = 10;

  // Mobility, per legal move that the enemy lacks: finishes won games with material alone. Counted at leaves
  // without quiescence search, over the last two positions of a line.
  int mobility_weight = 0;

  // Exact endings, whose values are those of leaves; null: none. Must outlive the search.
  const Endings* endings = nullptr;
};

// Plain minimax by alpha-beta: every technique that can change a score is off.
inline constexpr AlphaBetaOptions kPlainOptions = {
    .aspiration_depth = AlphaBetaOptions::kNever,
    .forced_extension = 0,
    .quiescence_plies = 0,
    .mate_distance_pruning = false,
    .rfp_depth = 0,
    .null_move_depth = AlphaBetaOptions::kNever,
    .iir_depth = AlphaBetaOptions::kNever,
    .lmp_depth = 0,
    .futility_depth = 0,
    .lmr_depth = AlphaBetaOptions::kNever,
    .table_cutoffs = TableCutoffs::kNone,
    .repetition_in_tree = false,
};

// The frozen opponent "alphabeta:N", with MaterialEvaluation: the ladder's ratings rest on it.
inline constexpr AlphaBetaOptions kBaselineOptions = [] {
  AlphaBetaOptions options = kPlainOptions;
  options.table_cutoffs = TableCutoffs::kExact;
  options.mobility_weight = 1;
  return options;
}();

// For proofs: nothing that can hide a mate within the depth of the search. To depth 2N - 1, a proven score is
// a mate in at most N moves, and any other score means that there is none.
inline constexpr AlphaBetaOptions kMateOptions = [] {
  AlphaBetaOptions options = kPlainOptions;
  options.table_cutoffs = TableCutoffs::kExact;
  options.mate_distance_pruning = true;
  return options;
}();

// The options of play with a small network.
AlphaBetaOptions alpha_beta_options(const game::GameInfo& info);

// The options with those changed that a text sets, a line "lmp_depth = 8" each; what follows a '#' is a
// comment; switches are 0 or 1, table_cutoffs 0 to 2. Failures name the line.
game::Parsed<AlphaBetaOptions> parse_alpha_beta_options(std::string_view text, AlphaBetaOptions options);

// Late move reductions in plies, by depth and number of the move, each below kReductionSize.
inline constexpr int kReductionSize = 64;
using Reductions = std::array<std::array<int, kReductionSize>, kReductionSize>;
Reductions late_move_reductions(const AlphaBetaOptions& options);

}  // namespace makzero::mcts
