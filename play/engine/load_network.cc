#include "play/engine/load_network.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "game/catalog.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "models/store.h"
#include "models/zoo.h"
#include "nn/evaluators/caching_evaluator.h"
#include "play/engine/tuned_settings.h"

namespace makzero::play {
namespace {

// Of an evaluation in the cache: position, value and some 64 priors.
constexpr std::size_t kEntryBytes = 448;

// Of the network in this file, whose manifest it is.
std::vector<Level> levels_of(const std::filesystem::path& file, const models::Manifest& manifest,
                             const std::string& ruleset) {
  const std::filesystem::path source = models::Zoo::standard().levels_of(file, ruleset);
  const models::Manifest measured = source == file ? manifest : models::read_manifest(source);
  const std::string measured_in = source == file ? "" : (*game::make_game(measured.ruleset()))->info().title;
  std::vector<Level> levels;
  for (const models::Level& level : measured.levels()) {
    levels.push_back({level.level(), level.simulations(), level.temperature(), level.elo(), measured_in});
  }
  std::sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.elo < b.elo; });
  return levels;
}

constexpr const char* kWithoutNetwork = "alphabeta:3";

// Who plays, for people, with the metadata of its checkpoint.
std::string people_name(const std::string& name, const std::string& details) {
  if (name == models::kZooName) return "MakZero (" + details + ", of the zoo)";
  if (!std::filesystem::is_directory(name)) return details;
  return "your training \"" + std::filesystem::weakly_canonical(name).filename().string() + "\" (" + details +
         ")";
}

}  // namespace

std::filesystem::path find_checkpoint(const std::string& name, const std::string& ruleset) {
  if (name == models::kZooName) return models::Zoo::standard().network_for(ruleset);
  if (!std::filesystem::is_directory(name)) return name;
  const std::optional<models::StoredCheckpoint> latest =
      models::CheckpointStore(std::filesystem::path(name) / "checkpoints").latest();
  if (!latest) {
    throw models::Error(name, "no checkpoint in this run yet: let `makzero train` finish a generation first");
  }
  return latest->path;
}

std::filesystem::path find_checkpoint(const std::string& name) {
  if (name == models::kZooName)
    throw models::Error("name a game in place of 'zoo': " + models::Zoo::standard().summary());
  const bool ruleset = !std::filesystem::exists(name) && game::make_game(name);
  return ruleset ? find_checkpoint(std::string(models::kZooName), name) : find_checkpoint(name, "");
}

bool zoo_plays(const std::string& ruleset) {
  try {
    return models::Zoo::standard().find(ruleset).has_value();
  } catch (const models::Error&) {
    return true;
  }
}

DefaultPlayer default_player(const std::string& ruleset) {
  const std::string run = "runs/" + ruleset;
  if (models::CheckpointStore(run + "/checkpoints").latest()) return {run, ""};
  if (zoo_plays(ruleset)) return {std::string(models::kZooName), ""};
  return {kWithoutNetwork, "No network in " + run + ", and " + models::Zoo::standard().summary() + ": " +
                               kWithoutNetwork + " plays. `makzero train " + ruleset +
                               "` makes one, --model names one."};
}

std::vector<Level> measured_levels(const std::string& name, const std::string& ruleset) {
  try {
    const std::filesystem::path file = find_checkpoint(name, ruleset);
    if (!std::filesystem::exists(file)) return {};
    return levels_of(file, models::read_manifest(file), ruleset);
  } catch (const std::exception&) {
    return {};  // Loading the network tells why.
  }
}

LoadedNetwork load_network(const game::Game& rules, const std::string& name, const NetworkOptions& options) {
  const std::filesystem::path file = find_checkpoint(name, rules.info().ruleset);
  const models::Checkpoint checkpoint = models::read_checkpoint(file);
  std::string description = people_name(name, "network " + checkpoint.id() + ", generation " +
                                                  std::to_string(checkpoint.manifest.generation()));
  const std::size_t entries = std::bit_floor(std::max<std::size_t>(1, options.cache_bytes / kEntryBytes));
  nn::Precision precision = options.backend.precision;
  if (precision == nn::Precision::kAuto) {
    const models::Manifest& manifest = checkpoint.manifest;
    const nn::NetworkArchitecture size = models::architecture_of(manifest);
    const auto tuned = tuned_settings(options.backend.device, network_size(size.blocks, size.channels));
    if (tuned) precision = tuned->precision;
  }
  try {
    auto network = models::make_search_evaluator(rules, checkpoint,
                                                 {.device = options.backend.device, .precision = precision});
    return {std::make_unique<nn::CachingEvaluator>(std::move(network), entries), std::move(description),
            models::search_options(checkpoint.manifest),
            levels_of(file, checkpoint.manifest, rules.info().ruleset)};
  } catch (const models::Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw models::Error(file, error.what());
  }
}

}  // namespace makzero::play
