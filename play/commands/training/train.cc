// makzero train: trains a network; Ctrl-C once finishes the step, twice leaves at once.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "models/model.h"
#include "models/player/tuned_settings.h"
#include "models/zoo.h"
#include "nn/runtime.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/commands/metrics_option.h"
#include "play/commands/training/config_flags.h"
#include "train/config.h"
#include "train/run/start_training.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

namespace fs = std::filesystem;

// What to do with a trained network.
void print_next_steps(const train::TrainRequest& request, const std::vector<game::GamePtr>& games) {
  const std::string run = train::run_folder(request);
  for (const game::GamePtr& game : games) {
    const std::string& ruleset = game->info().ruleset;
    print(std::cout, "makzero play %s --model %s plays against it\n", ruleset.c_str(), run.c_str());
    if (models::Zoo::standard().find(ruleset)) {
      print(std::cout, "makzero match %s --a %s --b zoo measures it against the zoo's network\n",
            ruleset.c_str(), run.c_str());
    }
  }
}

// The preset that suits this machine, with what it was chosen by.
struct PresetChoice {
  std::string name, why;
};

PresetChoice preset_for(const nn::Runtime& machine) {
  static constexpr int kManyCores = 8;
  if (machine.cuda_devices > 0)
    return {"gpu", machine.cuda + "; gpu-small is for 8 to 12 GB, gpu-large for days"};
  const std::string cores = std::to_string(machine.cores) + " cores and no card";
  if (machine.cores >= kManyCores && machine.bf16)
    return {"cpu", cores + ", which compute in bf16; quick is for minutes"};
  return {"quick", cores + "; cpu is for hours"};
}

// Where a new run asks for no preset and continues no other training.
void choose_preset(train::TrainRequest* request) {
  if (!request->preset.empty() || fs::exists(train::RunPaths(train::run_folder(*request)).config())) return;
  nn::Runtime machine = nn::inspect_runtime();
  if (machine.libtorch_version.empty()) return;  // The training says what is missing.
  for (const auto& [key, value] : request->overrides) {
    if (key == "from") return;
    if (key == "device" && value == "cpu") machine.cuda_devices = 0;
  }
  const PresetChoice choice = preset_for(machine);
  request->preset = choice.name;
  print(std::cout, "preset %s: %s\n", choice.name.c_str(), choice.why.c_str());
}

// The configuration of the preset for the first game.
game::Parsed<train::Config> preset_of(const train::TrainRequest& request, const std::string& ruleset) {
  return train::preset_config(request.preset.empty() ? "quick" : request.preset, ruleset);
}

// What `makzero tune` has found for the device and the network of a new run, where no flag says otherwise.
train::Overrides tuned_overrides(const train::TrainRequest& request, const std::string& ruleset) {
  if (std::filesystem::exists(train::RunPaths(train::run_folder(request)).config())) return {};
  const auto preset = preset_of(request, ruleset);
  if (!preset) return {};  // The training says what is wrong, here and below.
  const auto config = train::override_config(*preset, request.overrides);
  if (!config) return {};
  const std::string network = models::network_size(config->network().blocks(), config->network().channels());
  const auto tuned = models::tuned_settings(config->device(), network);
  if (!tuned) return {};
  train::Overrides settings = {{"precision", std::string(nn::precision_name(tuned->precision))},
                               {"threads", std::to_string(tuned->threads)},
                               {"self_play.games", std::to_string(tuned->games)},
                               {"self_play.max_batch", std::to_string(tuned->max_batch)}};
  std::erase_if(settings, [&](const auto& setting) {
    return std::ranges::any_of(request.overrides,
                               [&](const auto& flag) { return flag.first == setting.first; });
  });
  std::cout << "as tuned for this machine:";
  for (const auto& [key, value] : settings) std::cout << " --" << key << "=" << value;
  std::cout << "\n";
  return settings;
}

