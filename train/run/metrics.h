// The figures of one generation, as numbers with names: one truth for metrics.jsonl, TensorBoard and the
// display.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nn/learner.h"
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
  double draw_share() const { return per_game(draws_); }
  double decisive_share() const { return per_game(decided_); }  // Won by the rules, not adjudicated.
  double white_score() const { return per_game(white_ + 0.5 * draws_); }
  std::int64_t rows() const { return rows_; }
  // Games by reason, "checkmate" 12, ...; only reasons that occurred.
  std::vector<std::pair<std::string, std::int64_t>> reasons() const;

 private:
  double per_game(double sum) const { return games_ ? sum / static_cast<double>(games_) : 0; }

  std::int64_t games_ = 0, plies_ = 0, captures_ = 0, rows_ = 0, draws_ = 0, decided_ = 0, white_ = 0;
  std::array<std::int64_t, 32> reasons_ = {};
};

// What a copy of the learner that has finished learning is worth.
struct AnnealedFigures {
  nn::Losses validation;
  std::optional<BaselineFigures> baseline = {};
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
  std::optional<BaselineFigures> baseline = {};  // Of the network; a mean of the games that have one.
  std::optional<AnnealedFigures> annealed = {};
  double elo = 0, elo_low = 0, elo_high = 0;  // Of the last rated network; random = 0.
  std::int64_t rated_generation = -1;         // -1 = none yet.

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
