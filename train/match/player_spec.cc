#include "train/match/player_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "game/notation.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "models/zoo.h"
#include "train/match/player_options.h"

namespace makzero::train {

namespace {

using Kind = PlayerSpec::Kind;
using ParsedSpec = game::Parsed<PlayerSpec>;

constexpr int kDefaultSimulations = 64;
constexpr int kMaxDepth = 64;
constexpr int kMaxSimulations = 1'000'000;
constexpr int kMaxTemperature = 1000;
constexpr std::string_view kLevel = "level=";
constexpr std::string_view kKnown =
    "players are random, greedy, alphabeta:DEPTH, rollout:N, material:N, CHECKPOINT[:STRENGTH], "
    "latest[:STRENGTH], zoo[:STRENGTH], SMALL[:DEPTH], small[:DEPTH], uci:COMMAND and xboard:COMMAND, "
    "STRENGTH is "
    "SIMULATIONS, SIMULATIONS@TEMPERATURE or level=N, SMALL a file of `makzero distill`; ?ms=N behind any of "
    "them stands for a strength, ?material=W behind "
    "a network";

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

ParsedSpec failure(const std::string& why) { return ParsedSpec::failure({why}); }

std::string time_text(std::chrono::milliseconds time) { return fmt::format("?ms={}", time.count()); }

std::string material_text(float weight) { return weight == 0 ? "" : fmt::format("+material={}", weight); }

// A player that is neither a network nor an engine.
struct BuiltIn {
  std::string_view word;
  int largest;               // Number behind the word; 0 = takes none.
  Kind (*make)(int number);  // 0 with a time.
};

constexpr std::array<BuiltIn, 5> kBuiltIns = {
    {{"random", 0, [](int) -> Kind { return PlayerSpec::Random{}; }},
     {"greedy", 0, [](int) -> Kind { return PlayerSpec::Greedy{}; }},
     {"alphabeta", kMaxDepth, [](int depth) -> Kind { return PlayerSpec::AlphaBeta{depth}; }},
     {"rollout", kMaxSimulations, [](int count) -> Kind { return PlayerSpec::Rollout{count}; }},
     {"material", kMaxSimulations, [](int count) -> Kind { return PlayerSpec::Material{count}; }}}};

// That of "random", "alphabeta", "alphabeta:3"; null where there is none.
const BuiltIn* find_built_in(std::string_view name) {
  const std::string_view word = name.substr(0, name.find(':'));
  for (const BuiltIn& each : kBuiltIns) {
    if (each.word == word && (each.largest > 0 || name == word)) return &each;
  }
  return nullptr;
}

// What stands behind the '?' of players that are no engines.
struct WrittenOptions {
  std::optional<std::chrono::milliseconds> time = {};
  std::optional<float> material = {};
};

game::Parsed<WrittenOptions> read_options(const WrittenPlayer& player) {
  using Failure = game::Parsed<WrittenOptions>;
  WrittenOptions options;
  for (const auto& [name, value] : player.options) {
    const bool alone = name == "alone" && value.empty();  // The old spelling of material=0.
    if (name == "ms") {
      const auto time = parse_move_time(value);
      if (!time) return Failure::failure(time.reasons());
      if (std::exchange(options.time, *time)) return Failure::failure({"ms=N is there twice"});
    } else if (name == "material" || alone) {
      const auto weight = alone ? game::Parsed<float>(0) : parse_material_weight(value);
      if (!weight) return Failure::failure(weight.reasons());
      if (std::exchange(options.material, *weight)) return Failure::failure({"material=W is there twice"});
    } else {
      return Failure::failure({"unknown option '" + name + "'; ms=N is the processor time per move in " +
                               "milliseconds, material=W the weight of the material evaluator"});
    }
  }
  return options;
}

// "random", "alphabeta:3", or without a number where there is a time.
ParsedSpec parse_built_in(const std::string& text, const BuiltIn& built_in, const WrittenOptions& options) {
  PlayerSpec spec;
  spec.time = options.time;
  spec.name = built_in.word;
  int number = 0;
  if (options.material) return failure("material=W is for networks");
  if (options.time && text != built_in.word) return failure("takes a number or ms=N, not both");
  if (built_in.largest > 0 && !options.time) {
    const auto written = read_number(text.substr(std::min(built_in.word.size() + 1, text.size())));
    if (!written || *written < 1 || *written > built_in.largest) {
      return failure(fmt::format("needs a number from 1 to {}, as in {}:3, or a time, as in {}?ms=100",
                                 built_in.largest, built_in.word, built_in.word));
    }
    number = static_cast<int>(*written);
    spec.name += ':' + std::to_string(number);
  }
  spec.kind = built_in.make(number);
  if (options.time) spec.name += time_text(*options.time);
  return spec;
}

// "uci:COMMAND" and "xboard:COMMAND".
template <typename Settings>
ParsedSpec engine_player(const std::string& text, const game::Parsed<Settings>& settings) {
  if (!settings) return failure(settings.why());
  PlayerSpec spec;
  spec.kind = *settings;
  spec.time = settings->time;
  spec.name = text;
  return spec;
}

// Where networks are looked up: the run of generations, the ruleset of the zoo's.
struct Places {
  const std::filesystem::path& run;
  const std::string& ruleset;
};

// The file that `name` means: a file, a run folder, "zoo", "latest" or the number of a generation of the run.
std::optional<std::filesystem::path> find_checkpoint(const std::string& name, const Places& places) {
  std::error_code ignored;
  if (name == models::kZooName && !places.ruleset.empty())
    return models::Zoo::standard().network_for(places.ruleset);
  if (std::filesystem::is_regular_file(name, ignored)) return name;
  const bool is_run = std::filesystem::is_directory(name, ignored);
  const models::CheckpointStore store((is_run ? std::filesystem::path(name) : places.run) / "checkpoints");
  const std::optional<std::int64_t> generation = read_number(name);
  std::optional<models::StoredCheckpoint> found;
  if (is_run || name == "latest") {
    found = store.latest();
  } else if (generation) {
    for (const models::StoredCheckpoint& stored : store.list()) {
      if (stored.generation == *generation) found = stored;
    }
  }
  if (!found) return std::nullopt;
  return found->path;
}

// Why there is no such player.
std::string unknown_player(const std::string& name, const std::filesystem::path& run) {
  if (name == "latest" || read_number(name)) {
    return "no such checkpoint in '" + (run / "checkpoints").string() +
           "'; train first, or name a run or file";
  }
  const std::string nearest = game::nearest_name(
      name,
      {"random", "greedy", "alphabeta", "rollout", "material", "latest", "zoo", "small", "uci", "xboard"});
  const std::string hint = nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
  return "neither a player nor a checkpoint file or run folder" + hint + "; " + std::string(kKnown);
}

// How strong a network plays, as written behind its last colon.
struct WrittenStrength {
  std::int64_t simulations = kDefaultSimulations;
  double temperature = 0;
  std::optional<std::int64_t> level = {};
};

// None where the text is something else.
std::optional<WrittenStrength> read_strength(std::string_view text) {
  if (text.starts_with(kLevel)) {
    const std::optional<std::int64_t> level = read_number(text.substr(kLevel.size()));
    if (!level) return std::nullopt;
    return WrittenStrength{.level = level};
  }
  const size_t at = std::min(text.find('@'), text.size());
  WrittenStrength strength;
  const std::optional<std::int64_t> simulations = read_number(text.substr(0, at));
  if (!simulations) return std::nullopt;
  strength.simulations = *simulations;
  if (at == text.size()) return strength;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + at + 1, end, strength.temperature);
  if (error != std::errc() || rest != end) return std::nullopt;
  return strength;
}

// The level of the manifest, or why there is none.
game::Parsed<const models::Level*> find_level(const models::Manifest& manifest, std::int64_t wanted) {
  using Failure = game::Parsed<const models::Level*>;
  for (const models::Level& level : manifest.levels())
    if (level.level() == wanted) return &level;
  if (manifest.levels().empty())
    return Failure::failure({"its levels are not measured: `makzero levels` does it"});
  return Failure::failure({"it has no level " + std::to_string(wanted) + ", only 1 to " +
                           std::to_string(manifest.levels_size())});
}

ParsedSpec parse_network(const std::string& text, const WrittenOptions& options, const Places& places) try {
  std::string name = text;
  WrittenStrength strength;
  const size_t colon = name.rfind(':');
  if (const auto written = colon == std::string::npos
                               ? std::nullopt
                               : read_strength(std::string_view(name).substr(colon + 1))) {
    if (options.time) return failure("takes a strength or ms=N, not both");
    name.resize(colon);
    strength = *written;
  }
  const std::optional<std::filesystem::path> path = find_checkpoint(name, places);
  if (!path) return failure(unknown_player(name.substr(0, name.find(':')), places.run));
  // What is out of range stays so, and is refused by network_player().
  const auto simulations = std::clamp<std::int64_t>(strength.simulations, 0, kMaxSimulations + 1);
  PlayerSpec::Network network{*path, static_cast<int>(simulations), static_cast<float>(strength.temperature),
                              options.material};
  if (strength.level) {
    const models::Manifest manifest =
        models::read_manifest(models::Zoo::standard().levels_of(*path, places.ruleset));
    const auto level = find_level(manifest, *strength.level);
    if (!level) return failure(level.why());
    network.simulations = (*level)->simulations();
    network.temperature = (*level)->temperature();
  }
  return network_player(std::move(network), options.time);
} catch (const models::Error& error) {
  return failure(error.what());
}

// None where the text names no small network.
std::optional<ParsedSpec> parse_small(const std::string& text, const WrittenOptions& options,
                                      const Places& places) try {
  const std::optional<models::SmallNetworkName> name = models::read_small_network_name(text);
  if (!name) return std::nullopt;
  if (options.material) return failure("material=W is for networks that tree search plays with");
  if (options.time && name->depth) return failure("takes a depth or ms=N, not both");
  const std::filesystem::path file = models::find_small_network(*name, places.ruleset);
  PlayerSpec spec;
  spec.time = options.time;
  const int depth = options.time ? 0 : static_cast<int>(name->depth.value_or(models::kSmallDepth));
  spec.kind = PlayerSpec::Small{file, depth};
  spec.name = "small-" + models::small_network_id(models::read_small_network(file)) +
              (options.time ? time_text(*options.time) : ':' + std::to_string(depth));
  return spec;
} catch (const models::Error& error) {
  return failure(error.what());
}

ParsedSpec parse_any(const std::string& text, const Places& places) {
  const std::string command = text.substr(text.find(':') + 1);
  if (text.starts_with("uci:")) return engine_player(text, parse_uci_settings(command));
  if (text.starts_with("xboard:")) return engine_player(text, parse_xboard_settings(command));
  const WrittenPlayer player = read_written_player(text);
  const game::Parsed<WrittenOptions> options = read_options(player);
  if (!options) return failure(options.why());
  if (const BuiltIn* built_in = find_built_in(player.name))
    return parse_built_in(player.name, *built_in, *options);
  if (const auto small = parse_small(player.name, *options, places)) return *small;
  return parse_network(player.name, *options, places);
}

}  // namespace

