#include "train/run/stored_window.h"

#include "game/catalog.h"
#include "models/error.h"
#include "train/replay/replay_store.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

Config config_of(const std::filesystem::path& run, const Overrides& changes) {
  const std::filesystem::path path = RunPaths(run).config();
  return models::value_or_error(path, override_config(read_config(path), changes));
}

}  // namespace

StoredRun::StoredRun(const std::filesystem::path& run, const Overrides& changes)
    : config(config_of(run, changes)),
      pool(models::value_or_error(RunPaths(run).config(), game::make_games(config.game())),
           config.rulesets()) {}

StoredWindow::StoredWindow(const std::filesystem::path& run, const Overrides& changes)
    : StoredRun(run, changes), games(read_window(RunPaths(run).replay(), config.replay())) {
  const std::string why = trains_tower(config) ? "; let the run play some" : ": the run trains no tower";
  if (games.empty()) throw models::Error(RunPaths(run).replay(), "holds no games" + why);
}

}  // namespace makzero::train
