// The phases of a run and what they leave in its folder: games, networks, ratings, reports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/model.h"
#include "models/store.h"
#include "nn/evaluators/fitting_rows.h"
#include "train/config.pb.h"
#include "train/hub/remote_games.h"
#include "train/learning/small_trainer.h"
#include "train/learning/trainer.h"
#include "train/rating/rater.h"
#include "train/replay/replay_store.h"
#include "train/run/display.h"
#include "train/run/metrics.h"
#include "train/run/run_baselines.h"
#include "train/run/run_log.h"
#include "train/run_folder.h"
#include "train/run_state.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/self_play.h"
#include "train/self_play/self_play_evaluators.h"

namespace makzero::train {

// Who plays a generation.
struct SelfPlayer {
  SelfPlayConfig::BootstrapEvaluator evaluator = SelfPlayConfig::NETWORK;
  float material_blend_weight = 0;  // Of the material evaluator beside the network.
  nn::Network network;
};

// A network of the run that is rated: of one game, tower or small network.
struct RunRating {
  std::string ruleset;
  bool is_beside = false;  // A small network in a run that has a tower.
  std::unique_ptr<Rater> rater;
  std::optional<Rating> rated = {};  // The last.
};

// Pool, configuration, state, display and remote games must outlive it. Throws models::Error.
class RunPhases {
 public:
  // `remote`: the games of other machines; null: there are none.
  RunPhases(GamePool* pool, const Config& config, const RunPaths& paths, const RunState& run,
            Display* display, RemoteGames* remote);

  const ReplayStore& replay() const { return replay_; }
  std::span<const std::unique_ptr<GameRecord>> small_window() const;  // That the tower learns from.
  std::int64_t games() const;  // Of the run so far, played by towers and small networks.
  std::int64_t rows() const;   // Of them.
  const models::CheckpointStore& checkpoints() const { return checkpoints_; }
  Report& report() { return report_; }

  // --- At the beginning.

  // The games that the window needs by now; before learning too.
  void update_window();

  // These play the small networks' share, and stand in the checkpoints from now on.
  void set_small_networks(SmallNetworks networks);

  // Goes on behind what is on disk: with this parent the checkpoint of the present generation is written
  // where it is missing, and the games that its network has already played are counted.
  void begin(bool resumed, const std::string& parent, const models::Manifest& metadata,
             const nn::Network& network);

  // --- Self-play.

  std::int64_t rows_wanted() const;  // Of this generation.
  std::int64_t new_rows() const { return by_alpha_beta() ? played_.small_rows : played_.rows; }
  std::int64_t new_small_rows() const { return played_.small_rows; }
  bool has_played() const { return new_rows() >= rows_wanted(); }

  // Plays until rows_wanted() or the limit. Returns how many positions networks have evaluated, those of
  // workers included.
  std::int64_t play(const SelfPlayer& player);

  // Plays for the next generation while `learning()` is true, until it has its rows, or the limit. Shows
  // `steps()`, those that were learnt. Returns the same.
  std::int64_t play_ahead(const SelfPlayer& player, const std::function<bool()>& learning,
                          const std::function<std::int64_t()>& steps);

  // Takes the games of other machines that have come.
  void collect();

  // --- Learning.

  // The games that come from now on are of the next generation.
  void begin_learning(const std::string& how, std::int64_t steps);

  // New rows that are learnt from as often as the configuration says. Of workers that are faster than the
  // learner more come, and each is learnt from less often: else every generation would take longer than the
  // one before.
  std::int64_t rows_to_learn() const;

  // Says which games of the window are not learnt from.
  void warn_of_faults(const std::vector<std::string>& faults);

  void set_learnt(const nn::Losses& learning, HeldOutLosses validation, const SmallLosses& small,
                  double seconds);

  // Writes RUN/annealed/GENERATION.mzc; the figures of the generation say what it is worth.
  void write_annealed(const models::Manifest& metadata, const nn::Network& network,
                      const nn::Losses& validation);

  // What was learnt becomes the network of the present generation, on disk. `metadata`: what the checkpoint
  // says of the run.
  void make_generation(const models::Manifest& metadata, const nn::Network& network);

  // Throws LeaseLost where another trainer has taken the run over.
  void require_lease() {
    if (remote_) remote_->wait_until_held();
  }

  // Id of the checkpoint that plays; empty before begin().
  const std::string& network_id() const { return network_id_; }

  // All games to the disk.
  void sync();

  // --- Rating.

  bool is_rating_due() const;
  bool has_passed(const std::string& opponent) const;  // In every game.
  void rate();                                         // The game whose turn it is.

  // --- Telling.

  void begin_phase(const std::string& name, std::int64_t total);
  void show(std::int64_t done);
  void finish();

 private:
  // The self-play that a generation learns from.
  struct Played {
    std::int64_t rows = 0, small_rows = 0;
    GameStatistics games;  // Of the tower, if there is one.
    SelfPlayStatistics self_play;
    double seconds = 0;
  };

  bool has_tower() const { return config_.self_play().small_share() < 1; }
  bool by_alpha_beta() const;  // Small networks play all games of this generation.
  Played& played_now() { return is_learning_ ? ahead_ : played_; }
  void count(const GameRecord& record, Played* played);

  // Plays while goes_on(), which is asked several times a second; shows done().
  std::int64_t run_self_play(const SelfPlayer& player, const std::function<bool()>& goes_on,
                             const std::function<std::int64_t()>& done);
  models::Model model_of(models::Manifest metadata, const nn::Network& network) const;
  void write_model(const models::Manifest& metadata, const nn::Network& network);
  void count_new_rows();
  void tell_needs(const nn::Network& network);
  void warn_of_card_memory();
  SelfPlayStatistics self_play_statistics() const;  // With the batches of the card, where there is one.
  void keep_game(GameRecord record);
  void keep(GameRecord record);  // For the generation that plays now.
  void publish();                // The present network, to workers.
  WorkerMarks marks() const;     // The last game of each worker on disk.
  void account();                // What is on disk by now, in the ledger.
  void delete_surplus();         // What `checkpoints.keep` and `replay.gigabytes` leave over.
  EloFigures mean_rating(bool beside) const;
  void sync_metrics();  // The totals of the run so far.

  GamePool* pool_;
  const Config& config_;
  RunPaths paths_;
  const RunState& run_;
  Report report_;
  ReplayStore replay_;
  std::optional<ReplayStore> small_replay_;  // Games of small networks; none where there are none.
  models::CheckpointStore checkpoints_;
  std::vector<RunRating> raters_;
  size_t next_rated_ = 0;  // Of them.
  RunBaselines baselines_;
  SelfPlayEvaluators evaluators_;
  SelfPlay self_play_;
  RemoteGames* remote_;
  std::shared_ptr<const SmallNetworks> small_networks_;  // Null where they play no games.

  Played played_, ahead_;                // For the running generation, and beside its learning for the next.
  std::string network_id_;               // Of the checkpoint that plays.
  GenerationMetrics metrics_;            // Of the running generation.
  std::vector<RowLoss> largest_losses_;  // Of its held-out rows.

  std::int64_t steps_before_ = 0;               // Of the optimiser, when this generation began.
  int card_row_limit_ = nn::FittingRows::kAll;  // That was warned of.
  bool is_learning_ = false;                    // What is played meanwhile counts for the next generation.
  DisplayState display_;
  RunState::Clock::time_point phase_begin_;
  std::int64_t phase_done_ = -1;  // When the phase was first shown; -1 = it was not.
};

}  // namespace makzero::train
