// makzero rate: the Elo of everybody who played a rated game in a run.
#include <filesystem>
#include <iostream>
#include <memory>

#include "models/error.h"
#include "play/command.h"
#include "train/rating.h"

namespace makzero::play {
namespace {

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

int run_rate(const std::string& folder) {
  const std::filesystem::path run = folder.empty() ? only_run() : std::filesystem::path(folder);
  if (!std::filesystem::is_directory(run)) throw models::Error(run, "no such run folder");
  const train::RatingStore store(run);
  if (!store.rebuilt().empty())
    std::cerr << "ratings rebuilt from the match records: " << store.rebuilt() << "\n";
  const std::vector<train::Rating> ratings = store.ratings();
  if (ratings.empty()) {
    std::cout << "No rated game in " << run.string() << " yet: training plays them beside the loop.\n";
    return 0;
  }
  std::cout << train::ratings_table(ratings);
  return 0;
}

}  // namespace

Run add_rate(CLI::App* app) {
  auto folder = std::make_shared<std::string>();
  app->add_option("RUN", *folder, "The run's folder (the only one in runs/)")->type_name("");
  app->footer(
      "Elo with 95 % intervals over all rated games of the run; `random` stands at 0. A lost or damaged\n"
      "database is made anew from the match records.\n\n"
      "Examples:\n"
      "  makzero rate\n"
      "  makzero rate runs/makyek");
  return [folder] { return run_rate(*folder); };
}

}  // namespace makzero::play
