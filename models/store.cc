// The checkpoints of a run: a folder of files, one per generation.
#include "models/store.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "game/plain_text.h"
#include "models/error.h"
#include "models/file_io.h"

namespace makzero::models {
namespace {

constexpr std::string_view kExtension = ".mzc";
constexpr int kDigits = 6;
constexpr const char* kBest = "best";

std::string file_name(std::int64_t generation) {
  std::string digits = std::to_string(generation);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return digits + std::string(kExtension);
}

// The generation that a file name stands for; none for other files.
std::optional<std::int64_t> generation_of(const std::filesystem::path& path) {
  const auto generation = game::parse_number<std::int64_t>(path.stem().string());
  const bool named = generation && *generation >= 0 && path.filename() == file_name(*generation);
  return named ? generation : std::nullopt;
}

}  // namespace

CheckpointStore::CheckpointStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::vector<StoredCheckpoint> CheckpointStore::list() const {
  std::vector<StoredCheckpoint> checkpoints;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, missing)) {
    const std::optional<std::int64_t> generation = generation_of(entry.path());
    if (generation) checkpoints.push_back({entry.path(), *generation});
  }
  std::sort(checkpoints.begin(), checkpoints.end(),
            [](const StoredCheckpoint& a, const StoredCheckpoint& b) { return a.generation < b.generation; });
  return checkpoints;
}

std::optional<StoredCheckpoint> CheckpointStore::latest() const {
  const std::vector<StoredCheckpoint> all = list();
  if (all.empty()) return std::nullopt;
  return all.back();
}

std::optional<StoredCheckpoint> CheckpointStore::best() const {
  std::vector<StoredCheckpoint> all = list();
  if (all.empty()) return std::nullopt;
  const std::string noted = has_best() ? read_text_file(folder_ / kBest) : "";
  for (const StoredCheckpoint& each : all)
    if (noted == std::to_string(each.generation) + "\n") return each;
  return all.back();
}

void CheckpointStore::set_best(std::int64_t generation) {
  write_text_file(folder_ / kBest, std::to_string(generation) + "\n");
}

bool CheckpointStore::has_best() const { return std::filesystem::is_regular_file(folder_ / kBest); }

std::filesystem::path CheckpointStore::path(std::int64_t generation) const {
  return folder_ / file_name(generation);
}

StoredCheckpoint CheckpointStore::add(const Model& checkpoint) {
  make_folder(folder_);
  const std::int64_t generation = checkpoint.manifest.generation();
  if (generation < 0)
    throw Error("a checkpoint of generation " + std::to_string(generation) + " cannot be stored");
  StoredCheckpoint stored = {path(generation), generation};
  write_model(stored.path, checkpoint);
  return stored;
}

}  // namespace makzero::models
