// The way of workers' games from the hub to the shards: each once, checked, in the order of its worker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
  std::int64_t early = 0;  // Came where others before them were lost; they are sent again.
};

// A game is handled once all before it in its worker's spool are, so one mark for each worker says which are
// known. A mark moves to sequences whose records were read and are of this worker, and over what one damage
// of its spool can have cost at most. Only after a sync of the shards are the marks published and the entries
// removed, both at once: a crash between any two steps costs nothing and repeats nothing. Not thread-safe.
// The sink must outlive it.
class Intake {
 public:
  static constexpr std::size_t kBatch = 256;  // Games between two syncs: less than twice as many.
  static constexpr std::size_t kMostFrameBytes = std::size_t{4} << 20;

  // `marks`: what the shards hold of each worker.
  Intake(GameSink* sink, std::int64_t epoch, Marks marks)
      : sink_(sink), epoch_(epoch), marks_(std::move(marks)), changed_(marks_) {}

  // Handles and settles the first games of every stream, so that none has to wait for others. Returns how
  // many there were. Throws HubError, after which it begins with what is not settled, and LeaseLost.
  std::size_t collect(Hub* hub);

  // Publishes all marks with the next collect(): where the hub has lost them.
  void publish_all_marks() { changed_ = marks_; }

  const Marks& marks() const { return marks_; }
  const IntakeCounts& counts() const { return counts_; }

 private:
  void handle(const Delivery& delivery);
  void take(const Delivery& delivery);
  void refuse(const Delivery& delivery, const std::string& why);
  void settle(Hub* hub, std::span<const Entry> handled);
  std::string find_fault(const GameMessage& game) const;
  std::uint64_t mark_of(const std::string& worker) const;

  GameSink* sink_;
  std::int64_t epoch_;
  Marks marks_;                            // All handled games, synced or not.
  Marks changed_;                          // Since the last settle().
  std::map<std::string, int> unreadable_;  // Messages of a worker since its mark moved.
  IntakeCounts counts_;
};

}  // namespace makzero::train
