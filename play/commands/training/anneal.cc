// makzero anneal: lets the learning rate of a copy of a run fall to 0 and writes the network.
#include "train/run/anneal.h"

#include <iostream>
#include <memory>

#include "models/file_io.h"
#include "nn/system.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"

namespace makzero::play {
namespace {

int run_anneal(const train::AnnealRequest& request) {
  if (!request.network.empty()) models::require_place(request.network);
  train::Display display(&std::cout, nn::is_terminal(1));
  const train::AnnealResult result =
      train::anneal(request, &display, stop_on_interrupt("\nstopping; nothing is written\n"));
  const auto steps = static_cast<long long>(result.steps);
  if (result.before[nn::Head::kPolicy] == 0) {
    print(std::cout, "%lld steps; no games are held out: the losses are not known\n", steps);
  } else {
    print(std::cout, "%lld steps; held-out losses: policy %.4f -> %.4f, value %.4f -> %.4f\n", steps,
          result.before[nn::Head::kPolicy], result.after[nn::Head::kPolicy], result.before[nn::Head::kValue],
          result.after[nn::Head::kValue]);
  }
  print(std::cout, "%s\nmakzero publish %s plays its matches and puts it into the zoo\n",
        result.network.c_str(), result.network.c_str());
  return 0;
}

}  // namespace

Run add_anneal(CLI::App* app) {
  auto request = std::make_shared<train::AnnealRequest>();
  app->add_option("RUN", request->run, "The run's folder; it is only read and may go on")
      ->required()
      ->type_name("");
  app->add_option("--share", request->share, "Optimiser steps, as a share of the run's so far (0.15)")
      ->check(number_in(0.001, 10.0))
      ->type_name("X");
  app->add_option("--to", request->network, "The checkpoint to write (RUN/annealed/GENERATION.mzc)")
      ->type_name("FILE");
  app->footer(
      "The learning rate of a run without a budget stays constant, so that it has no end. A network is "
      "worth\n"
      "more once the rate has fallen to 0: this does so in a copy, on the games of the run's window.\n\n"
      "Examples:\n"
      "  makzero anneal runs/custodial\n"
      "  makzero anneal runs/makyek --share 0.3 --to makyek.mzc");
  return [request] { return run_anneal(*request); };
}

}  // namespace makzero::play
