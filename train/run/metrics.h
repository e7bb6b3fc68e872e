// The figures of one generation, as numbers with names: one truth for metrics.jsonl, TensorBoard and the
// display.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/learner.h"
#include "train/learning/small_trainer.h"
#include "train/rating/baseline.h"
#include "train/replay/record.pb.h"
#include "train/self_play/self_play.h"

namespace makzero::train {

// What the games of a generation were like.
class GameStatistics {
 public:
  // `pieces_taken`: how many left the board in the game.
  void add(const GameRecord& game, int pieces_taken);

  std::int64_t games() const { return games_; }
  double mean_plies() const { return per_game(plies_); }
  double captures_per_game() const { return per_game(captures_); }
  double draw_share() const { return per_game(draws_); }        // Those cut without a result included.
  double decisive_share() const { return per_game(decided_); }  // Won by the rules, not adjudicated.
  double cut_share() const { return per_game(cut_); }           // Neither ended by the rules nor adjudicated.
  double adjudicated_share() const { return per_game(adjudicated_); }  // Cut, and won by material.
  // Mean over the rows: divergence of the searched policy from the evaluator's own, nats.
  double mean_surprise() const { return rows_ ? surprise_ / static_cast<double>(rows_) : 0; }
  double white_score() const { return per_game(white_ + 0.5 * draws_); }
  std::int64_t rows() const { return rows_; }
  // Games by reason, "checkmate" 12, ...; only reasons that occurred.
  std::vector<std::pair<std::string, std::int64_t>> reasons() const;

 private:
  double per_game(double sum) const { return games_ ? sum / static_cast<double>(games_) : 0; }

  std::int64_t games_ = 0, plies_ = 0, captures_ = 0, rows_ = 0, draws_ = 0, decided_ = 0, white_ = 0;
  std::int64_t cut_ = 0, adjudicated_ = 0;
  double surprise_ = 0;
  std::array<std::int64_t, 32> reasons_ = {};
};

// Figures of a copy of the learner that has finished learning.
struct AnnealedFigures {
  nn::Losses validation;
  std::optional<BaselineFigures> baseline = {};
};

// A figure of a generation's games, from which the run's files, its log and the gauges follow.
struct GameFigure {
  std::string_view name;   // In status.json; behind "games/" in metrics.jsonl and TensorBoard.
  std::string_view key;    // In the log.
  int digits;              // Behind the point, in the log.
  std::string_view gauge;  // For Prometheus.
  std::string_view help;   // A sentence about the gauge.
  double (GameStatistics::*value)() const;
};

// To add a figure: a row here; its curve is a row of play/web/src/board/diagrams.ts.
inline constexpr std::array kGameFigures = {
    GameFigure{"draw_share", "draws", 3, "makzero_games_drawn_ratio",
               "Of the last generation's games: drawn, or cut without a result.",
               &GameStatistics::draw_share},
    GameFigure{"decisive_share", "decided", 3, "makzero_games_won_ratio", "The same: won by the rules.",
               &GameStatistics::decisive_share},
    GameFigure{"cut_share", "cut", 3, "makzero_games_cut_ratio",
               "The same: cut at the maximum game length without a result.", &GameStatistics::cut_share},
    GameFigure{"adjudicated_share", "adjudicated", 3, "makzero_games_adjudicated_ratio",
               "The same: cut and adjudicated by material.", &GameStatistics::adjudicated_share},
    GameFigure{"white_score", "white", 3, "makzero_games_white_score", "The same: White's mean score.",
               &GameStatistics::white_score},
    GameFigure{"plies", "plies", 1, "makzero_game_plies", "Mean length of the last generation's games.",
               &GameStatistics::mean_plies},
    GameFigure{"captures", "captures", 1, "makzero_game_captures", "Pieces taken in a game on average.",
               &GameStatistics::captures_per_game},
    GameFigure{"surprise", "surprise", 4, "makzero_policy_surprise",
               "Mean divergence of the searched policies from the evaluator's own, in nats.",
               &GameStatistics::mean_surprise},
};

// A figure of the baseline, in the same way.
struct BaselineFigure {
  std::string_view name;   // Behind "baseline/" in metrics.jsonl and TensorBoard, "baseline_" in the log.
  int digits;              // Behind the point, in the log.
  std::string_view gauge;  // For Prometheus.
  std::string_view help;   // A sentence about the gauge.
  double BaselineFigures::*value;
};

inline constexpr std::array kBaselineFigures = {
    BaselineFigure{"agreement", 3, "makzero_baseline_agreement_ratio",
                   "Of the judges' moves in the baseline: that the policy ranks first.",
                   &BaselineFigures::agreement},
    BaselineFigure{"policy", 4, "makzero_baseline_loss_policy", "Of the baseline's moves, in nats.",
                   &BaselineFigures::policy_loss},
    BaselineFigure{"value", 4, "makzero_baseline_loss_value", "Squared distance of the baseline's results.",
                   &BaselineFigures::value_loss},
};

// A rating on the ladder; random = 0.
struct EloFigures {
  double elo = 0, low = 0, high = 0;
  std::int64_t generation = -1;  // That was rated; -1 = none yet.

  bool known() const { return generation >= 0; }
};

// What a generation's line of metrics.jsonl says.
struct GenerationMetrics {
  std::int64_t generation = 0;       // Of the network that was made.
  double seconds = 0;                // Wall clock of the run so far, earlier sessions included.
  std::int64_t games = 0, rows = 0;  // Of the run so far.
  std::int64_t evaluations = 0;      // Network evaluations of self-play so far.
  std::int64_t steps = 0;            // Optimiser steps so far.
  std::int64_t window_rows = 0;
  double self_play_seconds = 0, learning_seconds = 0, rating_seconds = 0;  // Wall clock of this generation.
  GameStatistics played;
  SelfPlayStatistics self_play;
  int threads = 1;               // Of self-play.
  std::int64_t rows_learnt = 0;  // Of this generation's steps.
  nn::Losses learning, validation;
  std::int64_t small_rows = 0;  // New ones, of games of small networks.
  SmallLosses small;
  std::optional<BaselineFigures> baseline = {};  // Of the network; a mean of the games that have one.
  std::optional<AnnealedFigures> annealed = {};
  EloFigures elo = {};        // Of the last rated network: of the tower, if there is one.
  EloFigures small_elo = {};  // Of the small network beside it.

  // True when the losses are those of a tower.
  bool has_tower() const { return learning.total > 0; }

  // Rows learnt for each new row.
  double replay_ratio() const;

  // Shares of the wall clock of self-play in which its threads computed, and the card; 0 without one.
  double core_share() const;
  double card_share() const;
};

// Names with their numbers, in a fixed order: "games_per_second", "loss/policy", ...
std::vector<std::pair<std::string, double>> scalars(const GenerationMetrics& metrics);

// The line of metrics.jsonl: all scalars, and the results by reason.
std::string metrics_json(const GenerationMetrics& metrics);

}  // namespace makzero::train
