#include "models/player/player_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/auto_player.h"
#include "models/player/built_in_players.h"
#include "models/player/measured_levels.h"
#include "models/player/player_text.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "models/zoo.h"

namespace makzero::models {

namespace {

namespace fs = std::filesystem;
using ParsedSpec = game::Parsed<PlayerSpec>;

constexpr int kMostDepth = 64;
constexpr int kMostNodes = 1'000'000'000;
constexpr int kMostTemperature = 1000;
constexpr std::string_view kLevel = "level=";

ParsedSpec failure(const std::string& why) { return ParsedSpec::failure({why}); }

// Strength of a player, as written behind its name.
struct WrittenStrength {
  Strength strength;
  std::optional<std::int64_t> number = {};  // "64", "8": simulations or plies.
  std::optional<std::int64_t> level = {};
  std::string options = {};  // A file.
  std::string second = {};   // A small network.
  std::optional<bool> endings = {};
  std::optional<PlayerSpec::Search> network = {};  // kAlphaBeta: the small network, kTree: the tower.
  int limits = 0;                                  // How many of them say how much is searched.
};

// Reads "64", "64@0.5", "level=3"; false where the text is something else.
bool read_suffix(std::string_view text, WrittenStrength* written) {
  if (text.starts_with(kLevel)) {
    written->level = game::parse_number<std::int64_t>(text.substr(kLevel.size()));
    written->limits += written->level.has_value();
    return written->level.has_value();
  }
  const size_t at = std::min(text.find('@'), text.size());
  const std::optional<std::int64_t> number = game::parse_number<std::int64_t>(text.substr(0, at));
  const std::optional<float> temperature =
      at == text.size() ? std::optional(0.0f) : game::parse_number<float>(text.substr(at + 1));
  if (!number || !temperature) return false;
  written->number = number;
  written->strength.temperature = *temperature;
  ++written->limits;
  return true;
}

// An option behind the '?': its name, what it is, and how it is read.
struct Option {
  std::string_view name, meaning;
  std::string (*read)(const std::string& value, WrittenStrength* written);  // Returns what is wrong.
};

template <class Number>
std::string read_limit(const std::string& value, std::string_view name, int most,
                       std::optional<Number>* limit, WrittenStrength* written) {
  const std::optional<std::int64_t> number = game::parse_number<std::int64_t>(value);
  if (!number || *number < 1 || *number > most)
    return fmt::format("{}='{}' must be a number from 1 to {}", name, value, most);
  *limit = static_cast<Number>(*number);
  ++written->limits;
  return "";
}

constexpr std::array<Option, 9> kOptions = {{
    {"ms", "milliseconds a move: of processor time, on a card of wall time",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       const auto time = parse_move_time(value);
       if (!time) return time.why();
       written->strength.time = *time;
       ++written->limits;
       return "";
     }},
    {"nodes", "simulations or positions per move",
     [](const std::string& value, WrittenStrength* written) {
       return read_limit(value, "nodes", kMostNodes, &written->strength.nodes, written);
     }},
    {"depth", "plies of alpha-beta",
     [](const std::string& value, WrittenStrength* written) {
       return read_limit(value, "depth", kMostDepth, &written->strength.depth, written);
     }},
    {"level", "a measured level",
     [](const std::string& value, WrittenStrength* written) {
       return read_limit(value, "level", kMostNodes, &written->level, written);
     }},
    {"temperature", "how random the moves are, 0 = the best",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       const std::optional<float> number = game::parse_number<float>(value);
       if (!number || !(*number >= 0 && *number <= kMostTemperature))
         return fmt::format("temperature='{}' must be a number from 0 to {}", value, kMostTemperature);
       written->strength.temperature = *number;
       return "";
     }},
    {"network", "small or tower, of a file that holds both",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       if (value == "small") written->network = PlayerSpec::Search::kAlphaBeta;
       if (value == "tower") written->network = PlayerSpec::Search::kTree;
       return written->network ? "" : "network='" + value + "' must be small or tower";
     }},
    {"options", "file of other margins of a small network's search, lmp_depth = 8 and so on",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       written->options = value;
       return value.empty() ? "options= needs a file" : "";
     }},
    {"second", "a small network (small or FILE) that may refute a tower's moves",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       written->second = value;
       return value.empty() ? "second= needs small or a file" : "";
     }},
    {"endings", "on or off: a network's searches know the installed endings (matches: off)",
     [](const std::string& value, WrittenStrength* written) -> std::string {
       if (value == "on" || value == "off") written->endings = value == "on";
       return written->endings ? "" : "endings='" + value + "' must be on or off";
     }},
}};

std::string known_options() {
  std::string text;
  for (const Option& option : kOptions)
    text += fmt::format("{}{}= is {}", text.empty() ? "" : ", ", option.name, option.meaning);
  return text;
}

