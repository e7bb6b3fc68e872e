// A checkpoint and its game: described when it is made, compared when it is to play.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "game/catalog.h"
#include "mcts/material_evaluator.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "nn/encoder.h"

namespace makzero::models {
namespace {

std::int64_t unix_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The first plane that differs, as both sides see it; empty when none does.
std::string plane_difference(const Manifest& manifest, const std::vector<std::string>& planes) {
  const std::vector<std::string> trained(manifest.planes().begin(), manifest.planes().end());
  const auto name = [](const std::vector<std::string>& names, std::size_t i) {
    return i < names.size() ? fmt::format("'{}'", names[i]) : "nothing";
  };
  for (std::size_t i = 0; i < std::max(trained.size(), planes.size()); ++i) {
    if (name(trained, i) != name(planes, i)) {
      return fmt::format("plane {} is {} there and {} here", i, name(trained, i), name(planes, i));
    }
  }
  return "";
}

// Throws Error where the checkpoint was made for something else than the game.
void check_fit(const Manifest& manifest, const game::Game& game) {
  const std::string& ruleset = game.info().ruleset;
  const std::string who = "checkpoint " + id_of(manifest) + " of '" + manifest.ruleset() + "'";
  if (game::ruleset_name(manifest.ruleset()) != game::ruleset_name(ruleset)) {
    throw Error(who + " cannot play '" + ruleset + "'; choose a checkpoint that was trained for it");
  }
  const auto check_version = [&](const char* what, std::uint32_t theirs, std::uint32_t ours) {
    if (theirs == ours) return;
    throw Error(who + " has " + what + " version " + std::to_string(theirs) + ", this program has version " +
                std::to_string(ours) + "; use the program that made it (" + manifest.commit() +
                ") or train anew");
  };
  check_version("encoder", manifest.encoder_version(), nn::kEncoderVersion);
  check_version("move index", manifest.move_index_version(), nn::kMoveIndexVersion);
  const nn::Encoder encoder(game, shape_of(manifest).tactics);
  if (const std::string difference = plane_difference(manifest, encoder.planes()); !difference.empty()) {
    throw Error(who + " has " + std::to_string(manifest.planes_size()) + " input planes, '" + ruleset +
                "' has " + std::to_string(encoder.plane_count()) + ": " + difference +
                "; play the ruleset that it was trained for");
  }
}

}  // namespace

Checkpoint make_checkpoint(const game::Game& game, const nn::NetworkShape& shape, nn::Weights weights) {
  Checkpoint checkpoint;
  checkpoint.weights = std::move(weights);
  Manifest& manifest = checkpoint.manifest;
  manifest.set_ruleset(game.info().ruleset);
  manifest.set_rules_certificate(rules_certificate(game.info().ruleset));
  manifest.set_encoder_version(nn::kEncoderVersion);
  manifest.set_move_index_version(nn::kMoveIndexVersion);
  const nn::Encoder encoder(game, shape.tactics);
  for (const std::string& plane : encoder.planes()) manifest.add_planes(plane);
  set_shape(shape, &manifest);
  manifest.set_created_unix(unix_seconds());
  manifest.set_weights_hash(weights_hash(checkpoint.weights));
  return checkpoint;
}

std::unique_ptr<nn::TorchEvaluator> make_evaluator(const game::Game& game, const Checkpoint& checkpoint,
                                                   const nn::TorchEvaluatorOptions& options) {
  check_fit(checkpoint.manifest, game);
  try {
    return std::make_unique<nn::TorchEvaluator>(game, shape_of(checkpoint.manifest), checkpoint.weights,
                                                options);
  } catch (const std::runtime_error& error) {
    throw Error("checkpoint " + checkpoint.id() + ": " + error.what());
  }
}

std::unique_ptr<mcts::Evaluator> make_search_evaluator(const game::Game& game, const Checkpoint& checkpoint,
                                                       const nn::TorchEvaluatorOptions& options) {
  return mcts::beside_material(make_evaluator(game, checkpoint, options), game,
                               checkpoint.manifest.material_share());
}

}  // namespace makzero::models
