// makzero analysis: searches many positions at once, JSON lines in and out.
#include <iostream>
#include <memory>

#include "models/player/player_spec.h"
#include "play/analysis/analysis.h"
#include "play/commands/command.h"

namespace makzero::play {
namespace {

struct Options {
  std::string game, model;
  int visits = 400;
  bool schema = false;
  SearchPoolOptions pool;
};

int run_analysis(const Options& options) {
  if (options.schema) {
    std::cout << api_text();
    return 0;
  }
  if (!options.game.empty()) game_or_usage_error(options.game);
  AnalysisDefaults defaults{
      .game = options.game, .player = {}, .visits = options.visits, .version = MAKZERO_VERSION};
  defaults.player = [&](const std::string& name, const std::string& ruleset) {
    return models::choose_player(name.empty() ? options.model : name,
                                 {.ruleset = ruleset, .device = options.pool.backend.device});
  };
  Analysis(std::cin, std::cout, defaults, options.pool).run();
  return 0;
}

}  // namespace

Run add_analysis(CLI::App* app) {
  auto options = std::make_shared<Options>();
  app->add_option("GAME", options->game, "Of queries that name none")->type_name("");
  app->add_option("--model", options->model, "Of queries that name none: as of `makzero play` (auto)")
      ->type_name("WHO");
  add_number(app, "--visits", &options->visits,
             "Of a tower, of queries without a limit (400; small: 8 plies)", 1, 1'000'000'000);
  add_number(app, "--together", &options->pool.together, "Positions that are searched at once (16)", 1, 1024);
  add_number(app, "--threads", &options->pool.threads, "Of a network on a CPU (1)", 1, 1024);
  app->add_flag("--schema", options->schema, "Print the document of queries and results (OpenAPI) and end");
  add_backend(app, &options->pool.backend);
  app->footer(
      "A query a line on stdin, its result a line on stdout: QueryLine and AnswerLine of --schema say\n"
      "what they hold. Clients of KataGo's analysis engine are understood too. The end of the input\n"
      "waits for the last result.\n\n"
      "Examples:\n"
      "  echo '{\"id\": \"1\", \"game\": \"makyek\", \"moves\": [\"a3a5\"]}' | makzero analysis --model "
      "runs/makyek\n"
      "  makzero analysis makruk --model runs/makruk --together 64 < queries.jsonl > results.jsonl");
  return [options] { return run_analysis(*options); };
}

}  // namespace makzero::play