// Reads what stands behind the '?'. Returns what is wrong.
std::string read_options(const WrittenPlayer& player, WrittenStrength* written) {
  std::vector<std::string> seen;
  for (const auto& [name, value] : player.options) {
    const auto* const option = std::ranges::find(kOptions, name, &Option::name);
    if (option == kOptions.end()) return "unknown option '" + name + "'; " + known_options();
    if (std::ranges::find(seen, name) != seen.end()) return "'" + name + "' is there twice";
    seen.push_back(name);
    if (std::string wrong = option->read(value, written); !wrong.empty()) return wrong;
  }
  if (written->limits > 1) return "takes one of a strength, ms=N, nodes=N, depth=N and level=N";
  return "";
}

// The strength of a player of that kind. Throws Error.
Strength strength_of(const WrittenStrength& written, const PlayerSpec& player, const std::string& ruleset) {
  Strength strength = written.strength;
  if (written.level) {
    const PlayerLevel level = measured_level(player, ruleset, *written.level);
    strength.nodes = level.nodes;
    strength.temperature = level.temperature;
  }
  if (written.number && player.by_alpha_beta()) {
    if (*written.number < 1 || *written.number > kMostDepth)
      throw Error(fmt::format("needs a depth from 1 to {}", kMostDepth));
    strength.depth = static_cast<int>(*written.number);
  } else if (written.number) {
    strength.nodes = written.number;
  }
  if (strength.depth && !player.by_alpha_beta()) throw Error("depth=N is for alpha-beta");
  check_strength(strength);
  return strength;
}

// The file that `name` means: a file, a run folder, "zoo", "latest", "best" or the number of a generation of
// the run.
std::optional<fs::path> find_network(const std::string& name, const PlayerPlaces& places) {
  std::error_code ignored;
  if (name == kZooName && !places.ruleset.empty()) return Zoo::standard().network_for(places.ruleset);
  if (name == kSmallName && !places.ruleset.empty()) return Zoo::standard().small_network_for(places.ruleset);
  // A missing file is named by its reader.
  if (fs::is_regular_file(name, ignored) || name.ends_with(".mzc") || name.ends_with(".mzs")) return name;
  const bool is_run = fs::is_directory(name, ignored);
  const CheckpointStore store((is_run ? fs::path(name) : places.run) / "checkpoints");
  const std::optional<std::int64_t> generation = game::parse_number<std::int64_t>(name);
  std::optional<StoredCheckpoint> found;
  if (is_run || name == "latest" || name == "best") {
    found = name == "latest" ? store.latest() : store.best();
    if (is_run && !found)
      throw Error(name, "no checkpoint in this run yet: let `makzero train` finish a generation first");
  } else if (generation) {
    for (const StoredCheckpoint& stored : store.list()) {
      if (stored.generation == *generation) found = stored;
    }
  }
  if (!found) return std::nullopt;
  return found->path;
}

// Why there is no such player.
std::string unknown_player(const std::string& name, const fs::path& run) {
  if (name == "latest" || name == "best" || game::parse_number<std::int64_t>(name)) {
    return "no such checkpoint in '" + (run / "checkpoints").string() +
           "'; train first, or name a run or file";
  }
  std::vector<std::string> names = {"auto", "zoo", "small", "latest", "best", "uci", "xboard"};
  for (const BuiltInPlayer& each : built_in_players()) names.emplace_back(each.name);
  const std::string nearest = game::nearest_name(name, names);
  const std::string hint = nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
  return "neither a player nor a checkpoint file or run folder" + hint +
         "; `makzero match --help` lists the players";
}

// "uci:COMMAND" and "xboard:COMMAND".
template <typename Settings>
ParsedSpec engine_player(const std::string& text, const game::Parsed<Settings>& parsed) {
  if (!parsed) return failure(parsed.why());
  Settings settings = *parsed;
  settings.text = text;
  return PlayerSpec{settings, {.time = settings.time}};
}

ParsedSpec parse_built_in(const BuiltInPlayer& row, const WrittenStrength& written) {
  PlayerSpec player{PlayerSpec::BuiltIn{row.name}};
  if (!written.options.empty()) return failure("options=FILE is for small networks");
  if (!written.second.empty()) return failure("second= is for towers");
  if (written.network) return failure("network= is for files and runs");
  if (written.endings) return failure("endings= is for networks");
  if (row.search == PlayerSpec::Search::kNone && (written.number || written.strength.depth ||
                                                  written.strength.nodes || written.strength.temperature > 0))
    return failure("takes no strength");
  if (written.level) return failure("has no measured levels");
  player.strength = strength_of(written, player, "");
  return player;
}

