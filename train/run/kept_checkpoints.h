// Checkpoints of a run that must be kept, and the surplus that may be deleted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/run_folder.h"

namespace makzero::train {

// All but the newest `newest`, those that have played a match on record (the best rated is one of them), and
// those of keep_checkpoint(). Throws models::Error.
std::vector<std::filesystem::path> surplus_checkpoints(const RunPaths& run, int newest);

// A checkpoint in the folder of a run stays from now on: CHECKPOINT.keep says why. Other files, and those in
// folders that cannot be written, need no such note.
void keep_checkpoint(const std::filesystem::path& checkpoint, const std::string& why);

}  // namespace makzero::train
