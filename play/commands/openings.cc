// makzero openings: a book of level openings for matches.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "models/file_io.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/match/opening_maker.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

struct OpeningsCommand {
  std::string game, judge = "small?nodes=200000";
  std::filesystem::path file;
  std::vector<std::string> avoided;  // Files.
  bool exam = false;
  train::OpeningRequest request;
};

int run_openings(OpeningsCommand command) {
  const game::GamePtr game = game_or_usage_error(command.game);
  const std::string& ruleset = game->info().ruleset;
  train::OpeningRequest& request = command.request;
  request.judge = limited_player_or_usage_error("--judge", command.judge,
                                                {.ruleset = ruleset, .device = request.backend.device});
  for (const std::string& file : command.avoided) {
    const auto book =
        value_or_usage_error(train::parse_openings(*game, models::read_given_text(file), file), "--avoid: ");
    request.avoided.merge(train::ends_of(*game, book.openings));
  }
  models::require_place(command.file);
  request.stop = stop_on_interrupt("\nstopping: nothing is written\n");
  train::ProgressLine line;
  const auto openings = train::make_openings(*game, request, [&](int made, int drawn) {
    line.show(fmt::format("{} of {} openings, {} drawn", made, request.openings, drawn));
  });
  line.clear();
  if (request.stop.stop_requested()) return 1;
  const std::string about =
      fmt::format("{} openings of {} random plies (seed {}), level within {:.2f} by {}", openings.size(),
                  request.plies, request.seed, request.most_expected, request.judge.name());
  models::write_text_file(command.file, train::openings_text(*game, {openings, command.exam}, about));
  std::cout << about << ", written to " << command.file.string() << "\n";
  return 0;
}

}  // namespace

Run add_openings(CLI::App* app) {
  auto command = std::make_shared<OpeningsCommand>();
  train::OpeningRequest& request = command->request;
  app->add_option("GAME", command->game, "Game, with options if wanted")->required()->type_name("");
  app->add_option("--to", command->file, "File for them, a line each")->required()->type_name("FILE");
  add_number(app, "--openings", &request.openings, "How many (500)", 1, 100'000);
  add_number(app, "--plies", &request.plies, "Random moves of each (8)", 1, 100);
  app->add_option("--judge", command->judge, "Whose search finds them level (small?nodes=200000)")
      ->type_name("PLAYER");
  add_number(app, "--level", &request.most_expected, "Most that either side may be ahead, 0 to 1 (0.15)", 0,
             1);
  app->add_option("--avoid", command->avoided, "Books whose positions are not to come up")
      ->type_name("LIST")
      ->delimiter(',');
  app->add_flag("--exam", command->exam, "Mark them as an exam: `match` reads them with --exam alone");
  add_seed(app, &request.seed, "Of the moves (1)");
  add_backend(app, &request.backend);
  app->footer(
      "Examples:\n"
      "  makzero openings makruk --to makruk.txt\n"
      "  makzero openings makruk --exam --seed 2 --avoid makruk.txt --to makruk-exam.txt");
  return [command] { return run_openings(*command); };
}

}  // namespace makzero::play
