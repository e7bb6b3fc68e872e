// A connection to a hub that may be away: tried again after growing pauses.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "mcts/rng.h"
#include "train/hub/hub.h"

namespace makzero::train {

// Makes a connection of its own for each who asks.
using HubOpener = std::function<std::shared_ptr<Hub>()>;

// Not thread-safe.
class HubLink {
 public:
  using Clock = std::chrono::steady_clock;

  // `log` gets a line when the hub goes away and when it is back.
  HubLink(HubOpener open, std::function<void(const std::string&)> log, std::uint64_t seed);

  // Does the action, unless the pause after a failure still lasts; whether it was done. Throws the HubFault
  // of a hub that has never answered, as waiting would not repair it.
  bool attempt(const std::function<void(Hub*)>& action);

  // The same without regard to the pause.
  bool attempt_now(const std::function<void(Hub*)>& action);

  bool is_away() const { return failures_ > 0; }

 private:
  void note_failure(const std::string& why);

  HubOpener open_;
  std::function<void(const std::string&)> log_;
  mcts::Rng rng_;
  std::shared_ptr<Hub> hub_;
  bool has_answered_ = false;
  int failures_ = 0;  // Since the last success.
  Clock::time_point next_try_;
};

}  // namespace makzero::train
