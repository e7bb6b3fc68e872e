#include "play/export/site.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "game/catalog.h"
#include "mcts/small_network.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "play/gzip.h"
#include "play/json/player_json.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

using nlohmann::json;

constexpr std::string_view kServiceWorker = "service_worker.js";
constexpr std::string_view kPacked = ".gz", kPackedType = "application/gzip";
constexpr size_t kVersionDigits = 16;

// What the page of the server lacks: where its answers come from (local_backend.ts), and what makes it
// installable.
constexpr std::string_view kServer = "data-backend=\"http\"", kLocal = "data-backend=\"local\"";
constexpr std::string_view kHeadEnd = "  </head>",
                           kInstallable =
                               "    <link rel=\"manifest\" href=\"./manifest.webmanifest\" "
                               "crossorigin=\"use-credentials\" />\n"
                               "    <link rel=\"apple-touch-icon\" href=\"./icon-192.png\" />\n"
                               "    <meta name=\"theme-color\" content=\"#2f6b5e\" />\n";

std::string site_index(std::string_view page) {
  std::string index(page);
  const size_t server = index.find(kServer), end = index.find(kHeadEnd);
  if (server == std::string::npos || end == std::string::npos)
    throw models::Error("the page names no backend or has no head: build the program anew");
  index.insert(end, kInstallable);
  return index.replace(server, kServer.size(), kLocal);
}

// A file that the page unpacks: servers of files compress nothing.
SiteFile packed(std::string_view name, std::string_view bytes) {
  return {std::string(name).append(kPacked), std::string(kPackedType), gzip(bytes)};
}

// The network of a game as a file; in `entry` what the page needs to know of it.
std::optional<SiteFile> network_file(const SiteGame& game, json* entry) {
  std::optional<SiteFile> file;
  json players = json::array();
  if (game.model) {
    const mcts::SmallNetwork network = models::load_small_network(*game.model, game.game);
    file = packed(game.game + ".small", mcts::encode_small_network(network));
    (*entry)["network"] = file->name;
    players.push_back(small_player_json(*game.model, game.game, Message{"MakZero"}));
  }
  for (json& player : material_players_json()) players.push_back(std::move(player));
  (*entry)["players"] = std::move(players);
  return file;
}

// The service worker knows all files but itself, and changes with any of them.
std::string service_worker(std::string_view script, const std::vector<SiteFile>& files,
                           std::span<const std::string> others) {
  std::string all;
  json names = json::array();
  for (const SiteFile& file : files) {
    all += file.name + '\n' + file.bytes;
    names.push_back(file.name);
  }
  for (const std::string& name : others) names.push_back(name);
  const json site = {{"version", models::sha256(all).substr(0, kVersionDigits)}, {"files", std::move(names)}};
  return "const SITE = " + site.dump() + ";\n" + std::string(script);
}

}  // namespace

std::vector<SiteGame> zoo_site_games(std::string_view list) {
  const models::Zoo zoo = models::Zoo::standard();
  std::vector<SiteGame> games;
  if (list.empty()) {
    for (const models::ZooEntry& entry : zoo.entries())
      if (const auto model = zoo.find_small(entry.game())) games.push_back({entry.game(), model});
    if (games.empty()) throw models::Error("the zoo '" + zoo.folder().string() + "' has no small network");
    return games;
  }
  for (const game::GamePtr& rules : models::value_or_error(game::make_games(list))) {
    const std::string game(game::game_of(rules->info().ruleset));
    const bool known = std::ranges::any_of(games, [&](const SiteGame& other) { return other.game == game; });
    if (!known) games.push_back({game, zoo.small_network_for(game)});
  }
  return games;
}

std::vector<SiteGame> model_site_games(const std::filesystem::path& model, const std::string& game) {
  std::vector<SiteGame> games;
  const models::Manifest manifest = models::read_manifest(model);
  for (const models::SmallNetworkEntry& entry : manifest.small_networks())
    if (game.empty() || entry.game() == game::game_of(game)) games.push_back({entry.game(), model});
  if (games.empty()) {
    throw models::Error(model, "has no small network" + (game.empty() ? "" : " of " + game) +
                                   ": `--tower` makes a page of its tower");
  }
  return games;
}

std::vector<SiteFile> site_files(const std::vector<SiteGame>& games, const std::string& tower) {
  if (local_page_files().empty() || (!tower.empty() && tower_page_files().empty())) {
    throw models::Error(
        "this program was built without what a page needs to play by itself; to repair it: apt-get install "
        "clang lld wasi-libc libc++-dev-wasm32 libclang-rt-dev-wasm32" +
        std::string(!tower.empty() ? " nodejs npm, then `npm install` in play/web" : "") +
        ", then cmake --preset release and build again");
  }
  std::vector<SiteFile> files;
  const auto add = [&](const WebFile& file, std::string bytes) {
    files.push_back({std::string(file.name), std::string(file.type), std::move(bytes)});
  };
  for (const WebFile& file : web_files())
    add(file, files.empty() ? site_index(file.content) : std::string(file.content));
  std::string script;
  for (const WebFile& file : local_page_files()) {
    if (file.name.ends_with(".wasm")) {
      files.push_back(packed(file.name, file.content));
    } else if (file.name == kServiceWorker) {
      script = file.content;
    } else {
      add(file, std::string(file.content));
    }
  }
  json site = {{"games", json::object()}, {"tower", tower}};
  for (const SiteGame& game : games)
    if (std::optional<SiteFile> file = network_file(game, &site["games"][game.game]))
      files.push_back(*std::move(file));
  files.push_back({"site.json", "application/json", site.dump()});
  std::vector<std::string> others;
  if (!tower.empty()) {
    for (const WebFile& file : tower_page_files()) add(file, std::string(file.content));
    others = {"net.json", "model.onnx"};
  }
  files.push_back(
      {std::string(kServiceWorker), "text/javascript; charset=utf-8", service_worker(script, files, others)});
  return files;
}

}  // namespace makzero::play
