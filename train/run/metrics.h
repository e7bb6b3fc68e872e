// A generation in values: what was played, what was learnt, and how far the run is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nn/learner.h"
#include "train/learning/row_losses.h"
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
  double draw_share() const { return per_game(draws_); }        // Cut games that nobody had won included.
  double decisive_share() const { return per_game(decided_); }  // Won by the rules, or all but won when cut.
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

// Self-play that a generation learns from.
struct Played {
  std::int64_t rows = 0, small_rows = 0;  // Of games of the tower, and of games of small networks.
  std::int64_t all_games = 0;             // Of both, those of other machines included.
  std::int64_t earlier_games = 0;         // Of these: of earlier sessions, which `seconds` leaves out.
  GameStatistics games = {};              // Of the tower; where small networks play alone, theirs.
  SelfPlayStatistics self_play = {};      // Of this machine.
  double seconds = 0;                     // Wall clock.
};

// Figures of a copy of the learner that has finished learning.
struct AnnealedFigures {
  nn::Losses validation;
  std::optional<BaselineFigures> baseline = {};
};

// What learning made of it.
struct Learnt {
  std::int64_t steps = 0;                // Of all optimisers; 0: there was nothing to learn from.
  std::int64_t rows = 0;                 // Of the tower's steps.
  nn::Losses learning, validation = {};  // Of the tower; validation: held-out games of its own ...
  nn::Losses small_games = {};           // ... and of small networks; 0: there are none.
  std::vector<RowLoss> largest = {};     // Of its held-out rows.
  SmallLosses small = {};
  std::optional<BaselineFigures> baseline = {};  // Of the tower; a mean of the games that have one.
  std::optional<AnnealedFigures> annealed = {};
};

// How far the run is.
struct RunTotals {
  std::int64_t generation = 0;                // Of the newest networks.
  double seconds = 0, processor_seconds = 0;  // Earlier sessions included.
  std::int64_t games = 0, rows = 0;
  std::int64_t evaluations = 0;                         // By networks in self-play.
  std::int64_t steps = 0;                               // Of the optimiser.
  std::int64_t window_rows = 0, small_window_rows = 0;  // In memory: what the tower learns from, by source.
};

// A rating on the ladder; random = 0.
struct EloFigures {
  double elo = 0, low = 0, high = 0;
  std::int64_t generation = -1;  // That was rated; -1 = none yet.

  bool known() const { return generation >= 0; }
};

// What a run spends its wall clock on; waiting: for files and other machines.
enum class Activity : std::uint8_t { kPlaying, kLearning, kRating, kWaiting };
inline constexpr std::size_t kActivities = 4;

// Figures of a generation, from which its report follows.
struct GenerationMetrics {
  RunTotals run = {};
  Played played = {};
  Learnt learnt = {};
  int threads = 1;                                  // Of self-play; 0: workers play alone.
  std::array<double, kActivities> seconds_of = {};  // By activity, since the generation before.
  EloFigures elo = {};        // Of the last rated network: of the tower, if there is one.
  EloFigures small_elo = {};  // Of the small network beside it.

  bool has_tower() const { return learnt.learning.total > 0; }  // What was learnt.

  // Rows learnt for each new row.
  double replay_ratio() const;

  // Shares of the wall clock of self-play in which its threads computed, and the card; 0 without one.
  double core_share() const;
  double card_share() const;
};

}  // namespace makzero::train
