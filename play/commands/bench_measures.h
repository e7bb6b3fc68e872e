// The measurements of `makzero bench`: rates of rules, search, network and self-play on this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/learner.h"
#include "nn/network.h"
#include "play/commands/simulated_card.h"
#include "train/config.pb.h"
#include "train/self_play/self_play.h"

namespace makzero::play {

// What is measured: a trained network, or one of the configuration's size with random weights, which is as
// fast. `model` names a file or a run; empty: random weights. Throws models::Error.
nn::Network choose_network(const game::Game& game, const train::Config& config, const std::string& model);

// How far values and move probabilities of the two are apart at most, over positions of random games.
double largest_difference(const game::Game& game, mcts::Evaluator* a, mcts::Evaluator* b);

// Deepens until a depth takes a tenth of a second.
struct PerftRate {
  int depth = 0;
  std::uint64_t nodes = 0;
  double nodes_per_second = 0;
};
PerftRate measure_perft(const game::Game& game);

// Simulations per second of one search whose evaluations cost nothing.
double measure_search(const game::Game& game, int simulations, double seconds);

// Evaluations per second at this batch size, over positions of random games: on a CPU of a thread's processor
// time, from position to priors; on a card of the wall clock, of the batch alone, which self-play's workers
// encode and read.
double measure_forward(const game::Game& game, nn::TorchEvaluator* evaluator, int batch, double seconds,
                       bool on_cpu);

// Rows per second of the gradient step at this batch size, over positions of random games.
double measure_learning(const game::Game& game, const nn::NetworkArchitecture& shape,
                        const nn::LearnerOptions& options, int batch, double seconds);

// Self-play from the start with this configuration, after a second of warming up. `on_reading` is called at
// the beginning and at the end of what is measured.
struct SelfPlayRate {
  double seconds = 0, evaluations_per_second = 0, games_per_second = 0;
  double cpu_seconds = 0;  // Of the process.
  int games_in_flight = 0;
  train::SelfPlayStatistics statistics;
};
SelfPlayRate measure_self_play(
    const game::Game& game, train::Config config, int threads, const train::EvaluatorFactory& make_evaluator,
    double seconds, const std::function<void()>& on_reading = [] {});

// Use of a simulated card.
struct CardUse {
  double busy_share = 0;  // Of the time, by what its batches cost.
  double batches_per_second = 0, rows_per_batch = 0;
};

// The same with a simulated card for a network of these planes. A simulation is a leaf that was evaluated,
// the root's own included; ends of the game that a descent reaches are not counted.
struct CardRate {
  SelfPlayRate self_play;
  CardUse card;

  // Processor time of the whole process: search, encoding, copying, waiting.
  double cpu_microseconds_per_simulation() const;
};
CardRate measure_card(const game::Game& game, const train::Config& config, int threads,
                      const std::vector<std::string>& planes, const SimulatedCardOptions& card,
                      double seconds);

// Analysis of the start without end, by one search of so many simulations, on that card.
struct CardAnalysisRate {
  double simulations_per_second = 0;
  CardUse card;
};
CardAnalysisRate measure_card_analysis(const game::Game& game, const std::vector<std::string>& planes,
                                       const SimulatedCardOptions& card, double seconds);

// Learning from games of this preset where a step takes this time a row and computes nothing: whether batches
// come fast enough for a card.
struct FeedRate {
  double rows_per_second = 0;
  double waiting_share = 0;  // Of the learner's time: for its next batch.
};
FeedRate measure_feed(const game::Game& game, const train::Config& config, int threads,
                      std::chrono::nanoseconds row, double seconds);

}  // namespace makzero::play