// What --keys prints: of each key its standard value and, where a game is named, the preset's.
int print_keys(const train::TrainRequest& request) {
  std::optional<train::Config> preset;
  if (!request.game.empty()) {
    const auto games = value_or_usage_error(game::make_games(request.game));
    preset = value_or_usage_error(preset_of(request, games.front()->info().ruleset));
  }
  for (const train::SettingRow& row : train::setting_rows()) {
    const std::string value = preset ? train::config_value(*preset, row.key) : row.standard;
    std::string line = row.key + " = " + value;
    if (value != row.standard) line += " (else " + row.standard + ")";
    if (!row.values.empty()) line += "  [" + row.values + "]";
    print(std::cout, "%s\n    %s\n", line.c_str(), row.meaning.c_str());
  }
  return 0;
}

int run_train(train::TrainRequest request, const MetricsOption& metrics, const CLI::App& app) {
  if (request.game.empty()) throw UsageError("GAME is required; `makzero games` lists them");
  const std::vector<game::GamePtr> games = value_or_usage_error(game::make_games(request.game));
  const train::Overrides flags = read_overrides(app);
  request.overrides.insert(request.overrides.end(), flags.begin(), flags.end());
  choose_preset(&request);
  const train::Overrides tuned = tuned_overrides(request, games.front()->info().ruleset);
  request.overrides.insert(request.overrides.begin(), tuned.begin(), tuned.end());
  train::Gauges gauges;
  request.gauges = &gauges;
  const std::unique_ptr<MetricsServer> server = serve_metrics(metrics, gauges);
  try {
    train::run_training(
        request, stop_on_interrupt("\nfinishing the step, then a checkpoint; Ctrl-C again leaves at once\n"));
  } catch (const train::UsageError& error) {
    throw UsageError(error.what());
  }
  print_next_steps(request, games);
  return 0;
}

}  // namespace

Run add_train(CLI::App* app) {
  auto request = std::make_shared<train::TrainRequest>();
  auto metrics = std::make_shared<MetricsOption>();
  app->allow_extras();
  app->add_option("GAME", request->game,
                  "Game, with options if wanted; one network learns several: GAME,GAME")
      ->type_name("");
  app->add_option("--preset", request->preset,
                  "quick (minutes), cpu, gpu, gpu-small|large|largest, zero (by machine)")
      ->type_name("NAME");
  app->add_option("--run", request->run, "The run's folder (runs/GAME); what it holds is continued")
      ->type_name("DIR");
  app->add_option_function<std::string>(
         "--from", [request](const std::string& path) { request->overrides.emplace_back("from", path); },
         "Checkpoint that a new run goes on with; of another game: weights alone")
      ->type_name("FILE");
  app->add_option("--minutes", request->minutes, "Wall clock from now (until stopped)")
      ->type_name("N")
      ->check(above_zero());
  app->add_option("--hub", request->hub, "Redis server that workers of other machines play through")
      ->type_name("URL");
  add_metrics(app, metrics.get());
  app->add_option("--until", request->until,
                  "Stop once the newest network beats this player: control, alphabeta:3")
      ->type_name("PLAYER");
  add_seed(app, &request->seed, "Of everything random");
  auto keys = std::make_shared<bool>(false);
  app->add_flag("--keys", *keys, "Print every key of the configuration: value, range and meaning");
  app->footer(
      "Any key of the configuration is a flag too: --KEY=VALUE, as in RUN/config.textproto.\n"
      "Ctrl-C finishes the step, writes a checkpoint and exits with 0; the same command goes on.\n\n"
      "Examples:\n"
      "  makzero train makyek --minutes 30\n"
      "  makzero train makyek --until control\n"
      "  makzero train makruk --preset cpu --run runs/big --network.blocks=6 --network.channels=64\n"
      "  makzero train makyek:custodian=line --self_play.simulations=32\n"
      "  makzero train custodial                one network for a family; or makyek,apit,rek");
  return [request, metrics, keys, app] {
    return *keys ? print_keys(*request) : run_train(*request, *metrics, *app);
  };
}

}  // namespace makzero::play
