#include "train/run/fit.h"

#include <fmt/format.h>

#include <chrono>

#include "models/model.h"
#include "train/run/offline_trainer.h"

namespace makzero::train {

FitResult fit(const FitRequest& request, Display* display, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  OfflineTrainer offline(request.run, request.changes);
  FitResult result{offline.config(), offline.trainer().architecture(), offline.games(), 0, {}, {}};
  DisplayState shown;
  shown.title = fmt::format("{}, fitting {}x{} to {}", offline.config().game(), result.architecture.blocks,
                            result.architecture.channels, request.run.string());
  shown.phase = "learning";
  const Clock::time_point begin = Clock::now();
  result.learning = offline.learn(request.steps, {.share = request.decay_share}, shown, display, stop);
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  result.validation = offline.trainer().validate(request.validation_rows).mean;
  if (request.network.empty()) return result;
  const models::Manifest manifest = models::read_manifest(RunPaths(request.run).learner());
  if (request.network.has_parent_path()) std::filesystem::create_directories(request.network.parent_path());
  models::write_model(request.network, offline.checkpoint(manifest, ""));
  return result;
}

}  // namespace makzero::train
