// makzero ablate: what each technique of training is worth, measured on this machine.
#include <algorithm>
#include <iostream>
#include <memory>

#include "game/notation.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/run/ablation.h"
#include "train/run/start_training.h"

namespace makzero::play {
namespace {

struct AblateRequest {
  train::AblationOptions options;
  std::vector<std::string> names;  // Of techniques; empty = all.
  std::vector<std::string> own;    // NAME:KEY=VALUE,...
  bool list = false;
};

std::pair<std::string, std::string> read_change(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::vector<std::string> known = train::config_keys();
  if (equals == std::string::npos || std::find(known.begin(), known.end(), key) == known.end()) {
    const std::string near = game::nearest_name(key, known);
    throw UsageError("'" + text + "' is not KEY=VALUE with a key of the configuration" +
                     (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
  return {key, text.substr(equals + 1)};
}

// NAME:KEY=VALUE,KEY=VALUE
train::Setting read_setting(const std::string& text) {
  const size_t colon = text.find(':');
  train::Setting setting{text.substr(0, colon), {}};
  if (colon == std::string::npos || setting.name.empty() || setting.name.find('/') != std::string::npos)
    throw UsageError("--setting '" + text + "': write NAME:KEY=VALUE,KEY=VALUE");
  for (size_t begin = colon + 1; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    setting.changes.push_back(read_change(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return setting;
}

train::Setting technique(const std::string& name) {
  std::vector<std::string> names;
  for (const train::Setting& known : train::techniques()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  const std::string near = game::nearest_name(name, names);
  throw UsageError("no technique '" + name + "'" +
                   (near.empty() ? ": see makzero ablate --list" : ": did you mean '" + near + "'?"));
}

int list_techniques() {
  for (const train::Setting& setting : train::techniques()) {
    std::cout << setting.name;
    for (const auto& [key, value] : setting.changes) std::cout << "  " << key << "=" << value;
    if (setting.rows != 1) std::cout << "  learning.rows_per_generation x" << setting.rows;
    if (setting.short_first) std::cout << "  learning.bootstrap_rows=learning.rows_per_generation";
    std::cout << "\n";
  }
  return 0;
}

int run_ablate(AblateRequest request, const CLI::App& app) {
  if (request.list) return list_techniques();
  train::AblationOptions& options = request.options;
  if (options.game.empty()) throw UsageError("name a game: makzero ablate makyek");
  const game::GamePtr game = game_or_usage_error(options.game);
  if (options.folder.empty()) options.folder = "runs/ablate-" + game->info().ruleset;
  for (const std::string& argument : app.remaining()) {
    if (!argument.starts_with("--")) throw UsageError("unknown argument '" + argument + "'");
    options.changes.push_back(read_change(argument.substr(2)));
  }
  for (const std::string& name : request.names) options.settings.push_back(technique(name));
  for (const std::string& text : request.own) options.settings.push_back(read_setting(text));
  if (options.settings.empty())
    options.settings.assign(train::techniques().begin() + 2, train::techniques().end());
  try {
    const auto results =
        train::ablate(options, stop_on_interrupt("\nfinishing the step; the same command goes on\n"),
                      [](const train::AblationProgress& now) {
                        std::cout << "--- " << now.setting << ", seed " << now.seed << ": run " << now.run
                                  << " of " << now.runs << std::endl;
                      });
    std::cout << train::ablation_table(results);
  } catch (const train::UsageError& error) {
    throw UsageError(error.what());
  }
  return 0;
}

}  // namespace

Run add_ablate(CLI::App* app) {
  auto request = std::make_shared<AblateRequest>();
  train::AblationOptions& options = request->options;
  app->allow_extras();
  app->add_option("GAME", options.game, "Game, with options if wanted")->type_name("");
  app->add_option("--preset", options.preset, "What the settings change (quick)")->type_name("NAME");
  app->add_option("--dir", options.folder, "Of all its runs; what it holds is kept (runs/ablate-GAME)")
      ->type_name("DIR");
  app->add_option("--technique", request->names, "Only these of the list; several are possible")
      ->type_name("NAME");
  app->add_option("--setting", request->own, "One of your own: NAME:KEY=VALUE,KEY=VALUE")->type_name("TEXT");
  add_number(app, "--evaluations", &options.evaluations, "Budget of self-play per run (1000000)", 1000,
             1'000'000'000'000);
  add_number(app, "--seeds", &options.seeds, "Runs per setting (2)", 1, 1000);
  add_number(app, "--games", &options.games, "Per run, against the preset's run of that seed (100)", 2,
             100'000);
  add_number(app, "--simulations", &options.simulations, "Of both networks in matches (32)", 1, 1'000'000);
  add_threads(app, &options.threads, "Of training and matches (one per core)");
  app->add_flag("--list", request->list, "List the techniques");
  app->footer(
      "Trains every setting under the same budget and seeds, plays it against the preset, and prints\n"
      "what it is worth: in Elo, and in evaluations by what a run with half of them loses.\n"
      "Ctrl-C stops; the same command goes on. DIR/table.md is the table so far.\n\n"
      "Examples:\n"
      "  makzero ablate makyek --technique gumbel-8 puct-200\n"
      "  makzero ablate makruk --setting wide:network.channels=96 --evaluations 2000000");
  return [request, app] { return run_ablate(*request, *app); };
}

}  // namespace makzero::play
