#include "train/run/kept_checkpoints.h"

#include <algorithm>
#include <set>

#include "models/error.h"
#include "models/file_io.h"
#include "models/store.h"
#include "train/rating/rating.h"

namespace makzero::train {
namespace {

std::filesystem::path note_of(const std::filesystem::path& checkpoint) {
  return checkpoint.string() + ".keep";
}

// The generations that have played.
std::set<std::int64_t> matched_generations(const RunPaths& run) {
  std::set<std::int64_t> generations;
  for (const std::filesystem::path& folder : match_folders(run.root)) {
    const RatingStore matches(folder);
    for (const auto& [player, generation] : matches.generations()) generations.insert(generation);
  }
  return generations;
}

}  // namespace

std::vector<std::filesystem::path> surplus_checkpoints(const RunPaths& run, int newest) {
  std::vector<models::StoredCheckpoint> stored = models::CheckpointStore(run.checkpoints()).list();
  const auto kept = static_cast<std::size_t>(newest);
  stored.resize(std::max(stored.size(), kept) - kept);
  if (stored.empty()) return {};
  const std::set<std::int64_t> matched = matched_generations(run);
  std::vector<std::filesystem::path> surplus;
  for (const models::StoredCheckpoint& each : stored) {
    if (!matched.contains(each.generation) && !std::filesystem::exists(note_of(each.path)))
      surplus.push_back(each.path);
  }
  return surplus;
}

void keep_checkpoint(const std::filesystem::path& checkpoint, const std::string& why) {
  if (checkpoint.parent_path().filename() != "checkpoints") return;
  try {
    models::write_text_file(note_of(checkpoint), why + "\n");
  } catch (const models::Error&) {  // Nobody deletes anything there.
  }
}

}  // namespace makzero::train
