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

LoadedNetwork load_network(const game::Game& rules, const std::filesystem::path& path,
                           const NetworkOptions& options) {
  const std::filesystem::path file = find_checkpoint(path);
  const models::Checkpoint checkpoint = models::read_checkpoint(file);
  std::string description =
      "network " + checkpoint.id() + ", generation " + std::to_string(checkpoint.manifest.generation());
  const std::size_t entries = std::bit_floor(std::max<std::size_t>(1, options.cache_bytes / kEntryBytes));
  try {
    auto network = models::make_evaluator(rules, checkpoint, {.device = options.device});
    return {std::make_unique<nn::CachingEvaluator>(std::move(network), entries), std::move(description)};
  } catch (const models::Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw models::Error(file, error.what());
  }
}

}  // namespace makzero::play
