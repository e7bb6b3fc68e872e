// makzero rate: plays the ladder and the checkpoints of a run against each other and shows everybody's Elo.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "game/plain_text.h"
#include "models/error.h"
#include "models/model.h"
#include "models/store.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/played_game.h"
#include "train/rating/rate.h"
#include "train/rating/rating.h"
#include "train/run/ledger.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

struct RateRequest {
  std::vector<std::filesystem::path> runs;
  train::RateOptions options;
  std::string opponents;  // With commas; empty: the ladder.
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

// A run's name beside others: its folder.
std::string run_name(const std::filesystem::path& run) {
  return std::filesystem::weakly_canonical(run).filename().string();
}

// By their ids the networks of these runs as people know them: "makyek, generation 12".
std::map<std::string, std::string> network_names(const std::vector<std::filesystem::path>& runs) {
  std::map<std::string, std::string> names;
  for (const std::filesystem::path& run : runs) {
    for (const models::StoredCheckpoint& stored : models::CheckpointStore(run / "checkpoints").list()) {
      names[models::id_of(models::read_manifest(stored.path))] =
          run_name(run) + ", generation " + std::to_string(stored.generation);
    }
  }
  return names;
}

// The ratings with the networks' ids replaced: "makyek, generation 12 :64" of "3c4b2901f45b:64".
std::vector<train::Rating> with_network_names(const std::map<std::string, std::string>& names,
                                              std::vector<train::Rating> ratings) {
  for (train::Rating& rating : ratings) {
    const size_t end = std::min(rating.player.find_first_of(":?+"), rating.player.size());
    const auto found = names.find(rating.player.substr(0, end));
    if (found != names.end()) rating.player = found->second + " " + rating.player.substr(end);
  }
  return ratings;
}

std::string named_table(const std::vector<std::filesystem::path>& runs,
                        const std::vector<train::Rating>& by_rules,
                        const std::vector<train::Rating>& by_material) {
  const std::map<std::string, std::string> names = network_names(runs);
  return train::ratings_table(with_network_names(names, by_rules), with_network_names(names, by_material));
}

// A line per checkpoint: who is who in the table of ratings.
void print_runs(const train::RatedRuns& rated) {
  print(std::cout, "\n%-16s  %-10s  %12s  player\n", "run", "generation", "evaluations");
  for (const train::RatedRun& run : rated.runs) {
    for (const train::RatedCheckpoint& checkpoint : run.checkpoints) {
      print(std::cout, "%-16s  %10lld  %12lld  %s\n", run_name(run.run).c_str(),
            static_cast<long long>(checkpoint.generation), static_cast<long long>(checkpoint.evaluations),
            checkpoint.player.c_str());
    }
  }
}

int show_ratings(const RateRequest& request) {
  for (const std::filesystem::path& run : request.runs) {
    const std::vector<std::filesystem::path> folders = train::match_folders(run);
    for (const std::filesystem::path& folder : folders) {
      const train::RatingStore store(folder);
      if (request.runs.size() * folders.size() > 1) std::cout << folder.string() << "\n";
      std::cout << named_table({run}, store.ratings(), store.ratings(train::Scoring::kMaterial));
    }
  }
  return 0;
}

// Ratings of a part of the matches are no ratings; of other losses a line.
void require_matches(const std::filesystem::path& run) {
  const auto faults = train::ledger_faults(run, train::LedgerDepth::kQuick);
  train::require_accounted(faults, run / "matches.mzm");
  for (const train::LedgerFault& fault : faults)
    std::cerr << fault.file.string() << ": " << fault.what << "; see `makzero fsck`\n";
}

void say_left_out(const game::GameInfo& game) {
  for (const std::string& player : train::rating_ladder(game).left_out)
    std::cerr << "left out of the ladder, its program is not installed: " << player << "\n";
}

int run_rate(RateRequest request) {
  if (request.runs.empty()) request.runs = {only_run()};
  for (const std::filesystem::path& run : request.runs) {
    if (!std::filesystem::is_directory(run)) throw models::Error(run, "no such run folder");
    require_matches(run);
  }
  if (request.show) return show_ratings(request);
  for (const std::filesystem::path& run : request.runs) {
    if (!train::RatingStore(run).keeps())
      std::cerr << run.string() << ": the folder is read-only, the games are counted and not kept\n";
  }
  for (const std::string_view opponent : game::split(request.opponents, ','))
    if (!opponent.empty()) request.options.opponents.emplace_back(opponent);
  train::ProgressLine line;
  request.options.match.stop = stop_on_interrupt("\nstopping: finished games are kept\n");
  const train::RatedRuns rated =
      train::rate_runs(request.runs, request.options, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (request.options.opponents.empty()) say_left_out(rated.game->info());
  const bool custodial = !is_chess(rated.game->info());
  std::cout << named_table(request.runs, rated.by_rules,
                           custodial ? rated.by_material : std::vector<train::Rating>{})
            << std::flush;
  print_runs(rated);
  return 0;
}

}  // namespace

Run add_rate(CLI::App* app) {
  auto request = std::make_shared<RateRequest>();
  train::RateOptions& options = request->options;
  app->add_option("RUN", request->runs, "Folders of runs of one game (the only one in runs/)")->type_name("");
  add_number(app, "--games", &options.match.games, "Per pair of players; more narrow the intervals (20)", 2,
             100'000);
  add_number(app, "--checkpoints", &options.checkpoints, "Of each run, spread evenly in log evaluations (6)",
             1, 1000);
  add_number(app, "--simulations", &options.simulations, "Of the networks per move (64)", 1, 1'000'000);
  app->add_option("--opponents", request->opponents, "From weak to strong (the ladder of the game)")
      ->type_name("PLAYER,...");
  add_seed(app, &options.match.seed, "Of openings and players (1)");
  add_threads(app, &options.match.threads, "Games are spread over them (one per core)");
  add_backend(app, &options.match.backend);
  app->add_flag("--show", request->show, "Only show what is known, play nothing");
  app->footer(
      "Plays what the runs' match records lack and prints Elo with 95 % intervals; `random` is 0. In\n"
      "the custodial games it also stands by material: a drawn game goes to the side that has taken more.\n"
      "Makruk meets Fairy-Max and Fairy-Stockfish where installed. Ctrl-C keeps what is finished.\n\n"
      "Examples:\n"
      "  makzero rate runs/makyek --games 40\n"
      "  makzero rate runs/makyek runs/plain --checkpoints 8\n"
      "  makzero rate --show");
  return [request] { return run_rate(*request); };
}

}  // namespace makzero::play
