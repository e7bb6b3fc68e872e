// Who evaluates in self-play: the bootstrap evaluator, or the network of a generation for all threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/network.h"
#include "train/config.pb.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/self_play_game.h"

namespace makzero::train {

// Who evaluates in a generation: the network of generation 0 has learnt nothing, or another game.
SelfPlayConfig::BootstrapEvaluator evaluator_of(const Config& config, std::int64_t generation);

// How a generation is played with that evaluator.
SelfPlayPhase phase_of(const Config& config, SelfPlayConfig::BootstrapEvaluator who, std::int64_t generation);

// A network that plays. It must outlive the self-play with it.
struct PlayingNetwork {
  const nn::Network& network;
  std::string id;
};

// Pool and configuration must outlive it.
class SelfPlayEvaluators {
 public:
  SelfPlayEvaluators(const GamePool* pool, const Config& config) : pool_(pool), config_(config) {}

  // The network that make() speaks of from now on. The threads share those on cards: the weights are new in
  // every generation, the cards' threads are not. Not while a thread uses an evaluator of make().
  void load(const PlayingNetwork& playing);

  // The network's evaluations alone, without material. Called by the threads. REQUIRES: load() was called.
  std::unique_ptr<mcts::Evaluator> make_network(const PlayingNetwork& playing);

  // Batches of all cards since their first network, and the mean of the time that they ran them.
  nn::BatchingStatistics card_statistics() const;
  bool has_card() const { return !cards_.empty(); }

  // The most rows that every card has memory for at once; nn::FittingRows::kAll as far as is known.
  int card_row_limit() const;

 private:
  nn::TorchEvaluatorOptions options(const PlayingNetwork& playing, const std::string& device) const;

  const GamePool* pool_;
  const Config& config_;
  // The network on each card; none on a CPU, where each thread has a network of its own.
  std::vector<std::unique_ptr<nn::BatchingEvaluator>> cards_;
  std::atomic<std::size_t> turn_ = 0;  // The card of the next thread; no order needed.
};

// An evaluator without a network. REQUIRES: who is not NETWORK.
std::unique_ptr<mcts::Evaluator> make_bootstrap_evaluator(SelfPlayConfig::BootstrapEvaluator who);

}  // namespace makzero::train
