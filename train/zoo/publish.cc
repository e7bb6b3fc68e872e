#include "train/zoo/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/new_folder.h"
#include "models/player/player_spec.h"
#include "models/small_network_file.h"
#include "nn/machine.h"
#include "train/config.h"
#include "train/zoo/match_book.h"
#include "train/zoo/model_card.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;
using models::ModelCard;

// Games that are played and put on record together. Each such batch has a seed of its own: however often it
// was stopped, a match consists of the same games.
constexpr int kBatch = 20;
constexpr std::uint64_t kSeed = 1;
constexpr int kOpeningPlies = 4;
constexpr std::chrono::milliseconds kSmallTime{100};  // Of a small network, where none is named.

models::PlayerSpec player(const std::string& text, const std::string& ruleset, const std::string& device) {
  return models::with_default_strength(
      models::value_or_error(models::parse_player(text, {"", ruleset, device})), models::kMatchSimulations);
}

// The match of this network in the model card, a new one where there is none.
models::MatchResult* take_match(ModelCard* card, const std::string& network, const std::string& strength,
                                const std::string& opponent) {
  for (models::MatchResult& match : *card->mutable_matches())
    if (match.network() == network && match.strength() == strength && match.opponent() == opponent)
      return &match;
  models::MatchResult* match = card->add_matches();
  match->set_network(network);
  match->set_strength(strength);
  match->set_opponent(opponent);
  return match;
}

bool has_network(const ModelCard& card, const std::string& id) {
  return card.tower().network() == id ||
         std::ranges::any_of(card.small_networks(), [&](const auto& small) { return small.network() == id; });
}

// What repeats the training: the run's configuration with what it spent as its budget.
std::string repeating_config(const fs::path& checkpoint, const models::Manifest& manifest) {
  Config config =
      models::value_or_error(parse_config(manifest.config(), checkpoint.string() + " (its configuration)"));
  if (config.game() != manifest.ruleset()) {
    throw models::Error(checkpoint,
                        fmt::format("was trained beside other games ({}), and the zoo repeats trainings of "
                                    "one: begin a run of {} with it (--from) and publish that",
                                    config.game(), manifest.ruleset()));
  }
  if (config.evaluations() == 0 || config.evaluations() > manifest.evaluations())
    config.set_evaluations(manifest.evaluations());
  if (config.evaluations() == 0) throw models::Error(checkpoint, "was not trained: it has no evaluations");
  return config_text(models::value_or_error(override_config(config, {})));
}

// The matches of a model card.
class CardMatches {
 public:
  CardMatches(const models::Zoo& zoo, const PublishOptions& options, const ShowProgress& progress,
              std::string network, ModelCard* card)
      : options_(options),
        progress_(progress),
        network_(std::move(network)),
        card_(*card),
        game_(*game::make_game(card_.ruleset())),
        book_(zoo.folder(), network_, card_.rules().signature()) {}

  // Plays what is missing. False where it was stopped.
  bool play(const models::PlayerSpec& network) {
    std::vector<models::PlayerSpec> opponents;  // All are read before the first is met.
    opponents.reserve(options_.opponents.size());
    for (const std::string& text : options_.opponents)
      opponents.push_back(player(text, game_->info().ruleset, options_.match.backend.device));
    for (std::size_t i = 0; i < opponents.size(); ++i)
      if (!meet(network, opponents[i], fmt::format("match {} of {}", i + 1, opponents.size()))) return false;
    for (const auto& [players, games] : book_.all()) {
      const std::string strength = strength_of(players.first);
      models::MatchResult* match = take_match(&card_, network_, strength, players.second);
      // As many: a card of a former release says less of them.
      if (static_cast<int>(games.size()) >= match->games())
        *match = describe_match(network_, players.second, strength, games);
    }
    return true;
  }