ParsedSpec parse_player(const std::string& text, const std::filesystem::path& run,
                        const std::string& ruleset) {
  ParsedSpec spec = parse_any(text, {run, ruleset});
  if (spec) return spec;
  return failure("player '" + text + "': " + spec.why());
}

PlayerSpec network_player(PlayerSpec::Network network, std::optional<std::chrono::milliseconds> time) {
  if (!time && (network.simulations < 1 || network.simulations > kMaxSimulations))
    throw models::Error(fmt::format("needs 1 to {} simulations", kMaxSimulations));
  if (!(network.temperature >= 0 && network.temperature <= kMaxTemperature))
    throw models::Error(fmt::format("needs a temperature from 0 to {}", kMaxTemperature));
  if (network.material && !(*network.material >= 0 && *network.material <= 1))
    throw models::Error("needs a weight of the material evaluator from 0 to 1");
  const models::Manifest manifest = models::read_manifest(network.checkpoint);
  const float material = network.material.value_or(manifest.material_blend_weight());
  network.id = models::id_of(manifest);
  network.generation = manifest.generation();
  if (time) network.simulations = 0;
  PlayerSpec spec;
  spec.time = time;
  spec.name = time ? network_name(network.id, *time, material)
                   : network_name(network.id, network.simulations, network.temperature, material);
  spec.kind = std::move(network);
  return spec;
}

std::string network_name(const std::string& id, int simulations, float temperature,
                         float material_blend_weight) {
  std::string name = fmt::format("{}:{}", id, simulations);
  if (temperature != 0) name += fmt::format("@{}", temperature);
  return name + material_text(material_blend_weight);
}

std::string network_name(const std::string& id, std::chrono::milliseconds time, float material_blend_weight) {
  return id + material_text(material_blend_weight) + time_text(time);
}

}  // namespace makzero::train
