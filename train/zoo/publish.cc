#include "train/zoo/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
#include "train/zoo/small_card.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

// Games that are played and put on record together. Each such batch has a seed of its own: however often it
// was stopped, a match consists of the same games.
constexpr int kBatch = 20;
constexpr std::uint64_t kSeed = 1;
constexpr int kOpeningPlies = 4;
constexpr std::chrono::milliseconds kSmallTime{100};  // Of a small network, where none is named.

models::PlayerSpec player(const std::string& text, const std::string& ruleset) {
  const game::Parsed<models::PlayerSpec> spec = models::parse_player(text, {"", ruleset});
  if (!spec) throw models::Error(spec.why());
  return models::with_default_strength(*spec, models::kMatchSimulations);
}

// The entry of these players in the model card's matches, a new one where there is none.
ModelCard* take_match(ModelCard* card, const std::string& opponent, const std::string& strength) {
  if (ModelCard* match = find_match(card, opponent, strength)) return match;
  card->at("matches").push_back({{"opponent", opponent}, {"strength", strength}, {"games", 0}});
  return &card->at("matches").back();
}

// The model card that stands there, if it is of the same network under the same rules.
std::optional<ModelCard> earlier_card(const fs::path& path, const ModelCard& card) {
  if (!fs::exists(path)) return std::nullopt;
  ModelCard earlier = read_model_card(path);
  const auto same = [&](const ModelCard::json_pointer& key) {
    return earlier.contains(key) && earlier[key] == card[key];
  };
  const bool valid =
      same("/network"_json_pointer) && same("/rules/signature"_json_pointer) && earlier.contains("matches");
  return valid ? std::optional(std::move(earlier)) : std::nullopt;
}

// What repeats the training: the run's configuration with what it spent as its budget.
std::string repeating_config(const fs::path& checkpoint, const models::Manifest& manifest) {
  const auto parsed = parse_config(manifest.config(), checkpoint.string() + " (its configuration)");
  if (!parsed) throw models::Error(parsed.why());
  Config config = *parsed;
  if (config.game() != manifest.ruleset()) {
    throw models::Error(checkpoint,
                        fmt::format("was trained beside other games ({}), and the zoo repeats trainings of "
                                    "one: begin a run of {} with it (--from) and publish that",
                                    config.game(), manifest.ruleset()));
  }
  if (config.evaluations() == 0 || config.evaluations() > manifest.evaluations())
    config.set_evaluations(manifest.evaluations());
  if (config.evaluations() == 0) throw models::Error(checkpoint, "was not trained: it has no evaluations");
  const auto resolved = override_config(config, {});
  if (!resolved) throw models::Error(resolved.why());
  return config_text(*resolved);
}

using ShowProgress = std::function<void(const PublishProgress&)>;

// The matches of a model card.
class CardMatches {
 public:
  CardMatches(const models::Zoo& zoo, const PublishOptions& options, const ShowProgress& progress,
              ModelCard* card)
      : options_(options),
        progress_(progress),
        card_(*card),
        game_(*game::make_game(card_["ruleset"].get<std::string>())),
        book_(zoo.folder(), card_) {}

  // Plays what is missing. False where it was stopped.
  bool play(const models::PlayerSpec& network) {
    std::vector<models::PlayerSpec> opponents;  // All are read before the first is met.
    opponents.reserve(options_.opponents.size());
    for (const std::string& text : options_.opponents)
      opponents.push_back(player(text, game_->info().ruleset));
    now_.matches = static_cast<int>(opponents.size());
    for (const models::PlayerSpec& opponent : opponents) {
      ++now_.match;
      if (!meet(network, opponent)) return false;
    }
    for (const auto& [players, games] : book_.all()) {
      const std::string strength = strength_of(players.first);
      ModelCard* match = take_match(&card_, players.second, strength);
      // As many: a card of a former release says less of them.
      if (games.size() >= match->at("games")) *match = describe_match(players.second, strength, games);
    }
    return true;
  }

