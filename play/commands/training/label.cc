// makzero label: positions of a small network's own games, with what its search says of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "game/catalog.h"
#include "models/error.h"
#include "models/small_network_file.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/distill/small_self_play.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

int run_label(train::SmallSelfPlayRequest request, const std::filesystem::path& file) {
  if (const auto rules = game::make_game(request.game); !rules) throw models::Error(rules.why());
  request.network = models::load_small_network(file, request.game);
  train::ProgressLine line;
  const auto show = [&](const train::SmallSelfPlayProgress& now) {
    line.show(fmt::format("{} of {} positions, {} games, {:.0f} a second, {} left", now.positions,
                          request.positions, now.games, now.positions / std::max(now.seconds, 1e-9),
                          train::duration_text(now.seconds_left)));
  };
  const train::SmallSelfPlayProgress done =
      train::play_small(request, show, stop_on_interrupt("\nstopping; what is finished is kept\n"));
  line.clear();
  std::cout << fmt::format(
      "{} positions of {} games in {:.0f} s: `makzero distill {} {} --to FILE` learns from them\n",
      done.positions, done.games, done.seconds, game::game_of(request.game), request.run.string());
  return 0;
}

}  // namespace

Run add_label(CLI::App* app) {
  auto request = std::make_shared<train::SmallSelfPlayRequest>();
  auto file = std::make_shared<std::filesystem::path>();
  app->add_option("GAME", request->game, "The game of the network, or one of its rulesets")
      ->required()
      ->type_name("");
  app->add_option("FILE", *file, "A small network of `makzero distill`")->required()->type_name("");
  app->add_option("--to", request->run, "Folder whose leaf log the positions are added to")
      ->required()
      ->type_name("RUN");
  add_number(app, "--positions", &request->positions, "How many (1000000)", 1, INT64_MAX);
  add_number(app, "--nodes", &request->nodes, "That each move is searched for (2500)", 1, 1'000'000'000);
  app->add_option("--result-weight", request->result_weight,
                  "Of the game's result in a position's value, beside the search's (0.3)")
      ->check(number_in(0.0, 1.0))
      ->type_name("X");
  add_number(app, "--seed", &request->seed, "Of openings and rules (1)", 0, UINT64_MAX / 1000 - 1);
  add_threads(app, &request->threads, "Games at a time");
  app->footer(
      "A small network learns first what a large one says of a position at a glance (`makzero distill`),\n"
      "then what its own search finds a few plies later, and how the game ended.\n\n"
      "Examples:\n"
      "  makzero distill makruk runs/chess --to first.mzc\n"
      "  makzero label makruk first.mzc --to runs/labelled\n"
      "  makzero distill makruk runs/chess runs/labelled --to second.mzc");
  return [request, file] { return run_label(*request, *file); };
}

}  // namespace makzero::play