// The network of the file that the text names, or that its other keys need, or that plays on this device.
// Throws Error.
PlayerSpec choose_network(const fs::path& file, const std::string& name, const WrittenStrength& written,
                          const PlayerPlaces& places) {
  if (written.network == PlayerSpec::Search::kAlphaBeta) return small_player(file, places.ruleset, {});
  if (written.network == PlayerSpec::Search::kTree) return tower_player({file}, {});
  const std::vector<PlayerSpec> held = network_players(file, places);
  if (held.size() == 1) return held.front();
  const bool tower = name == kZooName || !written.second.empty();
  const bool small = name == kSmallName || !written.options.empty() || written.strength.depth;
  if (tower || small) return *std::ranges::find(held, tower, &PlayerSpec::by_tree);
  // A depth of 64 never ends.
  if (written.number && held.front().by_alpha_beta()) {
    throw Error(
        fmt::format("'{}' is simulations of its tower or plies of its small network: add "
                    "?network=tower or ?network=small",
                    *written.number));
  }
  return held.front();
}

ParsedSpec parse_network(const std::string& name, const WrittenStrength& written,
                         const PlayerPlaces& places) {
  if (name == kAutoName) {
    PlayerSpec player =
        auto_player(places.ruleset, written.strength.time.value_or(kUsualTime), places.device);
    if (!written.options.empty()) return failure("options=FILE is for small networks: name one");
    if (!written.second.empty()) return failure("second= is for towers: name one");
    if (written.network) return failure("network= is for files and runs: name one");
    player.strength = strength_of(written, player, places.ruleset);
    player.endings = written.endings;
    return player;
  }
  const bool of_zoo = name == kZooName && written.network == PlayerSpec::Search::kAlphaBeta;
  const std::optional<fs::path> file = find_network(of_zoo ? std::string(kSmallName) : name, places);
  if (!file) return failure(unknown_player(name.substr(0, name.find(':')), places.run));
  PlayerSpec player = choose_network(*file, name, written, places);
  if (auto* small = std::get_if<PlayerSpec::Small>(&player.kind)) {
    if (!written.second.empty()) return failure("second= is for towers, which tree search plays with");
    small->options = written.options;
  } else {
    if (!written.options.empty()) return failure("options=FILE is for small networks");
    auto& tower = std::get<PlayerSpec::Tower>(player.kind);
    if (!written.second.empty()) {
      const std::optional<fs::path> second = find_network(written.second, places);
      if (!second) return failure(unknown_player(written.second, places.run));
      tower.second = std::get<PlayerSpec::Small>(small_player(*second, places.ruleset, {}).kind);
    }
  }
  player.strength = strength_of(written, player, places.ruleset);
  player.endings = written.endings;
  return player;
}

ParsedSpec parse_any(const std::string& text, const PlayerPlaces& places) try {
  const std::string command = text.substr(text.find(':') + 1);
  if (text.starts_with("uci:")) return engine_player(text, parse_uci_settings(command));
  if (text.starts_with("xboard:")) return engine_player(text, parse_xboard_settings(command));
  WrittenPlayer player = read_written_player(text);
  WrittenStrength written;
  const size_t colon = player.name.rfind(':');
  std::error_code ignored;
  if (colon != std::string::npos && !fs::exists(player.name, ignored) &&
      read_suffix(std::string_view(player.name).substr(colon + 1), &written))
    player.name.resize(colon);
  if (const std::string wrong = read_options(player, &written); !wrong.empty()) return failure(wrong);
  if (const BuiltInPlayer* row = find_built_in(player.name)) return parse_built_in(*row, written);
  return parse_network(player.name, written, places);
} catch (const Error& error) {
  return failure(error.what());
}

// The name of each kind without its strength.
struct NameOf {
  std::string operator()(const PlayerSpec::BuiltIn& player) const { return std::string(player.name); }
  std::string operator()(const PlayerSpec::Tower& tower) const { return tower.id; }
  std::string operator()(const PlayerSpec::Small& small) const {
    return "small-" + small.id + (small.options.empty() ? "" : "+" + small.options.filename().string());
  }
  std::string operator()(const UciSettings& engine) const { return engine.text; }
  std::string operator()(const XboardSettings& engine) const { return engine.text; }
};

}  // namespace

PlayerSpec::Search PlayerSpec::search() const {
  if (const auto* built_in = std::get_if<BuiltIn>(&kind)) return find_built_in(built_in->name)->search;
  if (tower()) return Search::kTree;
  return std::holds_alternative<Small>(kind) ? Search::kAlphaBeta : Search::kNone;
}

bool PlayerSpec::shares_batches() const {
  const auto* built_in = std::get_if<BuiltIn>(&kind);
  return tower() || (built_in && find_built_in(built_in->name)->make_evaluator);
}

