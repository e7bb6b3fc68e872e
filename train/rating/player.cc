#include "train/rating/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "game/notation.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "models/store.h"
#include "train/rating/search_players.h"
#include "train/rating/simple_players.h"
#include "train/rating/uci_player.h"
#include "train/rating/xboard_player.h"

namespace makzero::train {

namespace {

using Kind = PlayerSpec::Kind;
using ParsedSpec = game::Parsed<PlayerSpec>;

constexpr int kDefaultSimulations = 64;
constexpr int kMaxDepth = 64;
constexpr int kMaxSimulations = 1'000'000;
constexpr int kMaxTemperature = 1000;
constexpr std::string_view kLevel = "level=", kAlone = "?alone", kMaterialIn = "+material=";
constexpr std::string_view kKnown =
    "players are random, greedy, alphabeta:DEPTH, rollout:N, material:N, CHECKPOINT[:STRENGTH][?alone], "
    "latest[:STRENGTH][?alone], uci:COMMAND and xboard:COMMAND, STRENGTH is SIMULATIONS, "
    "SIMULATIONS@TEMPERATURE or level=N";

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

ParsedSpec failure(const std::string& text, const std::string& why) {
  return ParsedSpec::failure({"player '" + text + "': " + why});
}

// "alphabeta:3", "rollout:100", "material:100".
ParsedSpec parse_numbered(const std::string& text, Kind kind, int maximum) {
  const size_t colon = text.find(':');
  const std::optional<std::int64_t> number =
      colon == std::string::npos ? std::nullopt : read_number(std::string_view(text).substr(colon + 1));
  if (!number || *number < 1 || *number > maximum) {
    return failure(text, "needs a number from 1 to " + std::to_string(maximum) + ", as in " +
                             text.substr(0, colon) + ":3");
  }
  PlayerSpec spec;
  spec.kind = kind;
  spec.number = static_cast<int>(*number);
  spec.name = text.substr(0, colon) + ':' + std::to_string(*number);
  return spec;
}

// "uci:COMMAND" and "xboard:COMMAND".
ParsedSpec parse_engine(const std::string& text, Kind kind) {
  PlayerSpec spec;
  spec.kind = kind;
  spec.command = text.substr(text.find(':') + 1);
  spec.name = text;
  const std::string why =
      kind == Kind::kUci ? parse_uci_settings(spec.command).why() : parse_xboard_settings(spec.command).why();
  if (!why.empty()) return failure(text, why);
  return spec;
}

// The file that `name` means: a file, a run folder, "latest", "best" or the number of a generation of the
// run.
std::optional<std::filesystem::path> find_checkpoint(const std::string& name,
                                                     const std::filesystem::path& run) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) return name;
  const bool is_run = std::filesystem::is_directory(name, ignored);
  const models::CheckpointStore store((is_run ? std::filesystem::path(name) : run) / "checkpoints");
  const std::optional<std::int64_t> generation = read_number(name);
  std::optional<models::StoredCheckpoint> found;
  if (is_run || name == "latest") {
    found = store.latest();
  } else if (name == "best") {
    found = store.best();
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
  if (name == "latest" || name == "best" || read_number(name)) {
    return "no such checkpoint in '" + (run / "checkpoints").string() +
           "'; train first, or name a run or file";
  }
  const std::string nearest = game::nearest_name(
      name, {"random", "greedy", "alphabeta", "rollout", "material", "latest", "best", "uci", "xboard"});
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

// The strength of a level of the manifest, or why there is none.
ParsedSpec with_level(PlayerSpec spec, const models::Manifest& manifest, std::int64_t wanted) {
  for (const models::Level& level : manifest.levels()) {
    if (level.level() != wanted) continue;
    spec.number = level.simulations();
    spec.temperature = level.temperature();
    return spec;
  }
  if (manifest.levels().empty())
    return ParsedSpec::failure({"its levels are not measured: `makzero levels` does it"});
  return ParsedSpec::failure({"it has no level " + std::to_string(wanted) + ", only 1 to " +
                              std::to_string(manifest.levels_size())});
}

ParsedSpec parse_network(const std::string& text, const std::filesystem::path& run) {
  const bool alone = text.ends_with(kAlone);
  std::string name = text.substr(0, text.size() - (alone ? kAlone.size() : 0));
  WrittenStrength strength;
  const size_t colon = name.rfind(':');
  if (const auto written = colon == std::string::npos
                               ? std::nullopt
                               : read_strength(std::string_view(name).substr(colon + 1))) {
    name.resize(colon);
    strength = *written;
  }
  const std::optional<std::filesystem::path> path = find_checkpoint(name, run);
  if (!path) return failure(text, unknown_player(name.substr(0, name.find(':')), run));
  if (strength.simulations < 1 || strength.simulations > kMaxSimulations)
    return failure(text, "needs 1 to " + std::to_string(kMaxSimulations) + " simulations");
  if (!(strength.temperature >= 0 && strength.temperature <= kMaxTemperature))
    return failure(text, "needs a temperature from 0 to " + std::to_string(kMaxTemperature));

  PlayerSpec spec;
  spec.kind = Kind::kNetwork;
  spec.number = static_cast<int>(strength.simulations);
  spec.temperature = static_cast<float>(strength.temperature);
  spec.checkpoint = *path;
  spec.alone = alone;
  try {
    const models::Manifest manifest = models::read_manifest(*path);
    if (strength.level) {
      const ParsedSpec found = with_level(spec, manifest, *strength.level);
      if (!found) return failure(text, found.why());
      spec = *found;
    }
    spec.name = network_name(models::id_of(manifest), spec.number, spec.temperature,
                             alone ? 0 : manifest.material_blend_weight());
    spec.generation = manifest.generation();
  } catch (const models::Error& error) {
    return failure(text, error.what());
  }
  return spec;
}

}  // namespace

ParsedSpec parse_player(const std::string& text, const std::filesystem::path& run) {
  PlayerSpec spec;
  spec.name = text;
  if (text == "random") return spec;
  spec.kind = Kind::kGreedy;
  if (text == "greedy") return spec;
  if (text == "alphabeta" || text.starts_with("alphabeta:"))
    return parse_numbered(text, Kind::kAlphaBeta, kMaxDepth);
  if (text == "rollout" || text.starts_with("rollout:"))
    return parse_numbered(text, Kind::kRollout, kMaxSimulations);
  if (text == "material" || text.starts_with("material:"))
    return parse_numbered(text, Kind::kMaterial, kMaxSimulations);
  if (text.starts_with("uci:")) return parse_engine(text, Kind::kUci);
  if (text.starts_with("xboard:")) return parse_engine(text, Kind::kXboard);
  return parse_network(text, run);
}

std::string alone_text(const std::string& checkpoint, int simulations) {
  return fmt::format("{}:{}{}", checkpoint, simulations, kAlone);
}

std::string network_name(const std::string& id, int simulations, float temperature,
                         float material_blend_weight) {
  std::string name = fmt::format("{}:{}", id, simulations);
  if (temperature != 0) name += fmt::format("@{}", temperature);
  if (material_blend_weight != 0) name += fmt::format("{}{}", kMaterialIn, material_blend_weight);
  return name;
}

std::unique_ptr<Player> make_player(const game::Game& game, const PlayerSpec& spec,
                                    const std::string& device) {
  switch (spec.kind) {
    case Kind::kRandom:
      return std::make_unique<RandomPlayer>();
    case Kind::kGreedy:
      return std::make_unique<GreedyPlayer>(game);
    case Kind::kAlphaBeta:
      return std::make_unique<AlphaBetaPlayer>(game, spec.number);
    case Kind::kRollout:
      return std::make_unique<RolloutPlayer>(game, spec.number);
    case Kind::kMaterial:
      return make_material_player(game, spec.number);
    case Kind::kNetwork:
      return make_network_player(game, spec, device);
    case Kind::kUci:
      return std::make_unique<UciPlayer>(game, *parse_uci_settings(spec.command));
    case Kind::kXboard:
      return std::make_unique<XboardPlayer>(game, *parse_xboard_settings(spec.command));
  }
  throw models::Error("player '" + spec.name + "' is of no known kind");
}

}  // namespace makzero::train
