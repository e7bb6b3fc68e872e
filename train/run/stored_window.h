// Configuration, games and window of a run, read outside of the run.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "train/config.h"
#include "train/replay/record.pb.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// The run is only read and may go on meanwhile.
struct StoredRun {
  // The configuration with `changes` on top. Throws models::Error.
  explicit StoredRun(const std::filesystem::path& run, const Overrides& changes = {});

  Config config;
  GamePool pool;
};

struct StoredWindow : StoredRun {
  // And the newest of the tower's games, up to its window. Throws models::Error, also where there are none.
  explicit StoredWindow(const std::filesystem::path& run, const Overrides& changes = {});

  std::vector<std::unique_ptr<GameRecord>> games;  // Oldest first.
};

}  // namespace makzero::train
