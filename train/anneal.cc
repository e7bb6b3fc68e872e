#include "train/anneal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "game/catalog.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/store.h"
#include "nn/environment.h"
#include "train/config.h"
#include "train/game_pool.h"
#include "train/replay_store.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace makzero::train {
namespace {

constexpr int kValidationRows = 4096;

template <class T>
T value_or_error(const std::filesystem::path& path, const game::Parsed<T>& parsed) {
  if (!parsed) throw models::Error(path, parsed.why());
  return *parsed;
}

models::Checkpoint annealed_checkpoint(const models::Manifest& run, const GamePool& pool,
                                       const Trainer& trainer, const std::string& parent) {
  models::Checkpoint checkpoint =
      models::make_checkpoint(*pool.games().front(), trainer.architecture(), trainer.learner().ema_weights());
  models::Manifest manifest = run;
  manifest.clear_tensors();
  manifest.clear_moment_steps();
  manifest.clear_planes();
  manifest.clear_rule_features();
  manifest.clear_architecture();
  manifest.clear_ruleset();
  manifest.clear_weights_hash();
  manifest.clear_created_unix();
  manifest.set_steps(trainer.learner().steps());
  manifest.set_parent(parent);
  set_games_trained(pool, &manifest);
  checkpoint.manifest.MergeFrom(manifest);
  return checkpoint;
}

}  // namespace

AnnealResult anneal(const AnnealRequest& request, Display* display, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  const RunPaths paths(request.run);
  const Config config = value_or_error(
      paths.config(),
      override_config(value_or_error(paths.config(), parse_config(models::read_text_file(paths.config()),
                                                                  paths.config().string())),
                      {}));
  models::Manifest manifest;
  const nn::LearnerState state = models::read_learner_state(paths.learner(), &manifest);
  GamePool pool(value_or_error(paths.config(), game::make_games(config.game())), config.rulesets());
  const int threads = config.threads() > 0 ? config.threads() : nn::inspect_environment().cores;
  Trainer trainer(&pool, config, threads, config.seed() + static_cast<std::uint64_t>(state.steps));
  trainer.restore(models::architecture_of(manifest), state);
  const auto window = read_window(paths.replay(), config.replay());
  trainer.set_window(window);

  const auto steps =
      std::max<std::int64_t>(1, std::llround(request.share * static_cast<double>(state.steps)));
  AnnealResult result{request.network, steps, trainer.validate(kValidationRows), {}};
  DisplayState shown;
  shown.title = fmt::format("{}, annealing {}", config.game(), request.run.string());
  shown.phase = "learning with a falling rate";
  shown.total = steps;
  shown.last.generation = manifest.generation();
  shown.last.validation = result.before;
  const Clock::time_point begin = Clock::now();
  trainer.learn(steps, [&](std::int64_t done) {
    const double left = 1 - static_cast<double>(done) / static_cast<double>(steps);
    trainer.learner().scale_learning_rate(static_cast<float>(left));
    shown.done = done;
    shown.elapsed_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    shown.seconds_left = shown.elapsed_seconds * left / (1 - left);
    display->update(shown);
    return !stop.load(std::memory_order_relaxed);
  });
  if (stop.load(std::memory_order_relaxed))
    throw models::Error(request.run,
                        "annealing was stopped; nothing was written, begin again when there is time");
  result.after = trainer.validate(kValidationRows);
  if (result.network.empty())
    result.network = request.run / "annealed" / fmt::format("{:06}.mzc", manifest.generation());
  if (result.network.has_parent_path()) std::filesystem::create_directories(result.network.parent_path());
  const std::filesystem::path parent =
      models::CheckpointStore(paths.checkpoints()).path(manifest.generation());
  const std::string parent_id =
      std::filesystem::exists(parent) ? models::id_of(models::read_manifest(parent)) : "";
  models::write_checkpoint(result.network, annealed_checkpoint(manifest, pool, trainer, parent_id));
  return result;
}

}  // namespace makzero::train
