// makzero fit: fits a new network to the stored games of a run and prints its losses.
#include "train/run/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/file_io.h"
#include "nn/system.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/commands/training/config_flags.h"

namespace makzero::play {
namespace {

constexpr const char* kNoHeldOut = "no games: a larger --replay.validation_share holds some out";

// Null where they are of no rows: a policy's loss is greater than 0.
nlohmann::json losses_json(const nn::Losses& losses) {
  if (losses[nn::Head::kPolicy] == 0) return nullptr;
  nlohmann::json json = {{"total", losses.total}, {"policy_entropy", losses.policy_entropy}};
  for (const nn::HeadInfo& info : nn::kHeads) json[std::string(info.name)] = losses[info.head];
  return json;
}

void print_json(const train::FitRequest& request, const train::FitResult& result) {
  const train::LearningConfig& learning = result.config.learning();
  std::cout << nlohmann::json{{"run", request.run.string()},
                              {"game", result.config.game()},
                              {"blocks", result.architecture.blocks},
                              {"channels", result.architecture.channels},
                              {"weight_decay", learning.weight_decay()},
                              {"learning_rate", learning.learning_rate()},
                              {"batch", learning.batch()},
                              {"steps", request.steps},
                              {"decay_share", request.decay_share},
                              {"games", result.games},
                              {"seconds", result.seconds},
                              {"learning", losses_json(result.learning)},
                              {"validation", losses_json(result.validation)}}
                   .dump()
            << "\n";
}

void print_table(const train::FitRequest& request, const train::FitResult& result) {
  std::cout << fmt::format("{}x{}, {} steps of {} rows on {} games, {:.0f} s\n", result.architecture.blocks,
                           result.architecture.channels, request.steps, result.config.learning().batch(),
                           result.games, result.seconds);
  std::cout << "loss      ";
  for (const nn::HeadInfo& info : nn::kHeads) {
    std::string name(info.name);
    std::ranges::replace(name, '_', ' ');
    std::cout << fmt::format(" {:>10}", name);
  }
  for (const auto& [name, losses] :
       {std::pair{"learning", result.learning}, {"held out", result.validation}}) {
    std::cout << fmt::format("\n{:<10}", name);
    if (losses[nn::Head::kPolicy] == 0) {
      std::cout << "  " << kNoHeldOut;
      break;
    }
    for (const nn::HeadInfo& info : nn::kHeads) std::cout << fmt::format(" {:10.4f}", losses[info.head]);
  }
  std::cout << "\n";
}

void print_json(const train::FitRequest& request, const train::SmallFitResult& result) {
  const train::LearningConfig& learning = result.config.learning();
  const auto held_out = [&](double loss) {
    return result.losses.validation == 0 ? nlohmann::json() : nlohmann::json(loss);
  };
  std::cout << nlohmann::json{{"run", request.run.string()},
                              {"game", result.config.game()},
                              {"learning_rate", learning.small_learning_rate()},
                              {"weight_decay", learning.small_weight_decay()},
                              {"lambda", learning.small_lambda()},
                              {"steps", request.steps},
                              {"seconds", result.seconds},
                              {"learning", result.losses.learning},
                              {"validation", held_out(result.losses.validation)},
                              {"entropy", held_out(result.losses.entropy)}}
                   .dump()
            << "\n";
}

void print_table(const train::FitRequest& request, const train::SmallFitResult& result) {
  const train::SmallLosses& losses = result.losses;
  const std::string held_out = losses.validation == 0
                                   ? kNoHeldOut
                                   : fmt::format("{:.4f} (least {:.4f})", losses.validation, losses.entropy);
  std::cout << fmt::format(
      "small networks of {}, {} steps, {:.0f} s\nloss       learning {:.4f}, held out {}\n",
      result.config.game(), request.steps, result.seconds, losses.learning, held_out);
}

int run_fit(train::FitRequest request, bool small, bool json, const CLI::App& app) {
  request.changes = read_overrides(app);
  if (!request.network.empty()) models::require_place(request.network);
  train::Display display(&std::cerr, nn::is_terminal(2));
  const std::stop_token stop = stop_on_interrupt("\nstopping; nothing is written\n");
  const auto print = [&](const auto& result) {
    if (json)
      print_json(request, result);
    else
      print_table(request, result);
  };
  if (small)
    print(train::fit_small(request, &display, stop));
  else
    print(train::fit(request, &display, stop));
  return 0;
}

}  // namespace

Run add_fit(CLI::App* app) {
  auto request = std::make_shared<train::FitRequest>();
  auto small = std::make_shared<bool>(false);
  auto json = std::make_shared<bool>(false);
  app->allow_extras();
  app->add_option("RUN", request->run, "The run's folder; it is only read and may go on")
      ->required()
      ->type_name("");
  add_number(app, "--steps", &request->steps, "Optimiser steps (3000)", 1, 1'000'000'000);
  app->add_option("--decay-share", request->decay_share,
                  "Last share of the steps, in which the rate falls to 0 (0.25)")
      ->check(number_in(0.0, 1.0))
      ->type_name("X");
  app->add_option("--to", request->network, "Write the network as this checkpoint")->type_name("FILE");
  app->add_flag("--small", *small, "Fit small networks to the run's games of alpha-beta instead");
  app->add_flag("--json", *json, "The result as one line of JSON");
  app->footer(
      "Compares networks and learning options without new games: the network begins with random weights and\n"
      "learns from the run's window. Any key of the configuration is a flag: --KEY=VALUE. Fits with equal\n"
      "seed, batch and steps see the same rows. A small network's rate falls over all steps.\n\n"
      "Examples:\n"
      "  makzero fit runs/custodial --network.blocks=6 --network.channels=64 --to 6x64.mzc\n"
      "  makzero fit runs/makruk --learning.weight_decay=0.05 --replay.validation_share=0.1\n"
      "  makzero fit runs/makruk --small --learning.small_lambda=0.5 --to small.mzc");
  return [request, small, json, app] { return run_fit(*request, *small, *json, *app); };
}

}  // namespace makzero::play
