// The checkpoints of a run: a folder of files, one per generation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "models/model.h"

namespace makzero::models {

struct StoredCheckpoint {
  std::filesystem::path path;  // DIR/000012.mzc
  std::int64_t generation = 0;
};

// Names files only; every call looks at the folder anew. Thread-safe for readers beside one writer.
class CheckpointStore {
 public:
  explicit CheckpointStore(std::filesystem::path folder);

  // By generation, oldest first. Unfinished and set-aside files are not listed.
  std::vector<StoredCheckpoint> list() const;
  std::optional<StoredCheckpoint> latest() const;

  // The strongest that matches have found, noted in DIR/best; the latest where none is noted or it is gone.
  std::optional<StoredCheckpoint> best() const;
  void set_best(std::int64_t generation);
  bool has_best() const;

  // Where the checkpoint of a generation is or would be.
  std::filesystem::path path(std::int64_t generation) const;

  // Writes the checkpoint under its manifest's generation.
  StoredCheckpoint add(const Model& checkpoint);

 private:
  std::filesystem::path folder_;
};

}  // namespace makzero::models
