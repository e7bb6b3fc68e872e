#include "models/zoo.h"

#include <google/protobuf/text_format.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "game/catalog.h"
#include "game/rule_features.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/model.h"
#include "nn/system.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

// The zoo of an installed program, beside its folder or, on Windows, in it; else of the checkout that the
// program was built in.
fs::path zoo_of(const fs::path& program) {
  static constexpr const char* kZoo = "share/makzero/zoo";
  std::error_code error;
  fs::path folder = program.parent_path();
  fs::path installed = folder.parent_path() / kZoo;
  for (const fs::path& zoo : {installed, folder / kZoo})
    if (fs::is_directory(zoo, error)) return zoo;
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "models/zoo", error)) return folder / "models/zoo";
  }
  return installed;
}

bool is_there(const fs::path& file) {
  std::error_code missing;
  return fs::is_regular_file(file, missing);
}

std::vector<std::string> games() {
  std::vector<std::string> names = game::ruleset_names();
  std::erase_if(names, [](const std::string& ruleset) { return game::game_of(ruleset) != ruleset; });
  return names;
}

// Not known of a damaged file: its reader says what is wrong.
bool has_tower(const fs::path& model) try {
  return !tower_id_of(read_manifest(model)).empty();
} catch (const Error&) {
  return true;
}

// Those whose model is there.
std::vector<ZooEntry> present(std::vector<ZooEntry> entries) {
  std::erase_if(entries, [](const ZooEntry& entry) { return !is_there(entry.network()); });
  return entries;
}

}  // namespace

Zoo Zoo::standard() {
  if (const char* named = std::getenv("MAKZERO_ZOO")) return Zoo(named);
  return Zoo(zoo_of(nn::program_path()));
}

std::vector<ZooEntry> Zoo::entries() const {
  std::vector<ZooEntry> all;
  for (const std::string& game : games()) all.push_back(entry(game));
  return present(std::move(all));
}

std::vector<ZooEntry> Zoo::families() const {
  std::vector<ZooEntry> all;
  for (const std::string_view family : game::rule_families()) all.push_back(entry(family));
  return present(std::move(all));
}

std::optional<fs::path> Zoo::find(std::string_view ruleset) const {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) return std::nullopt;
  if (auto network = network_of_game((*game)->info())) return network;
  return network_of_family((*game)->info());
}

fs::path Zoo::network_for(std::string_view ruleset) const {
  if (auto network = find(ruleset)) return *std::move(network);
  throw Error(folder_, "the zoo has no network for '" + std::string(ruleset) + "'; " + summary());
}

fs::path Zoo::levels_of(const fs::path& network, std::string_view ruleset) const {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  std::error_code missing;
  if (!game || !fs::equivalent(entry((*game)->info().family).network(), network, missing)) return network;
  fs::path of_game = entry(game::game_of(ruleset)).network();
  if (!is_there(of_game) || !read_manifest(network).levels().empty()) return network;
  return has_tower(of_game) ? of_game : network;
}

std::optional<fs::path> Zoo::find_small(std::string_view ruleset) const {
  fs::path model = entry(game::game_of(ruleset)).network();
  if (!is_there(model) || !has_small_network(read_manifest(model), ruleset)) return std::nullopt;
  return model;
}

fs::path Zoo::small_network_for(std::string_view ruleset) const {
  if (auto model = find_small(ruleset)) return *std::move(model);
  throw Error(folder_, "the zoo has no small network for '" + std::string(ruleset) +
                           "': `control` plays by the same search without one");
}

StrengthTable Zoo::strength() const {
  StrengthTable table;
  const fs::path path = folder_ / "strength.textproto";
  if (is_there(path) && !google::protobuf::TextFormat::ParseFromString(read_text_file(path), &table))
    throw Error(path, "is no table of strengths: take a copy");
  return table;
}

std::string Zoo::summary() const {
  std::string games;
  for (const ZooEntry& each : entries())
    if (has_tower(each.network())) games += (games.empty() ? "" : ", ") + each.game();
  if (!games.empty()) games += " without options";
  for (const ZooEntry& each : families())
    games += std::string(games.empty() ? "" : ", ") + "all " + each.game() + " games";
  return games.empty() ? "the zoo is empty" : "the zoo plays " + games;
}

std::optional<fs::path> Zoo::network_of_game(const game::GameInfo& info) const {
  fs::path network = entry(game::game_of(info.ruleset)).network();
  if (!is_there(network)) return std::nullopt;
  const Manifest manifest = read_manifest(network);
  const game::Parsed<game::GamePtr> trained = game::make_game(manifest.ruleset());
  if (tower_id_of(manifest).empty() || !trained || !game::differ_in_limits_alone((*trained)->info(), info))
    return std::nullopt;
  return network;
}

std::optional<fs::path> Zoo::network_of_family(const game::GameInfo& info) const {
  fs::path network = entry(info.family).network();
  if (!is_there(network) || !plays(read_manifest(network), info.ruleset)) return std::nullopt;
  return network;
}

}  // namespace makzero::models
