// The measurements of `makzero bench`: rates of rules, search, network and self-play on this machine.
#pragma once

#include <cstdint>
#include <string>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "nn/learner.h"
#include "train/config.pb.h"
#include "train/self_play.h"

namespace makzero::play {

// Deepens until a depth takes a tenth of a second.
struct PerftRate {
  int depth = 0;
  std::uint64_t nodes = 0;
  double nodes_per_second = 0;
};
PerftRate measure_perft(const game::Game& game);

// Simulations per second of one search whose evaluations cost nothing.
double measure_search(const game::Game& game, int simulations, double seconds);

// Evaluations per second of this thread at this batch size, over positions of random games: of its processor
// time where the CPU computes, else of the wall clock.
double measure_forward(const game::Game& game, mcts::Evaluator* evaluator, int batch, double seconds,
                       bool on_cpu);

// Rows per second of the gradient step at this batch size, over positions of random games.
double measure_learning(const game::Game& game, const nn::NetworkArchitecture& shape,
                        const nn::LearnerOptions& options, int batch, double seconds);

// Self-play from the start with this configuration, after a second of warming up.
struct SelfPlayRate {
  double evaluations_per_second = 0, games_per_second = 0;
  train::SelfPlayStatistics statistics;
};
SelfPlayRate measure_self_play(const game::Game& game, const train::Config& config, int threads,
                               const train::EvaluatorFactory& make_evaluator, double seconds);

// One number that changes when the search's behaviour does: over the start of every ruleset.
std::uint64_t signature();

}  // namespace makzero::play
