#include "play/load_network.h"

#include <optional>
#include <utility>

#include "models/checkpoint.h"
#include "models/error.h"
#include "models/store.h"
#include "nn/caching_evaluator.h"

namespace makzero::play {
namespace {

// Positions that a game's search comes back to; some 100 MB at most.
constexpr std::size_t kCacheEntries = 1 << 16;

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

LoadedNetwork load_network(const game::Game& rules, const std::filesystem::path& path) {
  const models::Checkpoint checkpoint = models::read_checkpoint(find_checkpoint(path));
  auto network = models::make_evaluator(rules, checkpoint, {});
  std::string description =
      "network " + checkpoint.id() + ", generation " + std::to_string(checkpoint.manifest.generation());
  return {std::make_unique<nn::CachingEvaluator>(std::move(network), kCacheEntries), std::move(description)};
}

}  // namespace makzero::play
