// A hub in memory for tests: it loses, repeats, reorders and fails on demand.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mcts/rng.h"
#include "train/hub/hub.h"

namespace makzero::train {

// How often a hub does what it should not; probabilities.
struct HubFaults {
  double drop = 0;     // A game is lost though its entry's id is returned.
  double repeat = 0;   // A game is there twice.
  double reorder = 0;  // A read returns its games in random order.
  double fail = 0;     // A call throws HubError, half of the time after it has done what was asked.
};

// Calls may come from several threads.
class MemoryHub : public Hub {
 public:
  explicit MemoryHub(std::uint64_t seed = 1) : rng_(seed) {}

  HubFaults faults;
  std::function<void()> step = [] {};  // Called before and after each call; may throw.
  std::function<std::chrono::milliseconds()> now = [] { return std::chrono::milliseconds(0); };

  // A worker's mark, without the steps of a call.
  std::uint64_t mark_now(const std::string& worker) { return state_.marks[worker]; }

  // Loses everything, as FLUSHALL does.
  void flush();

  std::map<std::string, std::string> about() override;
  void set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) override;
  void publish_network(std::int64_t epoch, const PublishedNetwork& network,
                       const std::string& bytes) override;
  std::optional<PublishedNetwork> newest_network() override;
  std::string fetch_network(const std::string& id, std::uint64_t offset) override;
  std::vector<std::string> append(std::span<const GameMessage> games, std::size_t limit) override;
  bool holds(const std::string& worker, const std::string& id) override;
  std::vector<std::string> senders() override;
  std::vector<Delivery> read(std::span<const std::string> workers, std::size_t count) override;
  void settle(std::int64_t epoch, std::span<const Entry> entries, const Marks& marks) override;
  std::uint64_t mark(const std::string& worker) override;
  Marks marks() override;
  std::size_t backlog() override;
  std::optional<std::int64_t> take_lease(const std::string& holder, std::chrono::milliseconds time,
                                         std::int64_t known_epoch) override;
  bool renew_lease(const std::string& holder, std::int64_t epoch, std::chrono::milliseconds time) override;
  void release_lease(const std::string& holder, std::int64_t epoch) override;
  LeaseState lease() override;
  void report_worker(const std::string& worker, const std::string& text) override;
  std::map<std::string, std::string> worker_reports() override;

 private:
  struct State {
    std::map<std::string, std::string> about, networks, reports;
    std::optional<PublishedNetwork> newest;
    std::map<std::string, GameMessage> games;  // By id.
    Marks marks;
    std::string holder;
    std::int64_t epoch = 0;
    std::chrono::milliseconds lease_end{0};
  };

  // Does the call between its two steps, with the failures that are asked for.
  template <class Call>
  auto call(const Call& action);
  void require_epoch(std::int64_t epoch) const;
  std::string add(const GameMessage& game);
  bool is_leased() const { return !state_.holder.empty() && now() < state_.lease_end; }

  std::recursive_mutex mutex_;  // Of all that follows; `step` may call again.
  mcts::Rng rng_;
  State state_;
  std::uint64_t next_id_ = 1;
};

}  // namespace makzero::train
