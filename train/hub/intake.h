// The way of workers' games from the hub to the shards: each once, checked, in the order of its worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "train/hub/hub.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

// A delivery that is not learnt from.
struct RefusedGame {
  const Delivery& delivery;
  std::string why;
};

// Where games go.
class GameSink {
 public:
  virtual ~GameSink() = default;

  // Why the record is no game of this run; none where it is one.
  virtual std::optional<std::string> find_fault(const GameRecord& record) = 0;

  // Appends it to the shards.
  virtual void keep(GameRecord record) = 0;

  // Waits until all games are on the disk.
  virtual void sync() = 0;

  // Puts it where people find it.
  virtual void refuse(const RefusedGame& refused) = 0;
};

struct IntakeCounts {
  std::int64_t kept = 0;
  std::int64_t repeated = 0;  // Known by their sequence.
  std::int64_t refused = 0;
  std::int64_t early = 0;  // Came before others of their worker, too many to wait with; they are sent again.
};

// A game is handled once all before it in its worker's spool are, so one mark for each worker says which are
// known. Only after a sync of the shards are the marks published and the entries removed, both at once: a
// crash between any two steps costs nothing and repeats nothing. Not thread-safe. The sink must outlive it.
class Intake {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kBatch = 256;                  // Games between two syncs at most.
  static constexpr std::chrono::milliseconds kInterval{250};  // Time between two syncs at most.
  static constexpr std::size_t kMostFrameBytes = std::size_t{4} << 20;

  // `marks`: what the shards hold of each worker.
  Intake(GameSink* sink, std::int64_t epoch, Marks marks);

  // Handles the next games of the stream; settles where it is time to. Returns how many games were read.
  // Throws HubError, after which restart() goes on, and LeaseLost.
  std::size_t collect(Hub* hub, Clock::time_point now = Clock::now());

  // Syncs the shards, publishes the marks and removes the entries of all that was handled.
  void settle(Hub* hub);

  // Begins with what was read and not settled: after a failure of the hub.
  void restart();

  // Publishes all marks with the next settle(): where the hub has lost them.
  void publish_all_marks() { changed_ = marks_; }

  const Marks& marks() const { return marks_; }
  const IntakeCounts& counts() const { return counts_; }

 private:
  using Held = std::map<std::uint64_t, Delivery>;  // By sequence.

  std::vector<Delivery> read(Hub* hub);
  void handle(const Delivery& delivery);
  void hold(const Delivery& delivery);
  void take(const Delivery& delivery);
  void take_held(const std::string& worker);
  void refuse(const Delivery& delivery, const std::string& why);
  void pass(const Delivery& delivery);  // Its sequence is done with.
  bool is_worth_another_try(const GameMessage& game);
  std::uint64_t mark_of(const std::string& worker) const;

  GameSink* sink_;
  std::int64_t epoch_;
  Marks marks_;    // All handled games, synced or not.
  Marks changed_;  // Since the last settle().
  std::map<std::string, Held> held_;
  std::size_t held_games_ = 0;
  std::map<std::string, int> tries_;  // Of the next game of a worker, where it came damaged.
  std::vector<std::string> done_;     // Entries that were handled.
  bool reading_again_ = true;
  std::string read_again_after_;
  Clock::time_point settled_;
  IntakeCounts counts_;
};

}  // namespace makzero::train
