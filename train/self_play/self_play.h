// Self-play: one thread per worker, each stepping many games in lockstep so that the network always gets a
// full batch. Where the network computes elsewhere, half of a worker's games is searched meanwhile. For a
// share of its time a worker plays games of small networks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "nn/thread_team.h"
#include "train/config.pb.h"
#include "train/replay/record.pb.h"
#include "train/self_play/self_play_game.h"
#include "train/self_play/small_game.h"

namespace makzero::train {

// What self-play did; the difference of two readings is that of the time between them.
struct SelfPlayStatistics {
  std::int64_t evaluations = 0;  // By the network.
  std::int64_t batches = 0;      // Of the network.
  double cpu_seconds = 0;        // Of all workers.
  double forward_seconds = 0;  // Processor time of them inside the network; of a card: encoding and reading.
  double card_seconds = 0;     // That a card was computing, the mean of all; 0 on a CPU.
  std::int64_t small_plies = 0,
               small_nodes = 0;  // By small networks: moves, and positions searched for them.
  double small_cpu_seconds = 0;  // Of cpu_seconds.

  SelfPlayStatistics operator-(const SelfPlayStatistics& before) const;
  SelfPlayStatistics& operator+=(const SelfPlayStatistics& more);
  double rows_per_batch() const { return batches ? static_cast<double>(evaluations) / batches : 0; }
  double forward_share() const { return cpu_seconds > 0 ? forward_seconds / cpu_seconds : 0; }
};

// Makes the network of one worker; called in the worker's thread, which stays the same from run to run. Not
// called where there is no tower.
using EvaluatorFactory = std::function<std::unique_ptr<mcts::Evaluator>()>;

// Games in flight are kept from one run() to the next: they go on with the next network.
class SelfPlay {
 public:
  // `stagger` cuts the first games earlier, spread evenly. Without threads there are no games, and run() asks
  // the sink alone. Pool and configuration must outlive it. REQUIRES: one thread where the configuration is
  // deterministic.
  SelfPlay(GamePool* pool, const Config& config, int threads, std::uint64_t seed, bool stagger);
  ~SelfPlay();

  // Called in the caller's thread with the games that ended since the last call (possibly none), several
  // times a second. Returns whether to go on.
  using Sink = std::function<bool(std::vector<GameRecord> finished)>;

  // Plays until the sink says so; games that ended until then have all been handed over. Rethrows
  // what a worker threw.
  void run(const EvaluatorFactory& make_evaluator, const Sink& sink);

  // Of the searches that begin from now on. Not while run() runs.
  void set_phase(const SelfPlayPhase& phase);

  // They play the games of small networks that begin from now on. Not while run() runs. REQUIRES: there is
  // one for each game of the pool, before the first run() with self_play.small_share.
  void set_small_networks(const std::shared_ptr<const SmallNetworks>& networks);

  // Since construction. May be called while run() runs.
  SelfPlayStatistics statistics() const;

  int games_in_flight() const;

 private:
  class Worker;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool in_lockstep_;     // The sink is asked after every round, on the thread that plays: nothing depends on
                         // timing.
  nn::ThreadTeam team_;  // A thread for each worker; none in lockstep. Last: it uses the others.
};

}  // namespace makzero::train