std::string PlayerSpec::name() const {
  std::string text = std::visit(NameOf(), kind);
  if (search() == Search::kNone) return text;
  if (strength.depth) text += fmt::format(":{}", *strength.depth);
  if (strength.nodes && by_tree()) text += fmt::format(":{}", *strength.nodes);
  if (strength.temperature != 0) text += fmt::format("@{}", strength.temperature);
  if (tower() && tower()->second) text += fmt::format("+second=small-{}", tower()->second->id);
  if (endings == true) text += "+endings";
  if (strength.time) text += fmt::format("?ms={}", strength.time->count());
  // Behind the colon of alpha-beta stands a depth.
  return strength.nodes && by_alpha_beta() ? text + fmt::format("?nodes={}", *strength.nodes) : text;
}

PlayerSpec with_default_strength(PlayerSpec player, std::int64_t simulations) {
  if (player.strength.limited()) return player;
  if (player.by_tree()) player.strength.nodes = simulations;
  if (player.by_alpha_beta()) {
    const auto* built_in = std::get_if<PlayerSpec::BuiltIn>(&player.kind);
    player.strength.depth = built_in ? find_built_in(built_in->name)->match_depth : kSmallMatchDepth;
  }
  return player;
}

PlayerSpec with_default_time(PlayerSpec player, std::chrono::milliseconds time) {
  if (!player.searches() || player.limited()) return player;
  if (player.is_engine()) {
    const std::string name = player.name();
    const char separator = name.find('?') == std::string::npos ? '?' : '&';
    return value_or_error(parse_player(fmt::format("{}{}ms={}", name, separator, time.count()), {}));
  }
  player.strength.time = time;
  return player;
}

fs::path find_checkpoint(const std::string& name) {
  if (name == kZooName) throw Error("name a game in place of 'zoo': " + Zoo::standard().summary());
  if (fs::exists(name)) return fs::is_directory(name) ? *find_network(name, {}) : fs::path(name);
  return game::make_game(name) ? Zoo::standard().network_for(name) : fs::path(name);
}

std::string player_help() {
  std::string help =
      "PLAYER is NAME[:STRENGTH][?KEY=VALUE&...]. NAME: auto, zoo, small, FILE, RUN, best, latest,\n"
      "uci:COMMAND, xboard:COMMAND";
  for (const BuiltInPlayer& each : built_in_players()) help += fmt::format(", {}", each.name);
  return help +
         ".\n"
         "STRENGTH: simulations[@temperature], plies, level=N. KEY: ms, nodes, depth, level, temperature,\n"
         "network (small|tower), second, options (FILE), endings (on), of engines movetime, clock.";
}

ParsedSpec parse_player(const std::string& text, const PlayerPlaces& places) {
  ParsedSpec player = parse_any(text, places);
  if (player || player.why().starts_with(text)) return player;  // A file names itself.
  return failure("player '" + text + "': " + player.why());
}

PlayerSpec choose_player(const std::string& text, const PlayerPlaces& places) {
  return value_or_error(parse_player(text.empty() ? std::string(kAutoName) : text, places));
}

void check_strength(const Strength& strength) {
  if (strength.nodes && (*strength.nodes < 1 || *strength.nodes > kMostNodes))
    throw Error(fmt::format("needs 1 to {} simulations", kMostNodes));
  if (!(strength.temperature >= 0 && strength.temperature <= kMostTemperature))
    throw Error(fmt::format("needs a temperature from 0 to {}", kMostTemperature));
}

PlayerSpec tower_player(PlayerSpec::Tower tower, Strength strength) {
  check_strength(strength);
  const Manifest manifest = read_manifest(tower.file);
  if (tower_id_of(manifest).empty()) throw Error(tower.file, "has no tower, only a small network");
  tower.id = tower_id_of(manifest);
  tower.generation = manifest.generation();
  return {std::move(tower), strength};
}

std::int64_t PlayerSpec::generation() const {
  const auto* small = std::get_if<Small>(&kind);
  return small ? small->generation : tower() ? tower()->generation : -1;
}

PlayerSpec small_player(const fs::path& file, const std::string& ruleset, Strength strength) {
  check_strength(strength);
  return {PlayerSpec::Small{file, small_network_id(load_small_network(file, ruleset))}, strength};
}

std::vector<PlayerSpec> network_players(const fs::path& file, const PlayerPlaces& places) {
  const Manifest manifest = read_manifest(file);
  if (tower_id_of(manifest).empty()) return {small_player(file, places.ruleset, {})};
  PlayerSpec tower = tower_player({file}, {});
  if (!has_small_network(manifest, places.ruleset)) return {std::move(tower)};
  PlayerSpec small = small_player(file, places.ruleset, {});
  if (places.device == "cpu") std::swap(tower, small);
  return {std::move(tower), std::move(small)};
}

}  // namespace makzero::models
