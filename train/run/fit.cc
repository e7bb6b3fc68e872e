#include "train/run/fit.h"

#include <fmt/format.h>

#include <string>

#include "models/error.h"
#include "models/model.h"
#include "train/run/offline_trainer.h"
#include "train/run_state.h"

namespace makzero::train {
namespace {

DisplayState shown_of(const Config& config, const std::string& what, const FitRequest& request) {
  DisplayState shown;
  shown.title = fmt::format("{}, fitting {} to {}", config.game(), what, request.run.string());
  shown.phase = "learning";
  return shown;
}

void write(const FitRequest& request, const models::Model& network) {
  models::write_model(request.network, network);
}

}  // namespace

FitResult fit(const FitRequest& request, Display* display, const std::stop_token& stop) {
  OfflineTrainer offline(request.run, request.changes);
  FitResult result{offline.config(), offline.trainer().architecture(), offline.games(), 0, {}, {}};
  const std::string size = fmt::format("{}x{}", result.architecture.blocks, result.architecture.channels);
  const RunState::Clock::time_point begin = RunState::Clock::now();
  result.learning = offline.learn(request.steps, {.share = request.decay_share},
                                  shown_of(result.config, size, request), display, stop);
  result.seconds = seconds_since(begin);
  result.validation = offline.trainer().validate(request.validation_rows).mean;
  if (request.network.empty()) return result;
  write(request, offline.checkpoint(models::read_manifest(RunPaths(request.run).learner()), ""));
  return result;
}

SmallFitResult fit_small(const FitRequest& request, Display* display, const std::stop_token& stop) {
  StoredRun run(request.run, request.changes);
  SmallTrainer trainer(&run.pool, run.config, RunPaths(request.run), thread_count(run.config));
  SmallFitResult result{run.config, 0, {}};
  const RunState::Clock::time_point begin = RunState::Clock::now();
  result.losses = trainer.learn(
      request.steps,
      show_steps(request.steps, shown_of(run.config, "small networks", request), display, stop));
  result.seconds = seconds_since(begin);
  if (stop.stop_requested()) throw_stopped(request.run);
  if (result.losses.steps == 0)
    throw models::Error(RunPaths(request.run).small_replay(), "holds no games; let the run play some");
  if (request.network.empty()) return result;
  models::Model network;
  network.manifest.set_ruleset(run.pool.games().front()->info().ruleset);
  network.manifest.set_steps(result.losses.steps);
  network.manifest.set_config(config_text(run.config));
  set_games_trained(run.pool, &network.manifest);
  for (const auto& [game, small] : trainer.networks()) network.small_networks.push_back(small);
  write(request, network);
  return result;
}

}  // namespace makzero::train
