#include "train/run/anneal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/model.h"
#include "models/store.h"
#include "train/replay/replay_store.h"
#include "train/run/offline_trainer.h"

namespace makzero::train {
namespace {

constexpr int kValidationRows = 4096;

// The id of the run's checkpoint of a generation; empty where it has none.
std::string checkpoint_id(const RunPaths& paths, std::int64_t generation) {
  const std::filesystem::path path = models::CheckpointStore(paths.checkpoints()).path(generation);
  return std::filesystem::exists(path) ? models::id_of(models::read_manifest(path)) : "";
}

}  // namespace

AnnealResult anneal(const AnnealRequest& request, Display* display, const std::stop_token& stop) {
  const RunPaths paths(request.run);
  models::Manifest manifest;
  const nn::LearnerState state = models::read_learner_state(paths.learner(), &manifest);
  OfflineTrainer offline(request.run, {}, state.steps);
  offline.trainer().load(state);

  const auto steps =
      std::max<std::int64_t>(1, std::llround(request.share * static_cast<double>(state.steps)));
  AnnealResult result{request.network, steps, {}, offline.trainer().validate(kValidationRows).mean, {}};
  DisplayState shown;
  shown.title = fmt::format("{}, annealing {}", offline.config().game(), request.run.string());
  shown.phase = "learning with a falling rate";
  shown.last.run.generation = manifest.generation();
  shown.last.learnt.validation = result.before;
  const float peak = schedule_of(offline.config()).factor(stored_rows(paths.replay()));
  result.learning = offline.learn(steps, {.share = 1, .peak = peak}, shown, display, stop);
  result.after = offline.trainer().validate(kValidationRows).mean;
  if (result.network.empty()) result.network = paths.annealed(manifest.generation());
  models::write_model(result.network,
                      offline.checkpoint(manifest, checkpoint_id(paths, manifest.generation())));
  return result;
}

}  // namespace makzero::train
