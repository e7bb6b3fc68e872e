// makzero distill: a small network from the leaf logs of runs.
#include "train/distill/distill.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/error.h"
#include "models/model.h"
#include "nn/machine.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

std::string progress_text(const train::DistillProgress& now) {
  return fmt::format("step {} of {}, {} leaves, loss {:.5f}, {} left", now.step, now.steps, now.leaves,
                     now.loss, train::duration_text(now.seconds_left));
}

void write(const std::filesystem::path& file, const mcts::SmallNetwork& network) {
  if (file.extension() != ".mzc") throw models::Error(file, "needs a name that ends in .mzc, as any model");
  models::Model model = models::make_model(network);
  model.manifest.set_commit(MAKZERO_VERSION);
  model.manifest.set_machine(nn::machine_text());
  models::write_model(file, model);
}

int write_control(const std::string& game, const std::filesystem::path& file) {
  write(file, mcts::material_small_network(game_or_usage_error(game)->info()));
  std::cout << file.string() << " counts material: with the same search the control of what learning adds\n";
  return 0;
}

int run_distill(const train::DistillRequest& request, const std::filesystem::path& file, bool json) {
  train::ProgressLine line;
  const train::DistillResult result = train::distill(
      request, [&](const train::DistillProgress& now) { line.show(progress_text(now)); },
      stop_on_interrupt("\nstopping; nothing is written\n"));
  line.clear();
  write(file, result.network);
  if (json) {
    std::cout << nlohmann::json{{"game", result.network.game}, {"source", result.network.source},
                                {"leaves", result.leaves},     {"held_out", result.held_out},
                                {"loss", result.loss},         {"held_out_loss", result.held_out_loss},
                                {"entropy", result.entropy},   {"steps", request.steps},
                                {"seconds", result.seconds},   {"file", file.string()}}
                     .dump()
              << "\n";
    return 0;
  }
  std::cout << fmt::format(
      "{} leaves, {} steps of {}, {:.0f} s: loss {:.5f}, on {} held-out leaves {:.5f}, of which the targets "
      "themselves {:.5f}\n{} is the small network: `makzero match {} --a {}?ms=100 --b alphabeta?ms=100`\n",
      result.leaves, request.steps, request.batch, result.seconds, result.loss, result.held_out,
      result.held_out_loss, result.entropy, file.string(), request.game, file.string());
  return 0;
}

}  // namespace

Run add_distill(CLI::App* app) {
  auto request = std::make_shared<train::DistillRequest>();
  auto file = std::make_shared<std::filesystem::path>();
  auto json = std::make_shared<bool>(false), control = std::make_shared<bool>(false);
  app->add_option("GAME", request->game, "Whose rulesets it will play")->required()->type_name("");
  app->add_option("RUN", request->runs, "Runs with a leaf log, the newest last; they are only read")
      ->type_name("");
  app->add_option("--to", *file, "The file to write")->required()->type_name("FILE");
  add_number(app, "--steps", &request->steps, "Optimiser steps (20000)", 1, 1'000'000'000);
  add_number(app, "--batch", &request->batch, "Leaves of a step (4096)", 1, 1 << 20);
  add_number(app, "--leaves", &request->most_leaves, "At most so many, the newest (60000000)", 1,
             std::size_t{1} << 32);
  app->add_option("--learning-rate", request->learning_rate, "Of Adam at the start; it falls to 0 (0.002)")
      ->check(above_zero())
      ->type_name("X");
  add_seed(app, &request->seed, "Of weights and samples (1)");
  app->add_flag("--control", *control, "Instead a network that has learnt nothing and counts material");
  app->add_flag("--json", *json, "The result as one line of JSON");
  app->footer(
      "A small network has one hidden layer and says what a position is worth, as networks of the runs did\n"
      "in their leaf logs (`makzero train ... --leaf_log.on=true`). Alpha-beta searches thousands of its\n"
      "positions for one of a large network. It is a player of matches: FILE:DEPTH or FILE?ms=100.\n\n"
      "Examples:\n"
      "  makzero distill makruk runs/chess --to makruk.mzc\n"
      "  makzero match makruk --a 'makruk.mzc?ms=100' --b 'zoo?ms=100'");
  return [request, file, json, control] {
    if (*control) return write_control(request->game, *file);
    if (request->runs.empty()) throw UsageError("name a run with a leaf log, or --control");
    return run_distill(*request, *file, *json);
  };
}

}  // namespace makzero::play