 private:
  bool meet(const models::PlayerSpec& network, const models::PlayerSpec& opponent,
            const std::string& match_number) {
    const int games = (options_.match.games + 1) / 2 * 2;
    if (take_match(&card_, network_, strength_of(network.name()), opponent.name())->games() >= games)
      return true;
    const auto begin = std::chrono::steady_clock::now();
    const MatchBook::Players players(network.name(), opponent.name());
    const auto before = static_cast<int>(book_.of(players).size());
    for (int played = before; played < games; played = static_cast<int>(book_.of(players).size())) {
      const int batch = played / kBatch;
      const MatchScore former = score_of(std::span(book_.of(players)).first(batch * kBatch));
      MatchOptions match = options_.match;
      match.games = std::min(kBatch, games - batch * kBatch);
      match.opening_plies = kOpeningPlies;
      match.seed = kSeed + static_cast<std::uint64_t>(batch);
      const MatchResult result =
          play_match(*game_, network, opponent, match, [&](const MatchProgress& progress) {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            const MatchScore& score = progress.score;
            Progress shown{fmt::format("{}: {} v {}, +{} ={} -{}", match_number, network.name(),
                                       opponent.name(), former.wins + score.wins, former.draws + score.draws,
                                       former.losses + score.losses),
                           former.games + score.games, games};
            const int since = shown.done - before;
            if (since > 0) shown.seconds_left = spent.count() * (games - shown.done) / since;
            progress_(shown);
          });
      if (options_.match.stop.stop_requested()) return false;
      if (book_.add(result.games) == 0)
        throw models::Error(book_.path(),
                            "lacks games of a former batch: move it away, and all are played anew");
    }
    return true;
  }

  const PublishOptions& options_;
  const ShowProgress& progress_;
  std::string network_;
  ModelCard& card_;
  game::GamePtr game_;
  MatchBook book_;
};

// The model with the networks that it lacks and the entry has.
models::Model joined(models::Model model, const std::optional<models::Model>& earlier) {
  if (!earlier) return model;
  const auto small_networks = model.manifest.small_networks();
  if (model.tower_id().empty() && !earlier->tower_id().empty()) {
    model.manifest = earlier->manifest;
    model.tower = earlier->tower;
    model.manifest.mutable_small_networks()->MergeFrom(small_networks);
  } else {
    model.manifest.mutable_small_networks()->MergeFrom(earlier->manifest.small_networks());
  }
  for (const mcts::SmallNetwork& network : earlier->small_networks) {
    if (std::ranges::none_of(model.small_networks,
                             [&](const mcts::SmallNetwork& own) { return own.game == network.game; }))
      model.small_networks.push_back(network);
  }
  return model;
}

void require_fitting_size(const fs::path& path, const models::Model& model) {
  const std::size_t bytes = models::model_bytes(model).size();
  if (bytes > kMostNetworkBytes)
    throw models::Error(path, fmt::format("has {} bytes; models of the zoo have at most {}: train a tower "
                                          "with fewer blocks or channels",
                                          bytes, kMostNetworkBytes));
}

// The card of a model, with what the card that stood there knows of the same networks under the same rules.
ModelCard card_of(const fs::path& path, const models::Model& model, const ModelCard& earlier) {
  const bool same_tower = earlier.tower().network() == model.tower_id();
  ModelCard card =
      describe_model(path, model, same_tower ? earlier.tower().training().machine() : nn::machine_text());
  if (earlier.rules().signature() != card.rules().signature()) return card;
  for (const models::MatchResult& match : earlier.matches())
    if (has_network(card, match.network())) *card.add_matches() = match;
  return card;
}

}  // namespace

bool publish(const fs::path& path, const models::Zoo& zoo, const PublishOptions& options,
             const ShowProgress& progress) {
  const models::Model given = models::read_model(path);
  const models::ZooEntry entry = zoo.entry(given.manifest.ruleset());
  std::optional<models::Model> earlier;
  if (fs::exists(entry.network())) earlier = models::read_model(entry.network());
  const ModelCard known = earlier && earlier->card ? *earlier->card : ModelCard();
  models::Model model = joined(given, earlier);
  require_fitting_size(path, model);
  ModelCard card = card_of(path, model, known);

  std::string config;
  if (card.has_tower())
    config = known.tower().network() == model.tower_id() ? models::read_text_file(entry.config())
                                                         : repeating_config(path, model.manifest);
  const bool by_tower = !given.tower_id().empty() && !options.small;
  std::string network = given.tower_id();
  models::PlayerSpec own;
  if (by_tower) {
    models::Strength strength{.time = options.time};
    if (!options.time) strength.nodes = options.simulations;
    own = models::tower_player({.file = path}, strength);
  } else {
    network = models::small_network_id(models::load_small_network(path, card.ruleset()));
    own = models::small_player(path, card.ruleset(), {.time = options.time.value_or(kSmallTime)});
  }
  if (!CardMatches(zoo, options, progress, network, &card).play(own)) return false;

  model.card = std::move(card);
  models::NewFolder folder(entry.folder, {"network.mzc", "config.textproto"}, "entry of a zoo");
  folder.add("network.mzc", models::model_bytes(model));
  if (!config.empty()) folder.add("config.textproto", config);
  folder.publish();
  write_zoo_page(zoo);
  return true;
}

}  // namespace makzero::train
