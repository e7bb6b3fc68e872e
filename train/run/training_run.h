// A run in progress: the state that its folder holds, and the phases that carry it on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/model.h"
#include "train/config.pb.h"
#include "train/learning/small_trainer.h"
#include "train/learning/trainer.h"
#include "train/rate_schedule.h"
#include "train/run/display.h"
#include "train/run/ledger.h"
#include "train/run/run_phases.h"
#include "train/run_folder.h"
#include "train/run_state.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// Throws models::Error where there is no checkpoint config.from(), or one that a run of this configuration
// cannot begin with. REQUIRES: from is not empty.
void require_fitting_size(std::span<const game::GamePtr> games, const Config& config);

// Whether a run of these games that begins with the checkpoint continues its training: it learnt the same
// games, but for options, for some generations. Its generation, evaluations and configuration are carried
// over, and no bootstrap evaluator plays. Otherwise only the weights are.
bool continues(const models::Manifest& manifest, std::span<const game::GamePtr> games);

// A generation: self-play with the current network, learning, a checkpoint, perhaps a rating. The learner's
// state on disk says which generation is running; the games of that generation say how far its self-play is.
// So a killed process loses the games in flight, and learns again from the same games what it had not saved.
//
// Several games teach one network: self-play and every batch mix them. Configuration must outlive it. Throws
// models::Error.
class TrainingRun {
 public:
  // Goes on with what the folder holds, or begins. `remote`: games of other machines, which must outlive it;
  // null: there are none.
  TrainingRun(const std::vector<game::GamePtr>& games, const Config& config, const RunPaths& paths,
              const SessionLimit& limit, RemoteGames* remote = nullptr);

  // Shows its figures there too, from now on.
  void show_in(Gauges* gauges) { report().show_in(gauges); }

  // Generation after generation until the limit; then everything is saved.
  void train();

 private:
  bool finished() const;  // All that was asked for is done, or the opponent is beaten.
  void load();
  bool load_learner();
  void load_state(nn::LearnerState tower, const std::vector<nn::SmallLearnerState>& small_networks);
  std::vector<std::string> planes_of_latest() const;
  bool load_checkpoints();
  void load_from(const std::filesystem::path& path);
  void continue_training(const models::Model& checkpoint);
  void load_counters(const models::Manifest& manifest);

  nn::Network tower() const;                   // Without weights where there is none.
  std::int64_t learnt_steps() const;           // Of the optimisers.
  SmallNetworks first_small_networks() const;  // That play when the session begins.

  float material_blend_weight() const;  // Of this generation.
  SelfPlayer player_now() const;
  void play();
  double progress() const;     // Of the budget of time or evaluations, in [0, 1]; 0 without one.
  float budget_decay() const;  // Factor of the learning rate.
  float rate_factor() const;   // The schedule's, or without one the budget's.
  void morph_network();        // The network, where a larger one is asked for.
  bool learn();                // Whether there was anything to learn from.

  // Losses of the steps, and of the held-out games behind them.
  struct Learnt {
    nn::Losses learning;
    HeldOutLosses validation;
    SmallLosses small;
  };
  struct Steps {
    std::int64_t tower = 0, small = 0;
  };
  Steps prepare_steps();
  Learnt take_steps(const Steps& steps, const Trainer::Progress& progress);
  Learnt learn_beside_self_play(const Steps& steps);
  void make_generation();  // What was learnt becomes the next network, on disk.
  bool anneals() const;    // In this generation.
  void anneal_copy();
  void write_learner_state();

  models::Manifest manifest() const;
  Report& report() { return phases_.report(); }

  const Config& config_;
  RateSchedule schedule_;
  RunPaths paths_;
  std::vector<LedgerFault> faults_;  // Of the run as it was found.
  GamePool pool_;
  RunState state_;
  Display display_;
  RunPhases phases_;
  std::optional<Trainer> trainer_;     // Of the tower; none where small networks play all games.
  std::optional<SmallTrainer> small_;  // None where they play no games.
  std::string
      parent_;  // Id of the checkpoint that the first one of this folder is trained from; in its own session.
};

}  // namespace makzero::train
