#include "play/load_network.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/checkpoint.h"
#include "models/error.h"
#include "models/store.h"
#include "nn/caching_evaluator.h"

namespace makzero::play {
namespace {

// Of an evaluation in the cache: position, value and some 64 priors.
constexpr std::size_t kEntryBytes = 448;

std::vector<Level> levels_of(const models::Manifest& manifest) {
  std::vector<Level> levels;
  for (const models::Level& level : manifest.levels()) {
    levels.push_back({level.level(), level.simulations(), level.temperature(), level.elo()});
  }
  std::sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.elo < b.elo; });
  return levels;
}

}  // namespace

std::filesystem::path find_checkpoint(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return path;
  const std::optional<models::StoredCheckpoint> latest =
      models::CheckpointStore(path / "checkpoints").latest();
  if (!latest) {
    throw models::Error(path, "no checkpoint in this run yet: let `makzero train` finish a generation first");
  }
  return latest->path;
}

std::vector<Level> measured_levels(const std::filesystem::path& path) {
  try {
    if (!std::filesystem::exists(path)) return {};
    return levels_of(models::read_manifest(find_checkpoint(path)));
  } catch (const std::exception&) {
    return {};  // Loading the network tells why.
  }
}

LoadedNetwork load_network(const game::Game& rules, const std::filesystem::path& path,
                           const NetworkOptions& options) {
  const std::filesystem::path file = find_checkpoint(path);
  const models::Checkpoint checkpoint = models::read_checkpoint(file);
  std::string description =
      "network " + checkpoint.id() + ", generation " + std::to_string(checkpoint.manifest.generation());
  const std::size_t entries = std::bit_floor(std::max<std::size_t>(1, options.cache_bytes / kEntryBytes));
  try {
    auto network = models::make_evaluator(rules, checkpoint, {.device = options.device});
    return {std::make_unique<nn::CachingEvaluator>(std::move(network), entries), std::move(description),
            levels_of(checkpoint.manifest)};
  } catch (const models::Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw models::Error(file, error.what());
  }
}

}  // namespace makzero::play
