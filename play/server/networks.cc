#include "play/server/networks.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/auto_player.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "play/json/player_json.h"
#include "play/message.h"

namespace makzero::play {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string kZooPrefix = "zoo:";

// Players that alpha-beta searches with, one search at a time: clients may not ask for any depth.
struct DeepPlayer {
  std::string_view word;
  int most_depth;
};
constexpr DeepPlayer kDeepPlayers[] = {{"alphabeta", 6}, {models::kSmallName, 12}};

// Keys that name one network of a checkpoint that holds both.
constexpr std::string_view kSmallKey = "?network=small", kTowerKey = "?network=tower";

// A network of a run's best checkpoint; newer ones first.
struct Candidate {
  std::int64_t created_unix = 0;
  json player;
};

// What a label leaves out.
MessageValues details_of(const models::Manifest& manifest) {
  return {{"network", models::readable_name(manifest)}, {"generation", manifest.generation()}};
}

// Those of the checkpoint that play the ruleset, see models::network_players(); none of a damaged file.
std::vector<models::PlayerSpec> players_of(const fs::path& checkpoint,
                                           const models::PlayerPlaces& places) try {
  std::vector<models::PlayerSpec> players = models::network_players(checkpoint, places);
  if (!models::plays(models::read_manifest(checkpoint), places.ruleset))
    std::erase_if(players, [](const models::PlayerSpec& player) { return player.tower(); });
  return players;
} catch (const models::Error&) {
  return {};
}

// The network of a run that plays where nobody says which.
Message first_label(const std::string& run, bool has_best) {
  return has_best ? message("your training \"{name}\" (best)", {{"name", run}})
                  : message("your training \"{name}\" (newest)", {{"name", run}});
}

// The other one of a run that has both.
Message other_label(const std::string& run, bool is_small) {
  return is_small ? message("your training \"{name}\", small network", {{"name", run}})
                  : message("your training \"{name}\", large network", {{"name", run}});
}

Message run_details(const models::PlayerSpec& player, const models::Manifest& manifest) {
  if (player.tower()) return message("network {network}, generation {generation}", details_of(manifest));
  return message("a deep search with small network {network}, generation {generation}",
                 {{"network", std::get<models::PlayerSpec::Small>(player.kind).id},
                  {"generation", manifest.generation()}});
}

// The networks of a run's best checkpoint that play the ruleset.
std::vector<Candidate> candidates(const fs::path& folder, const models::PlayerPlaces& places) try {
  const models::CheckpointStore checkpoints(folder / "checkpoints");
  const std::optional<models::StoredCheckpoint> best = checkpoints.best();
  if (!best) return {};
  const std::string run = folder.filename();
  const models::Manifest manifest = models::read_manifest(best->path);
  std::vector<Candidate> found;
  for (const models::PlayerSpec& player : players_of(best->path, places)) {
    const bool is_small = !player.tower(), is_first = found.empty();
    const std::string key(is_first ? "" : is_small ? kSmallKey : kTowerKey);
    const Message label = is_first ? first_label(run, checkpoints.has_best()) : other_label(run, is_small);
    found.push_back({manifest.created_unix(),
                     player_json(run + key, label, run_details(player, manifest),
                                 is_small ? "small" : "network", levels_json(player, places.ruleset))});
  }
  return found;
} catch (const models::Error&) {
  return {};  // A damaged or foreign file is no player.
}

// The strength of a player's strongest level above random play; below all where none is measured.
double measured_strength(const json& player) {
  return player["levels"].empty() ? std::numeric_limits<double>::lowest()
                                  : player["levels"].back()["elo"].get<double>();
}

// The zoo's tower for just this ruleset.
std::optional<json> zoo_tower(const models::Zoo& zoo, const std::string& ruleset, const Message& label) try {
  const std::optional<fs::path> network = zoo.find(ruleset);
  if (!network) return std::nullopt;
  const models::Manifest manifest = models::read_manifest(*network);
  const Message details =
      message("network {network}, generation {generation}, of the zoo", details_of(manifest));
  return player_json(kZooPrefix + network->parent_path().filename().string(), label, details, "network",
                     levels_json(models::tower_player({*network}, {}), ruleset));
} catch (const models::Error&) {
  return std::nullopt;
}

std::optional<json> zoo_small(const models::Zoo& zoo, const std::string& ruleset, const Message& label) try {
  const std::optional<fs::path> model = zoo.find_small(ruleset);
  if (!model) return std::nullopt;
  return small_player_json(*model, ruleset, label);
} catch (const models::Error&) {
  return std::nullopt;
}

bool tower_is_stronger(const std::string& ruleset) try {
  return models::auto_player(ruleset).tower();
} catch (const models::Error&) {
  return false;
}

// Small network and tower, the stronger first.
std::vector<json> zoo_players(const models::Zoo& zoo, const std::string& ruleset) {
  const bool by_tower = tower_is_stronger(ruleset);
  std::vector<json> players;
  const Message first{"MakZero"};
  if (auto small = zoo_small(zoo, ruleset, by_tower ? message("MakZero, small network") : first))
    players.push_back(*std::move(small));
  const bool is_first = by_tower || players.empty();
  if (auto tower = zoo_tower(zoo, ruleset, is_first ? first : message("MakZero, large network")))
    players.insert(by_tower ? players.begin() : players.end(), *std::move(tower));
  return players;
}

}  // namespace

