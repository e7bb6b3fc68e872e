// Leaves that one tree search hands out at once, where a card takes many: their mean a batch, with a tower,
// and the share of them that the tree has met on another way.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "game/catalog.h"
#include "mcts/lockstep.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "models/model.h"

namespace makzero {
namespace {

struct Options {
  std::string network, ruleset;
  int visits = 2000, asked = 128, collisions = 1024, positions = 3, plies = 4;
  bool puct = false;
};

// A position after random moves.
void play_random(const game::Game& game, int plies, mcts::Rng* rng, game::Position* position,
                 game::History* history) {
  game::MoveList legal;
  for (int ply = 0; ply < plies; ++ply) {
    game.legal_moves(*position, &legal);
    if (game.outcome(*position, !legal.empty(), history->occurrences()).over()) return;
    game.apply(legal[static_cast<int>(rng->below(legal.size()))], position);
    history->push(*position);
  }
}

void measure(const Options& options) {
  const auto made = game::make_game(options.ruleset);
  if (!made) throw std::runtime_error(made.why());
  const game::Game& game = **made;
  const auto model = models::read_model(options.network);
  const auto evaluator = models::make_search_evaluator(game, model, {.max_batch = options.asked});
  mcts::SearchOptions search_options = models::search_options(model.manifest);
  search_options.algorithm = options.puct ? mcts::SearchAlgorithm::kPuct : mcts::SearchAlgorithm::kGumbel;
  search_options.simulations = options.visits;
  search_options.max_considered_actions = 0;
  search_options.gumbel_scale = 0;
  mcts::Rng rng(1);
  mcts::Lockstep lockstep;
  double leaves = 0, batches = 0, met_again = 0;
  for (int i = 0; i < options.positions; ++i) {
    game::Position position = game.initial();
    game::History history(position);
    play_random(game, options.plies, &rng, &position, &history);
    mcts::Search search(game, search_options, 1);
    search.set_root(position, history);
    std::unordered_set<std::uint64_t> met;
    while (!search.done()) {
      const int gathered = lockstep.gather(&search, options.asked, options.collisions);
      if (gathered == 0) break;
      for (const mcts::EvalRequest& request : lockstep.requests())
        met_again += !met.insert(game::evaluation_key(*request.position)).second;
      lockstep.step(evaluator.get());
      leaves += gathered;
      batches += 1;
    }
  }
  std::printf("%s: %d visits, %d leaves asked for: %.1f a batch, %.1f %% met again in the tree\n",
              options.ruleset.c_str(), options.visits, options.asked, leaves / batches,
              100 * met_again / leaves);
}

}  // namespace
}  // namespace makzero

int main(int argc, char** argv) try {
  makzero::Options options;
  CLI::App app("Leaves that a tree search hands out at once");
  app.add_option("NETWORK", options.network, "A tower, models/zoo/chess/network.mzc")->required();
  app.add_option("GAME", options.ruleset)->required();
  app.add_option("--visits", options.visits, "Of a search")->check(CLI::PositiveNumber);
  app.add_option("--asked", options.asked, "Leaves of a batch, at most")->check(CLI::PositiveNumber);
  app.add_option("--collisions", options.collisions,
                 "Descents of a batch to leaves that wait already, at most");
  app.add_option("--positions", options.positions, "That are searched")->check(CLI::PositiveNumber);
  app.add_option("--plies", options.plies, "Random ones before each");
  app.add_flag("--puct", options.puct);
  CLI11_PARSE(app, argc, argv);
  makzero::measure(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "leaves_bench: %s\n", error.what());
  return 1;
}
