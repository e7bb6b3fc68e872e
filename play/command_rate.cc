// makzero rate: plays the ladder and the checkpoints of a run against each other and shows everybody's Elo.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "models/error.h"
#include "play/command.h"
#include "play/interrupt.h"
#include "train/rate.h"
#include "train/rating.h"

namespace makzero::play {
namespace {

struct RateRequest {
  std::string run;
  train::RateOptions options;
  bool show = false;
};

// The only run below runs/, when none is named.
std::filesystem::path only_run() {
  std::vector<std::filesystem::path> runs;
  if (std::filesystem::is_directory("runs")) {
    for (const auto& entry : std::filesystem::directory_iterator("runs")) {
      if (entry.is_directory()) runs.push_back(entry.path());
    }
  }
  if (runs.size() == 1) return runs.front();
  throw UsageError(runs.empty() ? "no run in runs/: name the folder of one"
                                : "several runs in runs/: name one of them");
}

void show_progress(const train::RateProgress& progress) {
  std::fprintf(stderr, "\rmatch %d of %d: %s v %s, %d of %d games      ", progress.pairing, progress.pairings,
               progress.a.c_str(), progress.b.c_str(), progress.match.score.games, progress.match.games);
}

int run_rate(const RateRequest& request) {
  const std::filesystem::path run = request.run.empty() ? only_run() : std::filesystem::path(request.run);
  if (!std::filesystem::is_directory(run)) throw models::Error(run, "no such run folder");
  if (request.show) {
    const train::RatingStore store(run);
    if (!store.rebuilt().empty()) std::cerr << "ratings made anew: " << store.rebuilt() << "\n";
    std::cout << train::ratings_table(store.ratings());
    return 0;
  }
  const bool live = isatty(STDERR_FILENO);
  const std::atomic<bool>& stop = stop_on_interrupt("\nstopping: finished games are kept\n");
  const std::vector<train::Rating> ratings =
      train::rate_run(run, request.options, [&](const train::RateProgress& progress) {
        if (live) show_progress(progress);
        return !stop;
      });
  if (live) std::fprintf(stderr, "\r%78s\r", "");
  std::cout << train::ratings_table(ratings);
  return 0;
}

}  // namespace

Run add_rate(CLI::App* app) {
  auto request = std::make_shared<RateRequest>();
  train::RateOptions& options = request->options;
  options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  app->add_option("RUN", request->run, "The run's folder (the only one in runs/)")->type_name("");
  app->add_option("--games", options.games, "Per pair of players; more narrow the intervals (20)")
      ->type_name("N")
      ->check(CLI::Range(2, 100'000).description(""));
  app->add_option("--checkpoints", options.checkpoints, "How many, spread over the generations (6)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  app->add_option("--simulations", options.simulations, "Of the networks per move (64)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""));
  app->add_option("--seed", options.seed, "Of openings and players (1)")->type_name("N");
  app->add_option("--threads", options.threads, "Games are spread over them (one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  app->add_option("--device", options.device, "Of networks: cpu or cuda (cpu)")->type_name("NAME");
  app->add_flag("--show", request->show, "Only show what is known, play nothing");
  app->footer(
      "Plays what the run's match records lack and prints Elo with 95 % intervals; `random` is 0.\n"
      "Ctrl-C keeps what is finished; the same command goes on.\n\n"
      "Examples:\n"
      "  makzero rate runs/makyek --games 40\n"
      "  makzero rate --show");
  return [request] { return run_rate(*request); };
}

}  // namespace makzero::play
