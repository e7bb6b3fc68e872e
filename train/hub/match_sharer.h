// A match that the trainer plays together with the workers of its run.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "train/hub/hub_link.h"
#include "train/hub/quarantine.h"
#include "train/match/arena.h"

namespace makzero::train {

// Who shares, and by which name.
struct SharingTrainer {
  HubLink* link = nullptr;
  std::int64_t epoch = 0;
  std::string job;  // Id of the match, which no other has.
  const Quarantine* quarantine = nullptr;
  std::function<void(const std::string&)> log;
};

// Offers the pairs of the match to the workers and plays those that none of them has. The result is that of
// play_match() for the same arguments but for its times: pairs depend on their numbers alone, and each counts
// once, by job and number, whoever plays it and however often. What workers send is checked by the rules; a
// pair with a fault is quarantined and played here. While the hub is away the trainer plays on alone.
class MatchSharer {
 public:
  // Game, players, options and progress must outlive it. REQUIRES: is_shareable().
  MatchSharer(SharingTrainer trainer, const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
              const MatchOptions& options, const std::function<void(const MatchProgress&)>& progress);

  // As play_match(); stopped, the finished pairs are the result. Throws LeaseLost too.
  MatchResult run();

  int pairs_of_workers() const { return pairs_of_workers_; }
  int refused() const { return static_cast<int>(refused_.size()); }

 private:
  using Clock = std::chrono::steady_clock;

  void look();
  void offer(Hub* hub);
  void lend_networks(Hub* hub);
  void collect(Hub* hub);
  void refuse(const PlayedPair& played, const std::string& why);
  void take(Hub* hub);
  void play();
  void count(MatchPair pair);
  void report();
  bool stopped() const { return options_.stop.stop_requested(); }
  std::size_t pairs_at_once() const;
  std::vector<int> pending_of_others() const;

  SharingTrainer trainer_;
  const game::Game& game_;
  const PlayerSpec &a_, &b_;
  const MatchOptions& options_;
  const std::function<void(const MatchProgress&)>& progress_;
  MatchJob job_;
  std::set<int> pending_;  // Pairs without a result.
  std::map<int, MatchPair> played_;
  std::vector<TakenPair> mine_;     // What is played here, or next.
  std::vector<TakenPair> settled_;  // Played here; the hub does not know it yet.
  std::set<int> refused_;
  MatchScore score_;
  int pairs_of_workers_ = 0;
  bool is_playing_ = false;
  Clock::time_point next_look_, lent_, begin_ = Clock::now();
};

}  // namespace makzero::train