std::optional<fs::path> entry_of(const fs::path& folder, const std::string& name) {
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().filename() == name) return entry.path();
  }
  return std::nullopt;
}

std::optional<fs::path> NetworkFolder::run(const std::string& name) const {
  const std::optional<fs::path> folder = entry_of(runs_, name);
  return folder && fs::is_directory(*folder) ? folder : std::nullopt;
}

std::optional<fs::path> NetworkFolder::checkpoint(const std::string& run_name, const std::string& id) const {
  const std::optional<fs::path> folder = run(run_name);
  if (!folder) return std::nullopt;
  for (const models::StoredCheckpoint& stored : models::CheckpointStore(*folder / "checkpoints").list()) {
    if (stored.path.stem() == id) return stored.path;
  }
  return std::nullopt;
}

std::optional<fs::path> NetworkFolder::find(const std::string& player) const {
  for (const models::ZooEntry& entry : zoo_.entries()) {
    if (player == kZooPrefix + entry.game()) return entry.network();
  }
  for (const models::ZooEntry& entry : zoo_.families()) {
    if (player == kZooPrefix + entry.game()) return entry.network();
  }
  const size_t slash = player.find('/');
  if (slash != std::string::npos) return checkpoint(player.substr(0, slash), player.substr(slash + 1));
  const std::optional<fs::path> folder = run(player);
  if (!folder) return std::nullopt;
  const auto best = models::CheckpointStore(*folder / "checkpoints").best();
  return best ? std::optional(best->path) : std::nullopt;
}

models::PlayerSpec NetworkFolder::player(std::string name, const std::string& ruleset) const {
  if (name.empty()) name = players(ruleset)[0]["player"];
  for (const auto& [word, most_depth] : kDeepPlayers) {
    const std::string prefix = std::string(word) + ":";
    if (!name.starts_with(prefix)) continue;
    const game::Parsed<models::PlayerSpec> player = models::parse_player(name, {.ruleset = ruleset});
    if (player && player->strength.depth && *player->strength.depth <= most_depth) return *player;
    if (word == models::kSmallName && !zoo_.find_small(ruleset)) break;
    throw models::Error("'player' must be " + prefix + "DEPTH with a depth from 1 to " +
                        std::to_string(most_depth));
  }
  if (const auto model = zoo_.find_small(ruleset); model && name == models::kSmallName)
    return models::small_player(*model, ruleset, {});
  const bool by_small = name.ends_with(kSmallKey);
  const bool by_tower = name.ends_with(kTowerKey) || name.starts_with(kZooPrefix);
  const auto network =
      find(name.substr(0, by_small || name.ends_with(kTowerKey) ? name.rfind('?') : name.npos));
  if (!network) throw models::Error("there is no player '" + name + "': /api/players?game=GAME lists them");
  for (models::PlayerSpec& player : players_of(*network, {.ruleset = ruleset, .device = device_}))
    if (player.tower() ? !by_small : !by_tower) return std::move(player);
  throw models::Error("'" + name + "' has no network that was trained for this game");
}

std::string NetworkFolder::without_place(std::string text) const {
  for (const fs::path& folder : {runs_, zoo_.folder()}) {
    const std::string prefix = folder.string() + "/";
    for (size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
  }
  return text;
}

json NetworkFolder::players(const std::string& ruleset) const {
  std::vector<Candidate> networks;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs_, missing)) {
    std::ranges::move(candidates(entry.path(), {.ruleset = ruleset, .device = device_}),
                      std::back_inserter(networks));
  }
  std::stable_sort(networks.begin(), networks.end(),
                   [](const Candidate& a, const Candidate& b) { return a.created_unix > b.created_unix; });
  std::vector<json> players = zoo_players(zoo_, ruleset);
  // A training of one's own comes first only where it is measured to be stronger.
  auto place = players.begin() + (players.empty() ? 0 : 1);
  for (Candidate& network : networks) place = players.insert(place, std::move(network.player)) + 1;
  const auto stronger = std::max_element(players.begin(), place, [](const json& a, const json& b) {
    return measured_strength(a) < measured_strength(b);
  });
  if (stronger != place) std::rotate(players.begin(), stronger, stronger + 1);
  for (json& player : material_players_json()) players.push_back(std::move(player));
  return players;
}

}  // namespace makzero::play
