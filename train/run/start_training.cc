#include "train/run/start_training.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "game/catalog.h"
#include "models/error.h"
#include "models/framed_file.h"
#include "models/player/player_spec.h"
#include "nn/backend.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/runtime.h"
#include "train/config.h"
#include "train/hub/redis_hub.h"
#include "train/hub/remote_games.h"
#include "train/run/inspect.h"
#include "train/run/ledger.h"
#include "train/run/training_run.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

template <class T>
T value_or_usage(const game::Parsed<T>& parsed) {
  if (!parsed) throw UsageError(parsed.why());
  return *parsed;
}

// `until` as every game of the run reads it.
void require_player(const std::string& until, const std::vector<game::GamePtr>& games, const Config& config,
                    const RunPaths& paths) {
  if (until.empty()) return;
  if (config.rating().time_share() == 0)
    throw UsageError("rating.time_share is 0: the player of --until would never be met");
  const std::string device = nn::device_names(config.device()).front();
  for (const game::GamePtr& game : games)
    value_or_usage(
        models::parse_player(until, {.run = paths.root, .ruleset = game->info().ruleset, .device = device}));
}

bool is_family(const std::string& name) { return !game::family_games(name).empty(); }

// What the run trains as its configuration and folder name it: a family, or the rulesets of the games.
std::string name_of_games(const std::string& request) {
  return is_family(request) ? request : game::game_list(value_or_usage(game::make_games(request)));
}

// The flags, and behind them what the request itself says.
Overrides overrides_of(const TrainRequest& request) {
  Overrides overrides = request.overrides;
  if (!request.preset.empty()) overrides.emplace_back("preset", request.preset);
  if (request.seed) overrides.emplace_back("seed", std::to_string(*request.seed));
  overrides.emplace_back("game", name_of_games(request.game));
  return overrides;
}

// The checkpoint that a new run is to begin with; empty: none.
std::string from_of(const TrainRequest& request) {
  std::string from;
  for (const auto& [key, value] : request.overrides) {
    if (key == "from") from = value;
  }
  return from;
}

// What the flags of a new run change: the preset (that of the first game), or the configuration of the
// training that it continues, which goes on with other games than it has played.
Config initial_config(const TrainRequest& request, const std::vector<game::GamePtr>& games,
                      std::vector<std::string>* unused) {
  const std::string from = from_of(request);
  if (!from.empty() && request.preset.empty()) {
    const models::Manifest manifest = models::read_manifest(from);
    if (continues(manifest, games)) {
      Config config = value_or_usage(parse_config(manifest.config(), "the configuration of " + from, unused));
      config.set_seed(config.seed() + static_cast<std::uint64_t>(manifest.evaluations()));
      return config;
    }
  }
  const std::string preset = request.preset.empty() ? "quick" : request.preset;
  Config config = value_or_usage(preset_config(preset, games.front()->info().ruleset));
  config.mutable_rulesets()->set_sampled(is_family(request.game));
  return config;
}

struct ResolvedConfig {
  Config config;
  std::vector<std::string> changes, unused;  // See config_changes() and parse_config().
};

// The initial configuration with flags for a new run; what the run began with, with flags, for one that
// exists.
ResolvedConfig resolve_config(const TrainRequest& request, const std::vector<game::GamePtr>& games,
                              const RunPaths& paths) {
  const Overrides overrides = overrides_of(request);
  std::vector<std::string> unused;
  if (!std::filesystem::exists(paths.config())) {
    const Config initial = initial_config(request, games, &unused);
    return {value_or_usage(override_config(initial, overrides)), {}, unused};
  }
  const Config stored = value_or_usage(override_config(read_config(paths.config(), &unused), {}));
  require_accounted(ledger_faults(paths.root, LedgerDepth::kQuick), paths.config());
  Config wanted = value_or_usage(override_config(stored, overrides));
  const std::vector<std::string> refused = incompatible_changes(stored, wanted);
  if (!refused.empty()) throw UsageError(game::Parsed<Config>::failure(refused).why());
  return {wanted, config_changes(stored, wanted), unused};
}

// The games of other machines; null where no hub is asked for.
std::unique_ptr<RemoteGames> open_remote_games(const TrainRequest& request, const Config& config,
                                               const RunPaths& paths, const std::stop_token& stop) {
  if (request.hub.empty()) {
    if (config.self_play().threads() == 0 && !config.deterministic())
      throw UsageError("self_play.threads is 0 and there is no --hub: nobody would play");
    return nullptr;
  }
  const HubAddress address = value_or_usage(parse_hub_address(request.hub));
  const std::string name = hub_name(paths.root);
  const auto log = [path = paths.log()](const std::string& line) {
    append_line(path, line);
    if (!line.starts_with("refused")) std::cerr << line + "\n";  // That the hub is away, or the lease taken.
  };
  return std::make_unique<RemoteGames>(RemoteOptions{
      [address, name] { return std::make_shared<RedisHub>(address, name); }, paths.root, stop, log});
}

}  // namespace

std::string hub_name(const std::filesystem::path& run) {
  if (run.empty()) return "";
  const std::filesystem::path path = std::filesystem::absolute(run).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::filesystem::path run_folder(const TrainRequest& request) {
  return request.run.empty() ? std::filesystem::path("runs") / name_of_games(request.game) : request.run;
}

void run_training(const TrainRequest& request, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  SessionLimit limit{stop, {}, request.until};
  if (request.minutes) {
    const std::chrono::duration<double, std::ratio<60>> minutes(*request.minutes);
    limit.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(minutes);
  }
  const std::vector<game::GamePtr> games = value_or_usage(game::make_games(request.game));
  const RunPaths paths(run_folder(request));
  // A wrong configuration must not leave a folder behind.
  if (!request.hub.empty()) value_or_usage(parse_hub_address(request.hub));
  const Config first = resolve_config(request, games, paths).config;
  require_player(request.until, games, first, paths);
  const bool has_tower = trains_tower(first);
  if (has_tower) nn::require_backend(backend_of(first, first.device()));
  if (has_tower && first.deterministic() && first.device() != "cpu") nn::make_deterministic();
  if (!first.from().empty() && !std::filesystem::exists(paths.config())) require_fitting_size(games, first);
  const RunLock lock(paths.root);
  const auto [config, changes, unused] = resolve_config(request, games, paths);
  expect_content(paths.root, paths.config(), config_text(config));
  models::write_text_file(paths.config(), config_text(config));
  for (const std::string& change : changes) append_line(paths.log(), "configuration changed: " + change);
  for (const std::string& key : unused) {
    append_line(paths.log(), key);
    std::cerr << key + "\n";
  }
  const std::unique_ptr<RemoteGames> remote = open_remote_games(request, config, paths, stop);
  TrainingRun run(games, config, paths, limit, remote.get());
  run.show_in(request.gauges);
  run.train();
}

}  // namespace makzero::train
