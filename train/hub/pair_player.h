// A worker's part in the matches of its run: takes pairs, plays them, sends them back.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "game/game.h"
#include "nn/backend.h"
#include "train/hub/rating_job.h"

namespace makzero::train {

struct PairPlayerOptions {
  std::string worker;            // Name, as a taker of pairs.
  std::filesystem::path folder;  // Of networks, which it empties.
  nn::Backend backend;
  int threads = 1;
  std::function<void(const std::string&)> log;
};

// Not thread-safe. The games must outlive it.
class PairPlayer {
 public:
  PairPlayer(PairPlayerOptions options, std::span<const game::GamePtr> games);

  // Sends what is finished, keeps what is being played, and once a second looks for pairs where it has none.
  // Throws HubError.
  void pump(Hub* hub);

  bool has_pairs() const { return !taken_.empty(); }

  // Plays them; `meanwhile` is called some ten times a second. Stopped, it keeps what is not finished.
  void play(const std::stop_token& stop, const std::function<void()>& meanwhile);

  // Others may have what is not finished. Throws HubError.
  void return_pairs(Hub* hub);

  int played() const { return played_; }  // Pairs.

 private:
  using Clock = std::chrono::steady_clock;
  struct Finished {
    TakenPair taken;
    PlayedPair played;
  };

  std::size_t pairs_at_once() const;
  void take(Hub* hub);
  void read(Hub* hub, const MatchJob& job);

  PairPlayerOptions options_;
  std::span<const game::GamePtr> games_;
  std::string job_, refused_job_;  // Ids.
  std::optional<SharedMatch> match_;
  std::vector<TakenPair> taken_;
  std::vector<Finished> finished_;  // Not sent yet.
  int played_ = 0;
  Clock::time_point next_look_, next_renewal_;
};

}  // namespace makzero::train
