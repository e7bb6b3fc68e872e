// The networks of a run as they learn: a tower, a small network of each game, or both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/model.h"
#include "train/config.pb.h"
#include "train/learning/small_trainer.h"
#include "train/learning/trainer.h"
#include "train/rate_schedule.h"
#include "train/run/ledger.h"
#include "train/run/metrics.h"
#include "train/run/run_games.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/small_game.h"

namespace makzero::train {

// Throws models::Error where there is no checkpoint config.from(), or one that a run of this configuration
// cannot begin with. REQUIRES: from is not empty.
void require_fitting_size(std::span<const game::GamePtr> games, const Config& config);

// Whether a run of these games that begins with the checkpoint continues its training: it learnt the same
// games, but for options, for some generations. Its generation, evaluations and configuration are carried
// over, and no bootstrap evaluator plays. Otherwise only the weights are.
bool continues(const models::Manifest& manifest, std::span<const game::GamePtr> games);

// Several games teach one tower: every batch mixes them. Not thread-safe. Pool and configuration must outlive
// it. Throws models::Error.
class RunNetworks {
 public:
  using Warn = std::function<void(const std::string&)>;

  RunNetworks(GamePool* pool, const Config& config, const RunPaths& paths, int threads);

  bool has_tower() const { return tower_.has_value(); }
  nn::Network tower() const;                   // Averaged weights; none where there is no tower.
  std::optional<SmallNetworks> small() const;  // None where they have learnt nothing yet.
  bool in_bf16() const { return tower_ && tower_->learner().in_bf16(); }
  std::int64_t steps() const;  // Of the optimisers.

  // What they go on with.
  struct Loaded {
    std::optional<models::Manifest> counters;  // Of the training that goes on; none for one that begins.
    std::string parent;       // Id of the checkpoint that the first one of this folder is trained from.
    bool is_resumed = false;  // From this folder ...
    bool has_state = false;   // ... with the state of its optimisers.
  };

  // The newest that the folder holds and that is not among `faults`, else `from` of the configuration.
  Loaded load(const std::vector<LedgerFault>& faults, const Warn& warn);

  // All that the next session needs to go on.
  void save(models::Manifest metadata) const;

  struct Steps {
    std::int64_t tower = 0, small = 0;
    bool has_grown = false;  // The tower, to the size that the configuration asks for by now.
    std::int64_t sum() const { return tower + small; }
  };

  // Steps for so many new rows on the games that are there by now. `rate`: factor of the tower's learning
  // rate.
  Steps prepare(RunGames* games, std::int64_t rows, std::int64_t small_rows, float rate, const Warn& warn);

  // Called after every step with the steps done so far; returns whether to go on.
  using Progress = std::function<bool(std::int64_t steps)>;

  // May be called by another thread than the rest, which must wait meanwhile.
  Learnt learn(const Steps& steps, const Progress& progress);

  // Steps of annealed_share with a rate that falls from `peak` to 0, then `use`; goes on afterwards as if it
  // had not been. `begin` gets the steps.
  void anneal(float peak, const std::function<void(std::int64_t steps)>& begin, const Progress& progress,
              const std::function<void(const nn::Network&, std::int64_t steps, const nn::Losses&)>& use);

 private:
  bool load_state(const std::vector<LedgerFault>& faults, const Warn& warn, Loaded* loaded);
  bool load_checkpoint(const std::vector<LedgerFault>& faults, const Warn& warn, Loaded* loaded);
  void load_from(Loaded* loaded);
  std::vector<std::string> planes_of_latest() const;
  bool morph();

  GamePool* pool_;
  const Config& config_;
  RunPaths paths_;
  std::optional<Trainer> tower_;       // None where small networks play all games.
  std::optional<SmallTrainer> small_;  // None where they play no games.
};

}  // namespace makzero::train
