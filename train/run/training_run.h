// A run in progress: generations of self-play, learning, checkpoints and ratings, kept in a folder.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/model.h"
#include "models/store.h"
#include "nn/evaluators/fitting_rows.h"
#include "train/config.pb.h"
#include "train/hub/remote_games.h"
#include "train/rate_schedule.h"
#include "train/run/ledger.h"
#include "train/run/metrics.h"
#include "train/run/rating_turns.h"
#include "train/run/run_baselines.h"
#include "train/run/run_games.h"
#include "train/run/run_log.h"
#include "train/run/run_networks.h"
#include "train/run_folder.h"
#include "train/run_state.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/self_play.h"
#include "train/self_play/self_play_evaluators.h"

namespace makzero::train {

// The learner's state on disk says which generation is running; the games of that generation say how far its
// self-play is. So a killed process loses the games in flight, and learns again from the same games what it
// had not saved.
//
// Configuration must outlive it. Throws models::Error.
class TrainingRun {
 public:
  // Goes on with what the folder holds, or begins. `remote`: games of other machines, which must outlive it;
  // null: there are none.
  TrainingRun(const std::vector<game::GamePtr>& games, const Config& config, const RunPaths& paths,
              const SessionLimit& limit, RemoteGames* remote = nullptr);

  // Shows its figures there too, from now on.
  void show_in(Gauges* gauges) { report_.show_in(gauges); }

  // Generation after generation until the limit; then everything is saved.
  void train();

 private:
  bool is_finished() const;  // All that was asked for is done, or the opponent is beaten.

  // Goes on behind what is on disk.
  void load();
  void begin(const RunNetworks::Loaded& loaded);
  void set_small_networks(std::optional<SmallNetworks> learnt);

  // Plays until the generation has its rows, or the limit.
  void play();
  std::int64_t rows_wanted() const;
  std::int64_t rows_of(const Played& played) const;  // That count for rows_wanted().
  bool by_alpha_beta() const;                        // Small networks play all games of this generation.

  // Plays while goes_on(), which is asked several times a second; shows done().
  void play_while(const std::function<bool()>& goes_on, const std::function<std::int64_t()>& done);
  void keep(GameRecord record);  // For the generation that is being played.
  void count(const GameRecord& record);
  SelfPlayStatistics self_play_statistics() const;  // With the batches of the card, where there is one.
  void warn_of_card_memory();

  Learnt learn(const Played& played);
  Learnt learn_beside_self_play(const RunNetworks::Steps& steps);
  double progress() const;  // Of the budget of time or evaluations, in [0, 1]; 0 without one.
  float rate_factor() const;

  // What was learnt becomes the networks of the next generation, on disk; they play from now on.
  void publish(const Played& played, Learnt learnt);
  std::optional<AnnealedFigures> anneal();
  void write_checkpoint();
  void hand_out();                    // The present networks, to workers.
  void account();                     // What is on disk by now, in the ledger.
  void delete_surplus();              // What `checkpoints.keep` and `replay.gigabytes` leave over.
  models::Manifest manifest() const;  // Metadata of a checkpoint.
  models::Model model_of(models::Manifest metadata, const nn::Network& network) const;

  void rate();
  void tell(const RatedTurn& turn);
  void finish();

  void begin_phase(Activity activity, const std::string& name, std::int64_t total);
  void spend_on(Activity activity);
  void show(std::int64_t done);
  RunTotals totals() const;

  const Config& config_;
  RateSchedule schedule_;
  RunPaths paths_;
  std::vector<LedgerFault> faults_;  // Of the run as it was found.
  GamePool pool_;
  RunState state_;
  Report report_;
  RunGames games_;
  models::CheckpointStore checkpoints_;
  RunNetworks networks_;                                 // That learn.
  nn::Network network_;                                  // That plays; none where there is no tower.
  std::shared_ptr<const SmallNetworks> small_networks_;  // That play; null where they play no games.
  SelfPlayEvaluators evaluators_;
  SelfPlay self_play_;
  RatingTurns ratings_;
  RunBaselines baselines_;
  RemoteGames* remote_;

  std::string network_id_;        // Of the checkpoint that plays; before the first one, of its parent.
  std::int64_t playing_for_ = 0;  // The generation that games of now are counted for.
  Played played_;                 // For it, so far.
  EloFigures elo_, small_elo_;
  int card_row_limit_ = nn::FittingRows::kAll;  // That was warned of.
  Activity activity_ = Activity::kWaiting;
  RunState::Clock::time_point activity_begin_;
  std::array<double, kActivities> seconds_of_ = {};  // Since the last generation.
};

}  // namespace makzero::train
