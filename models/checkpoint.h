// One trained network on disk: manifest and tensors, checksummed, written atomically, independent of
// LibTorch's version.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "models/manifest.pb.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::models {

struct Checkpoint {
  Manifest manifest;
  nn::Network network;  // That plays (averaged weights); the manifest of a file says its architecture.

  // The first 12 hexadecimal digits of the weights' hash.
  std::string id() const;
};

// xxh3-128 of the tensors' data, 32 hexadecimal digits.
std::string weights_hash(const nn::Weights& weights);

// xxh3-128 of the certificate of the rules of that game (game::certificate), 32 hexadecimal digits; empty
// where it has none.
std::string rules_validation(std::string_view ruleset);

// The id() of the checkpoint that a manifest describes.
std::string id_of(const Manifest& manifest);

// A checkpoint of this network for `game`; the caller fills in the run metadata (generation, steps, games,
// config ...).
Checkpoint make_checkpoint(const game::Game& game, nn::Network network);

// Writes under a temporary name, syncs, renames. Throws Error.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// Reads and verifies every byte. Throws Error: missing, truncated, foreign file, checksum, unknown version.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// The bytes of the file that write_checkpoint() writes, and a checkpoint from such bytes; `name` says in
// errors where they are from. Both throw Error as write and read do.
std::string checkpoint_bytes(const Checkpoint& checkpoint);
Checkpoint parse_checkpoint(const std::string& name, std::string_view bytes);

// The manifest alone, of a checkpoint or a learner's state; its own checksum is verified, the tensors' is
// not.
Manifest read_manifest(const std::filesystem::path& path);

// The network of a checkpoint, ready to play `game`. Throws Error when it was trained for another game, other
// planes, another encoder or move index, naming both; rule options may differ.
std::unique_ptr<nn::TorchEvaluator> make_evaluator(const game::Game& game, const Checkpoint& checkpoint,
                                                   const nn::TorchEvaluatorOptions& options);

// What searches with that network ask: the network, and beside it mcts::MaterialEvaluator as far as
// Manifest::material_blend_weight says. Throws as make_evaluator() does.
std::unique_ptr<mcts::Evaluator> make_search_evaluator(const game::Game& game, const Checkpoint& checkpoint,
                                                       const nn::TorchEvaluatorOptions& options);

// The rulesets that the network was trained on: Manifest::games_trained, of older networks the one ruleset.
std::vector<std::string> games_trained(const Manifest& manifest);

// Whether the network can play a ruleset: any of the games that it was trained on where it sees the rules, of
// older networks the one ruleset with any options.
bool plays(const Manifest& manifest, std::string_view ruleset);

// The constants of searches with the network: draw score, moves-left weight, c_visit, c_scale, cpuct, FPU
// reduction; the other options have their defaults.
mcts::SearchOptions search_options(const Manifest& manifest);
void set_search_options(const mcts::SearchOptions& options, Manifest* manifest);

// With the names of the input planes and rule features.
nn::NetworkArchitecture architecture_of(const Manifest& manifest);
void set_architecture(const nn::NetworkArchitecture& architecture, Manifest* manifest);

// The learner's whole state, so that training goes on as if it had not stopped: same format, more tensor
// groups. Steps and architecture are stored as the manifest's; `manifest` may be null when reading.
void write_learner_state(const std::filesystem::path& path, const Manifest& manifest,
                         const nn::LearnerState& state);
nn::LearnerState read_learner_state(const std::filesystem::path& path, Manifest* manifest);

}  // namespace makzero::models
