// Model: what a training leaves and a zoo holds, a tower, small networks by game, or both, as one file:
// checksummed, written atomically, independent of LibTorch's version.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "mcts/small_network.h"
#include "models/card.pb.h"
#include "models/manifest.pb.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/learner.h"
#include "nn/network.h"
#include "nn/small_learner.h"

namespace makzero::models {

struct Model {
  Manifest manifest;
  nn::Network tower;  // That plays (averaged weights), with the manifest's architecture; no weights: none.
  std::vector<mcts::SmallNetwork> small_networks = {};  // Of different games.
  std::optional<ModelCard> card = {};                   // Of a published model.

  // That of its only network, tower_id() or small_network_id(); of several a hash of all.
  std::string id() const;

  // The first 12 hexadecimal digits of the tower's weights_hash(); empty where there is none.
  std::string tower_id() const;
};

// xxh3-128 of the tensors' data, 32 hexadecimal digits; empty where there are none.
std::string weights_hash(const nn::Weights& weights);

// xxh3-128 of the certificate of the rules of that game (game::certificate), 32 hexadecimal digits; empty
// where it has none.
std::string rules_validation(std::string_view ruleset);

// The ids of the model that a manifest describes.
std::string id_of(const Manifest& manifest);
std::string tower_id_of(const Manifest& manifest);

// "10x128": blocks and channels.
std::string network_size(int blocks, int channels);

// "makruk-6x64-r48M-4f2a91", for people: game or family, blocks and channels, training positions where they
// are known, the first digits of the tower's id. Of a small network alone "makruk-small-634b61".
std::string readable_name(const Manifest& manifest);

// Entry of the small network with that id; null where it has none.
const SmallNetworkEntry* small_entry(const Manifest& manifest, const std::string& id);

// True if it has a small network of the ruleset's game; of an empty ruleset any.
bool has_small_network(const Manifest& manifest, std::string_view ruleset);

// A model of this tower for `game`; the caller fills in the run metadata (generation, steps, games, config
// ...).
Model make_model(const game::Game& game, nn::Network tower);

// A model of this small network alone.
Model make_model(mcts::SmallNetwork network);

// Writes under a temporary name, syncs, renames. Throws Error.
void write_model(const std::filesystem::path& path, const Model& model);

// Reads and verifies every byte, also of the files of a small network that former releases wrote (.mzs).
// Throws Error: missing, truncated, foreign file, checksum, unknown version.
Model read_model(const std::filesystem::path& path);

// The same without the tower, whose bytes are not read.
Model read_head(const std::filesystem::path& path);

// The bytes of the file that write_model() writes, and a model from such bytes; `name` says in errors where
// they are from. Both throw Error as write and read do.
std::string model_bytes(const Model& model);
Model parse_model(const std::string& name, std::string_view bytes);

// The manifest alone, of a model or a learner's state; its own checksum is verified, the weights' are not.
Manifest read_manifest(const std::filesystem::path& path);

// The tower of a model, ready to play `game`. Throws Error when it was trained for another game, other
// planes, another encoder or move index, naming both; rule options may differ.
std::unique_ptr<nn::TorchEvaluator> make_evaluator(const game::Game& game, const Model& checkpoint,
                                                   const nn::TorchEvaluatorOptions& options);

// The same for searches: on a card it computes batches while its caller searches on. Throws as
// make_evaluator() does.
std::unique_ptr<mcts::Evaluator> make_search_evaluator(const game::Game& game, const Model& checkpoint,
                                                       const nn::TorchEvaluatorOptions& options);

// The rulesets that the network was trained on: Manifest::games_trained, of older networks the one ruleset.
std::vector<std::string> games_trained(const Manifest& manifest);

// Whether the tower, if there is one, can play a ruleset: any of the games that it was trained on where it
// sees the rules, of older networks the one ruleset with any options.
bool plays(const Manifest& manifest, std::string_view ruleset);

// mcts::kSearchConstants of searches with the network; the other options have their defaults. Throws Error
// where the manifest has a constant that this program does not know.
mcts::SearchOptions search_options(const Manifest& manifest);
void set_search_options(const mcts::SearchOptions& options, Manifest* manifest);

// With the names of the input planes and rule features.
nn::NetworkArchitecture architecture_of(const Manifest& manifest);
void set_architecture(const nn::NetworkArchitecture& architecture, Manifest* manifest);

// The whole state of the learners of tower and small networks, so that training goes on as if it had not
// stopped: same format, more tensor groups. Steps and architecture are stored as the manifest's; a state
// without weights is that of a run without a tower. The pointers may be null when reading.
void write_learner_state(const std::filesystem::path& path, const Manifest& manifest,
                         const nn::LearnerState& state,
                         std::span<const nn::SmallLearnerState> small_networks = {});
nn::LearnerState read_learner_state(const std::filesystem::path& path, Manifest* manifest,
                                    std::vector<nn::SmallLearnerState>* small_networks = nullptr);

}  // namespace makzero::models
