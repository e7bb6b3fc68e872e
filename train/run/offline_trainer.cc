#include "train/run/offline_trainer.h"

#include <chrono>

#include "models/error.h"
#include "nn/processors.h"

namespace makzero::train {
namespace {

int threads_of(const Config& config) {
  return config.threads() > 0 ? config.threads() : nn::usable_processors();
}

}  // namespace

OfflineTrainer::OfflineTrainer(const std::filesystem::path& run, const Overrides& changes, std::int64_t seed)
    : run_(run),
      window_(run, changes),
      trainer_(&window_.pool, config(), threads_of(config()),
               config().seed() + static_cast<std::uint64_t>(seed)) {
  trainer_.set_window(window_.games);
}

nn::Losses OfflineTrainer::learn(std::int64_t steps, RateDecay decay, DisplayState shown, Display* display,
                                 const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  shown.total = steps;
  for (const std::string& fault : trainer_.faults()) display->note("left out of learning: " + fault);
  const Clock::time_point begin = Clock::now();
  const nn::Losses mean = trainer_.learn(steps, [&](std::int64_t done) {
    const double left = 1 - static_cast<double>(done) / static_cast<double>(steps);
    trainer_.learner().scale_learning_rate(decay.factor(done, steps));
    shown.done = done;
    shown.elapsed_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    shown.seconds_left = shown.elapsed_seconds * left / (1 - left);
    display->update(shown);
    return !stop.stop_requested();
  });
  if (stop.stop_requested())
    throw models::Error(run_, "learning was stopped; nothing was written, begin again when there is time");
  return mean;
}

models::Model OfflineTrainer::checkpoint(models::Manifest run, const std::string& parent) const {
  models::Model checkpoint = models::make_model(*window_.pool.games().front(), trainer_.learner().network());
  run.clear_tensors();
  run.clear_moment_steps();
  run.clear_planes();
  run.clear_rule_features();
  run.clear_architecture();
  run.clear_ruleset();
  run.clear_weights_hash();
  run.clear_created_unix();
  run.set_steps(trainer_.learner().steps());
  run.set_parent(parent);
  run.set_config(config_text(config()));
  set_games_trained(window_.pool, &run);
  checkpoint.manifest.MergeFrom(run);
  return checkpoint;
}

}  // namespace makzero::train
