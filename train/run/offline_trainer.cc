#include "train/run/offline_trainer.h"

#include <chrono>
#include <utility>

#include "models/error.h"

namespace makzero::train {

std::function<bool(std::int64_t done)> show_steps(std::int64_t steps, DisplayState shown, Display* display,
                                                  const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  shown.total = steps;
  return [shown = std::move(shown), begin = Clock::now(), display, stop](std::int64_t done) mutable {
    const double left = 1 - static_cast<double>(done) / static_cast<double>(shown.total);
    shown.done = done;
    shown.elapsed_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    shown.seconds_left = shown.elapsed_seconds * left / (1 - left);
    display->update(shown);
    return !stop.stop_requested();
  };
}

void throw_stopped(const std::filesystem::path& run) {
  throw models::Error(run, "learning was stopped; nothing was written, begin again when there is time");
}

OfflineTrainer::OfflineTrainer(const std::filesystem::path& run, const Overrides& changes, std::int64_t seed)
    : run_(run),
      window_(run, changes),
      trainer_(&window_.pool, config(), thread_count(config()),
               config().seed() + static_cast<std::uint64_t>(seed)) {
  trainer_.set_window(window_.games);
}

nn::Losses OfflineTrainer::learn(std::int64_t steps, RateDecay decay, DisplayState shown, Display* display,
                                 const std::stop_token& stop) {
  for (const std::string& fault : trainer_.faults()) display->note("left out of learning: " + fault);
  const auto show = show_steps(steps, std::move(shown), display, stop);
  const auto set_rate = [&](std::int64_t done) {
    trainer_.learner().scale_learning_rate(decay.factor(done, steps));
  };
  set_rate(0);
  const nn::Losses mean = trainer_.learn(steps, [&](std::int64_t done) {
    set_rate(done);
    return show(done);
  });
  if (stop.stop_requested()) throw_stopped(run_);
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
