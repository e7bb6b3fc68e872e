// The one trainer of a run on a hub: a lease that is renewed by a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "train/hub/hub_link.h"

namespace makzero::train {

// Another trainer takes over once the lease has run out for kTime; this one must not write from shortly
// before that on, unless the lease is renewed. Thread-safe.
class TrainerLease {
 public:
  static constexpr std::chrono::milliseconds kTime{10'000};
  static constexpr std::chrono::milliseconds kRenewal{2'000};
  static constexpr std::chrono::milliseconds kMargin{2'000};  // For what is being written.

  // Waits until it has the lease, or `stop` becomes true: then throws LeaseLost. RUN/hub_epoch keeps the
  // epoch, so that it rises even if the hub forgets. `log` is called by several threads.
  TrainerLease(HubOpener open, const std::filesystem::path& run, const std::stop_token& stop,
               std::function<void(const std::string&)> log);
  ~TrainerLease();

  std::int64_t epoch() const { return epoch_; }

  // Returns where this trainer may write. Waits as long as the hub is away; throws LeaseLost
  // where another one has taken over, or `stop` becomes true while it waits.
  void wait_until_held();

 private:
  using Clock = std::chrono::steady_clock;

  void take(const std::filesystem::path& run);
  void renew_until_end();
  void note_renewal(Clock::time_point asked);
  bool is_held() const { return Clock::now().time_since_epoch().count() < held_until_.load(); }

  HubOpener open_;
  const std::stop_token stop_;
  std::function<void(const std::string&)> log_;
  HubLink link_;  // Of the thread that takes the lease, then of that which renews it.
  std::string
      holder_;  // "HOST:/path/of/run": who has the lock of the folder has the lease of its last trainer.
  std::int64_t epoch_ = 0;
  // Ticks of Clock; readers see the last renewal or an earlier one.
  std::atomic<Clock::rep> held_until_ = 0;
  std::atomic<bool> lost_ = false, end_ = false;  // Nothing else is ordered by them.
  std::thread renewer_;
};

}  // namespace makzero::train
