// A model and its game: described when it is made, compared when it is to play.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "game/catalog.h"
#include "mcts/material_evaluator.h"
#include "models/error.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "nn/encoder.h"
#include "nn/evaluators/batching_evaluator.h"

namespace makzero::models {
namespace {

// Throws Error where the checkpoint was made for something else than the game.
void check_fit(const Manifest& manifest, const game::Game& game) {
  const std::string& ruleset = game.info().ruleset;
  const std::string who = "checkpoint " + id_of(manifest) + " of '" + manifest.ruleset() + "'";
  if (tower_id_of(manifest).empty())
    throw Error(who + " holds a small network alone, and this needs a tower: name a training or 'zoo'");
  if (!plays(manifest, ruleset)) {
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
}

}  // namespace

Model make_model(const game::Game& game, nn::Network tower) {
  Model model;
  model.tower = std::move(tower);
  Manifest& manifest = model.manifest;
  manifest.set_ruleset(game.info().ruleset);
  manifest.set_rules_validation(rules_validation(game.info().ruleset));
  manifest.set_encoder_version(nn::kEncoderVersion);
  manifest.set_move_index_version(nn::kMoveIndexVersion);
  set_architecture(model.tower.architecture, &manifest);
  manifest.set_created_unix(std::time(nullptr));
  manifest.set_weights_hash(weights_hash(model.tower.weights));
  return model;
}

Model make_model(mcts::SmallNetwork network) {
  Model model;
  model.manifest.set_ruleset(network.game);
  model.manifest.set_rules_validation(rules_validation(network.game));
  model.manifest.set_created_unix(std::time(nullptr));
  SmallNetworkEntry* entry = model.manifest.add_small_networks();
  entry->set_game(network.game);
  entry->set_id(small_network_id(network));
  model.small_networks.push_back(std::move(network));
  return model;
}

std::unique_ptr<nn::TorchEvaluator> make_evaluator(const game::Game& game, const Model& checkpoint,
                                                   const nn::TorchEvaluatorOptions& options) {
  check_fit(checkpoint.manifest, game);
  nn::TorchEvaluatorOptions named = options;
  if (named.network.empty()) named.network = checkpoint.tower_id();
  try {
    return std::make_unique<nn::TorchEvaluator>(game, checkpoint.tower, named);
  } catch (const std::runtime_error& error) {
    throw Error("checkpoint " + checkpoint.tower_id() + ": " + error.what());
  }
}

std::vector<std::string> games_trained(const Manifest& manifest) {
  if (manifest.games_trained().empty()) return {manifest.ruleset()};
  return {manifest.games_trained().begin(), manifest.games_trained().end()};
}

namespace {

// "48M", "640k", "12".
std::string short_count(std::int64_t count) {
  if (count >= 1'000'000) return std::to_string(count / 1'000'000) + "M";
  return count >= 1'000 ? std::to_string(count / 1'000) + "k" : std::to_string(count);
}

// The game that a network was trained on, or the family of several.
std::string subject_of(const Manifest& manifest) {
  const std::vector<std::string> trained = games_trained(manifest);
  std::string game(game::game_of(trained.front()));
  if (std::ranges::all_of(trained, [&](const std::string& each) { return game::game_of(each) == game; }))
    return game;
  const auto rules = game::make_game(game);
  return rules ? (*rules)->info().family : game;
}

}  // namespace

std::string network_size(int blocks, int channels) {
  return std::to_string(blocks) + "x" + std::to_string(channels);
}

std::string readable_name(const Manifest& manifest) {
  static constexpr std::size_t kDigits = 6;
  const std::string tower = tower_id_of(manifest);
  if (tower.empty())
    return std::string(game::game_of(manifest.ruleset())) + "-small-" + id_of(manifest).substr(0, kDigits);
  const NetworkArchitecture& size = manifest.architecture();
  const std::string rows = manifest.rows() > 0 ? "-r" + short_count(manifest.rows()) : "";
  return subject_of(manifest) + "-" + network_size(size.blocks(), size.channels()) + rows + "-" +
         tower.substr(0, kDigits);
}

bool plays(const Manifest& manifest, std::string_view ruleset) {
  if (tower_id_of(manifest).empty()) return false;
  return std::ranges::any_of(games_trained(manifest), [&](const std::string& trained) {
    if (manifest.rule_features().empty()) return game::ruleset_name(trained) == game::ruleset_name(ruleset);
    return game::game_of(trained) == game::game_of(ruleset);
  });
}

mcts::SearchOptions search_options(const Manifest& manifest) {
  const SearchSettings& stored = manifest.search();
  mcts::SearchOptions options;
  for (const auto& [name, member] : mcts::kSearchConstants) {
    const auto* field = SearchSettings::descriptor()->FindFieldByName(name);
    if (field && SearchSettings::GetReflection()->HasField(stored, field))
      options.*member = SearchSettings::GetReflection()->GetFloat(stored, field);
  }
  for (const NamedConstant& constant : stored.constants()) {
    const auto* known =
        std::ranges::find(mcts::kSearchConstants, constant.name(), &mcts::SearchConstant::name);
    if (known == std::end(mcts::kSearchConstants))
      throw Error("model " + id_of(manifest) + " searches with the constant '" + constant.name() +
                  "', which this program does not know: use that which made it (" + manifest.commit() + ")");
    options.*known->member = constant.value();
  }
  return options;
}

void set_search_options(const mcts::SearchOptions& options, Manifest* manifest) {
  SearchSettings* stored = manifest->mutable_search();
  stored->clear_constants();
  for (const auto& [name, member] : mcts::kSearchConstants) {
    if (const auto* field = SearchSettings::descriptor()->FindFieldByName(name)) {
      SearchSettings::GetReflection()->SetFloat(stored, field, options.*member);
      continue;
    }
    NamedConstant* constant = stored->add_constants();
    constant->set_name(name);
    constant->set_value(options.*member);
  }
}

std::unique_ptr<mcts::Evaluator> make_search_evaluator(const game::Game& game, const Model& checkpoint,
                                                       const nn::TorchEvaluatorOptions& options) {
  std::unique_ptr<nn::TorchEvaluator> tower = make_evaluator(game, checkpoint, options);
  if (options.device == "cpu") return tower;
  return std::make_unique<nn::BatchingEvaluator>(std::move(tower), options.max_batch);
}

}  // namespace makzero::models
