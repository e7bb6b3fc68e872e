// makzero publish: gives a network its place in the zoo, or checks that the zoo still is as published.
#include <filesystem>
#include <iostream>
#include <memory>

#include "models/error.h"
#include "models/player/player_spec.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/ledger.h"
#include "train/run/progress_line.h"
#include "train/zoo/model_card.h"
#include "train/zoo/publish.h"

namespace makzero::play {
namespace {

struct PublishRequest {
  std::string what;
  std::string zoo;  // Empty: models/zoo; of a check that of this program.
  std::vector<std::string> opponents;
  train::PublishOptions options;
  bool check = false;
};

// An entry of a zoo, a zoo, or the zoo of this program.
int run_check(const std::string& what) {
  const bool entry = !what.empty() && std::filesystem::exists(models::ZooEntry{what}.network());
  const models::Zoo zoo = what.empty() ? models::Zoo::standard() : models::Zoo(what);
  if (!entry && zoo.entries().empty())
    throw models::Error(zoo.folder(), "holds no network: name a zoo, as models/zoo, or a folder in it");
  const std::vector<std::string> lines =
      entry ? train::check_entry({std::filesystem::canonical(what)}) : train::check_zoo(zoo);
  for (const std::string& line : lines) std::cout << line << "\n";
  if (lines.empty()) std::cout << (entry ? what : zoo.folder().string()) << ": all is as published\n";
  return lines.empty() ? 0 : 1;
}

// A checkpoint of a run must be the one that the run has told of, and stays there from now on.
void require_told(const std::filesystem::path& checkpoint, const std::string& zoo) {
  const std::filesystem::path file = std::filesystem::absolute(checkpoint).lexically_normal();
  const std::filesystem::path run = train::run_of(file);
  if (run.empty()) return;
  train::require_accounted(train::ledger_faults(run, train::LedgerDepth::kQuick), file);
  train::keep_checkpoint(file, "published in " + zoo);
}

int run_publish(const PublishRequest& request) {
  if (request.check && !request.zoo.empty() && !request.what.empty())
    throw UsageError("--check compares one of them: leave out --zoo or " + request.what);
  if (request.check) return run_check(request.what.empty() ? request.zoo : request.what);
  if (request.what.empty()) throw UsageError("name a run or a model, or --check");
  train::PublishOptions options = request.options;
  if (!request.opponents.empty()) options.opponents = request.opponents;
  const models::Zoo zoo(request.zoo.empty() ? "models/zoo" : request.zoo);
  train::ProgressLine line;
  options.match.stop =
      stop_on_interrupt("\nstopping: the finished games are kept, the same command goes on\n");
  const std::filesystem::path network = models::find_checkpoint(request.what);
  require_told(network, zoo.folder().string());
  const bool done =
      train::publish(network, zoo, options, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (!done) return 1;
  std::cout << "published; `makzero publish --check " << zoo.folder().string()
            << "` compares it with what is there\n";
  return 0;
}

}  // namespace

Run add_publish(CLI::App* app) {
  auto request = std::make_shared<PublishRequest>();
  train::PublishOptions& options = request->options;
  app->add_option("WHAT", request->what, "A run or a model; with --check a zoo or its entry")->type_name("");
  app->add_option("--zoo", request->zoo, "The zoo whose entry GAME and page are written (models/zoo)")
      ->type_name("DIR");
  app->add_option("--opponent", request->opponents, "May be given again (random and alphabeta:3)")
      ->type_name("PLAYER")
      ->expected(1)
      ->take_all();
  add_number(app, "--games", &options.match.games, "Against each, those on record included (200)", 2,
             100'000);
  add_number(app, "--simulations", &options.simulations, "Of the network per move (64)", 1, 1'000'000);
  app->add_option_function<int>(
         "--ms", [request](int time) { request->options.time = std::chrono::milliseconds(time); },
         "Processor time of the network per move instead (of a small network 100)")
      ->type_name("N")
      ->check(number_in(1, 1'000'000));
  app->add_flag("--small", options.small, "Matches of the small network of a model that has a tower, too");
  add_threads(app, &options.match.threads, "Games are spread over them (one per core)");
  add_backend(app, &options.match.backend);
  app->add_flag("--check", request->check, "Only compare what is published with what is there");
  app->footer(
      "Plays the matches that are not on record, then writes ZOO/GAME and ZOO/README.md. A tower and a\n"
      "small network of one game share the entry: each stays until another takes its place. Further\n"
      "matches of the same network join those that are published, further games of a match those in\n"
      "ZOO/matches. After Ctrl-C the same command goes on.\n\n"
      "Examples:\n"
      "  makzero publish runs/makyek\n"
      "  makzero publish models/zoo/makruk/network.mzc --opponent alphabeta:5 --simulations 400\n"
      "  makzero publish rek.mzc --opponent 'material?ms=100' --games 100\n"
      "  makzero publish --check");
  return [request] { return run_publish(*request); };
}

}  // namespace makzero::play
