// Players that search with an evaluator, all their games together: networks and random rollouts.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "train/match/player.h"

namespace makzero::train {

// The move of a search in a new tree per turn: the best, or with a temperature one drawn by
// mcts::sample_move. The searches of all turns run in lockstep: each gathers a leaf, one call evaluates them
// all.
class SearchPlayer : public Player {
 public:
  // The evaluator must give the same answer whatever else is in the batch.
  SearchPlayer(const game::Game& game, const mcts::SearchOptions& options,
               std::unique_ptr<mcts::Evaluator> evaluator, float temperature = 0);

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;
  int batch() const override { return 64; }

 private:
  const game::Game& game_;
  mcts::SearchOptions options_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
  float temperature_;
};

// A tree search whose leaves are valued by random games: what search alone can do.
class RolloutPlayer : public Player {
 public:
  RolloutPlayer(const game::Game& game, int simulations);

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;

 private:
  const game::Game& game_;
  mcts::SearchOptions options_;
};

// Rollouts, by number or by time.
std::unique_ptr<Player> make_rollout_player(const game::Game& game, int simulations,
                                            std::optional<std::chrono::milliseconds> time);

// A tree search with mcts::MaterialEvaluator: what the first games of a training are played with.
std::unique_ptr<Player> make_material_player(const game::Game& game, int simulations,
                                             std::optional<std::chrono::milliseconds> time);

// A network with its cache, as it plays matches: no noise in its searches.
std::unique_ptr<Player> make_network_player(const game::Game& game, const PlayerSpec::Network& network,
                                            std::optional<std::chrono::milliseconds> time,
                                            const nn::Backend& backend);

}  // namespace makzero::train
