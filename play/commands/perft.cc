// makzero perft: counts move sequences, per first move and in all.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "game/notation.h"
#include "game/perft.h"
#include "play/commands/command.h"

namespace makzero::play {
namespace {

struct PerftOptions {
  std::string ruleset;
  int depth = 0;
  std::optional<std::string> position;
};

int run_perft(const PerftOptions& options) {
  const game::GamePtr game = game_or_usage_error(options.ruleset);
  game::Position position = game->initial();
  if (options.position)
    position = value_or_usage_error(game::parse_position(*game, *options.position), "--position: ");
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t nodes = options.depth == 0 ? 1 : 0;
  if (options.depth > 0) {
    for (const auto& [move, leaves] : game::perft_divide(*game, position, options.depth)) {
      std::cout << game::move_text(*game, position, move) << ": " << leaves << "\n";
      nodes += leaves;
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  std::cout << "nodes " << nodes << std::endl;
  std::fprintf(stderr, "%.3f s, %.1f million nodes/s\n", spent.count(), 1e-6 * nodes / spent.count());
  return 0;
}

}  // namespace

Run add_perft(CLI::App* app) {
  auto options = std::make_shared<PerftOptions>();
  app->add_option("RULESET", options->ruleset, "Game, with options if wanted")->required()->type_name("");
  app->add_option("DEPTH", options->depth, "Plies")->required()->type_name("")->check(number_in(0, 99));
  // Not into the optional itself: an empty text would leave it empty.
  app->add_option_function<std::string>(
         "--position", [options](const std::string& text) { options->position = text; },
         "Where to start instead of the initial position")
      ->type_name("TEXT");
  app->footer(
      "Prints the count of each first move, then `nodes N`; time and speed go to stderr.\n\n"
      "Examples:\n"
      "  makzero perft makyek 5\n"
      "  makzero perft makyek:custodian=line 4\n"
      "  makzero perft makruk 3 --position 'k7/8/8/8/8/8/7R/K7 w - - 0 1'");
  return [options] { return run_perft(*options); };
}

}  // namespace makzero::play
