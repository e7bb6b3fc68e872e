#include "train/match/search_players.h"

#include <cassert>
#include <stdexcept>
#include <utility>

#include "mcts/lockstep.h"
#include "mcts/material_evaluator.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/sample_move.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "nn/evaluators/caching_evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "train/match/timed_players.h"

namespace makzero::train {

namespace {

// Successive moves of a game meet the same positions again; 32768 entries hold those of a full batch of
// games.
constexpr size_t kCacheEntries = 1 << 15;

// The best move of a search without noise.
mcts::SearchOptions match_options(int simulations, mcts::SearchOptions options) {
  options.simulations = simulations;
  options.max_considered_actions = 0;
  options.gumbel_scale = 0;
  return options;
}

mcts::SearchOptions rollout_options(int simulations) {
  mcts::SearchOptions options;
  options.algorithm = mcts::SearchAlgorithm::kPuct;  // Without priors Gumbel would drop most moves unseen.
  options.simulations = simulations;
  return options;
}

// What a player that searches is given.
struct SearchStrength {
  int simulations = 0;
  float temperature = 0;
  std::optional<std::chrono::milliseconds> time = {};
};

// `constants`: see models::search_options().
std::unique_ptr<Player> make_search_player(const game::Game& game, const SearchStrength& strength,
                                           std::unique_ptr<mcts::Evaluator> evaluator,
                                           const mcts::SearchOptions& constants = {}) {
  const mcts::SearchOptions options = match_options(strength.simulations, constants);
  if (strength.time)
    return std::make_unique<TimedSearchPlayer>(game, options, std::move(evaluator), MoveTime{*strength.time});
  return std::make_unique<SearchPlayer>(game, options, std::move(evaluator), strength.temperature);
}

}  // namespace

SearchPlayer::SearchPlayer(const game::Game& game, const mcts::SearchOptions& options,
                           std::unique_ptr<mcts::Evaluator> evaluator, float temperature)
    : game_(game), options_(options), evaluator_(std::move(evaluator)), temperature_(temperature) {}

void SearchPlayer::choose(std::span<const Turn> turns, std::span<game::Move> moves) {
  assert(turns.size() == moves.size());
  std::vector<mcts::Search> searches;
  searches.reserve(turns.size());
  for (const Turn& turn : turns) {
    searches.emplace_back(game_, options_, turn.seed).set_root(*turn.position, *turn.history);
  }

  mcts::Lockstep lockstep;
  do {
    lockstep.step(evaluator_.get());
    for (mcts::Search& search : searches) lockstep.gather(&search);
  } while (!lockstep.empty());
  for (size_t i = 0; i < turns.size(); ++i) {
    const mcts::SearchResult result = searches[i].result();
    mcts::Rng rng(turns[i].seed);
    moves[i] = temperature_ > 0 ? mcts::sample_move(result.moves, temperature_, &rng) : result.best;
  }
}

RolloutPlayer::RolloutPlayer(const game::Game& game, int simulations)
    : game_(game), options_(rollout_options(simulations)) {}

void RolloutPlayer::choose(std::span<const Turn> turns, std::span<game::Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    mcts::RolloutEvaluator rollouts(mcts::RolloutOptions{}, turns[i].seed);
    mcts::Search search(game_, options_, turns[i].seed);
    search.set_root(*turns[i].position, *turns[i].history);
    moves[i] = run_search(&search, &rollouts).best;
  }
}

std::unique_ptr<Player> make_rollout_player(const game::Game& game, int simulations,
                                            std::optional<std::chrono::milliseconds> time) {
  if (!time) return std::make_unique<RolloutPlayer>(game, simulations);
  auto rollouts = std::make_unique<mcts::RolloutEvaluator>(mcts::RolloutOptions{}, 1);
  return std::make_unique<TimedSearchPlayer>(game, rollout_options(1), std::move(rollouts), MoveTime{*time});
}

std::unique_ptr<Player> make_material_player(const game::Game& game, int simulations,
                                             std::optional<std::chrono::milliseconds> time) {
  return make_search_player(game, {.simulations = simulations, .time = time},
                            std::make_unique<mcts::MaterialEvaluator>());
}

std::unique_ptr<Player> make_network_player(const game::Game& game, const PlayerSpec::Network& network,
                                            std::optional<std::chrono::milliseconds> time,
                                            const nn::Backend& backend) {
  models::Checkpoint checkpoint = models::read_checkpoint(network.checkpoint);
  if (network.material) checkpoint.manifest.set_material_blend_weight(*network.material);
  try {
    auto evaluator = models::make_search_evaluator(
        game, checkpoint, {.device = backend.device, .precision = backend.precision});
    return make_search_player(game, {network.simulations, network.temperature, time},
                              std::make_unique<nn::CachingEvaluator>(std::move(evaluator), kCacheEntries),
                              models::search_options(checkpoint.manifest));
  } catch (const models::Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw models::Error(network.checkpoint, error.what());
  }
}

}  // namespace makzero::train