 private:
  bool meet(const models::PlayerSpec& network, const models::PlayerSpec& opponent) {
    const int games = (options_.games + 1) / 2 * 2;
    const int published = take_match(&card_, opponent.name(), strength_of(network.name()))->at("games");
    if (published >= games) return true;
    now_.opponent = opponent.name();
    now_.games = games;
    now_.score = {};
    const auto begin = std::chrono::steady_clock::now();
    const MatchBook::Players players(network.name(), opponent.name());
    const auto before = static_cast<int>(book_.of(players).size());
    for (int played = before; played < games; played = static_cast<int>(book_.of(players).size())) {
      const int batch = played / kBatch;
      MatchOptions match;
      match.games = std::min(kBatch, games - batch * kBatch);
      match.opening_plies = kOpeningPlies;
      match.seed = kSeed + static_cast<std::uint64_t>(batch);
      match.threads = options_.threads;
      match.backend = options_.backend;
      match.stop = options_.stop;
      const MatchResult result =
          play_match(*game_, network, opponent, match, [&](const MatchProgress& progress) {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            now_.score = progress.score;
            now_.played = batch * kBatch + progress.score.games;
            const int since = now_.played - before;
            now_.seconds_left = since > 0 ? spent.count() * (games - now_.played) / since : 0;
            progress_(now_);
          });
      if (options_.stop.stop_requested()) return false;
      book_.add(result.games);
    }
    return true;
  }

  const PublishOptions& options_;
  const ShowProgress& progress_;
  ModelCard& card_;
  game::GamePtr game_;
  MatchBook book_;
  PublishProgress now_;
};

bool publish_small(const fs::path& file, const models::Zoo& zoo, const PublishOptions& options,
                   const ShowProgress& progress) {
  ModelCard card = describe_small_network(file);
  const models::SmallEntry entry = zoo.small_entry(card["ruleset"].get<std::string>());
  if (const auto earlier = earlier_card(entry.model_card(), card)) card["matches"] = earlier->at("matches");
  const std::chrono::milliseconds time = options.time.value_or(kSmallTime);
  const std::string text = fmt::format("{}?ms={}", file.string(), time.count());
  if (!CardMatches(zoo, options, progress, &card).play(player(text, entry.game))) return false;
  const std::string bytes = models::read_text_file(file);  // It may be the entry's own.
  fs::create_directories(entry.network().parent_path());
  models::write_text_file(entry.network(), bytes);
  models::write_text_file(entry.model_card(), card.dump(2) + "\n");
  return true;
}

bool publish_network(const fs::path& checkpoint, const models::Zoo& zoo, const PublishOptions& options,
                     const ShowProgress& progress) {
  ModelCard card = describe_network(checkpoint, nn::machine_text());
  const models::ZooEntry entry = zoo.entry(card["ruleset"].get<std::string>());
  const models::Manifest manifest = models::read_manifest(checkpoint);
  std::string config;
  if (const auto earlier = earlier_card(entry.model_card(), card)) {
    card["matches"] = earlier->at("matches");
    config = models::read_text_file(entry.config());
    if (manifest.machine().empty()) card["training"]["machine"] = earlier->at("training").at("machine");
  } else {
    config = repeating_config(checkpoint, manifest);
  }
  models::PlayerSpec::Tower own{.file = checkpoint};
  if (options.alone) own.material = 0;
  models::Strength strength{.time = options.time};
  if (!options.time) strength.nodes = options.simulations;
  if (!CardMatches(zoo, options, progress, &card).play(models::tower_player(std::move(own), strength)))
    return false;
  models::NewFolder folder(entry.folder, "model_card.json", "entry of a zoo");
  folder.add("network.mzc", models::read_text_file(checkpoint));
  folder.add("config.textproto", config);
  folder.add("model_card.json", card.dump(2) + "\n");
  folder.publish();
  return true;
}

}  // namespace

bool publish(const fs::path& network, const models::Zoo& zoo, const PublishOptions& options,
             const std::function<void(const PublishProgress&)>& progress) {
  const bool done = models::is_small_network(network) ? publish_small(network, zoo, options, progress)
                                                      : publish_network(network, zoo, options, progress);
  if (!done) return false;
  write_zoo_page(zoo);
  return true;
}

}  // namespace makzero::train
