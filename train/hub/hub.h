// Interface of the hub between a trainer and its workers, so that tests have a hub of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/error.h"

namespace makzero::train {

// The request failed, or its effect is unknown: try again later.
class HubError : public models::Error {
 public:
  using models::Error::Error;
};

// A failure that waiting does not repair: no Redis there, a wrong password, what this account may not do.
class HubFault : public HubError {
 public:
  using HubError::HubError;
};

// Another trainer has taken the run over: this one must not write any more.
class LeaseLost : public models::Error {
 public:
  using models::Error::Error;
};

// Jump of a spool's sequence behind a damage that may have cost games: more than a spool holds.
inline constexpr std::uint64_t kDamageJump = 1 << 16;

// A finished game on its way to the trainer.
struct GameMessage {
  std::string worker;          // Name of the spool and of the stream that it lies in.
  std::uint64_t sequence = 0;  // Of the game in that spool, from 1 on.
  // Of the game before it in the spool; 0 where there is none, as all before it are durable. So the trainer
  // keeps the games of a worker in order, also where a damaged spool has lost one.
  std::uint64_t previous = 0;
  std::string frame;  // The record as a frame of a shard (models/frame.h).
};

// A game as it was read from its worker's stream.
struct Delivery {
  std::string id;  // Of the stream's entry.
  GameMessage game;
};

// Which entry of which worker's stream.
struct Entry {
  std::string worker, id;
};

struct PublishedNetwork {
  std::string id;  // Of the checkpoint.
  std::int64_t generation = 0;
  std::uint64_t bytes = 0;
};

// The durable mark of each worker: all its games up to this sequence are on the trainer's disk.
using Marks = std::map<std::string, std::uint64_t>;

// Who trains a run.
struct LeaseState {
  std::string holder;  // Empty: none.
  std::int64_t epoch = 0;
  std::chrono::milliseconds left{0};
};

// The hub of one run. It may lose anything at any moment: workers keep their games until the durable mark has
// passed them, and the trainer publishes again what is missing. Calls return within seconds and throw
// HubError; those with an epoch throw LeaseLost where a trainer with a later epoch has been there. Not
// thread-safe; one for each thread.
class Hub {
 public:
  virtual ~Hub() = default;

  // --- The run: what a worker must agree with; empty where it is not published.
  virtual std::map<std::string, std::string> about() = 0;
  virtual void set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) = 0;

  // --- Networks: the newest one by its id, and the bytes of a checkpoint. Older ones expire.
  virtual void publish_network(std::int64_t epoch, const PublishedNetwork& network,
                               const std::string& bytes) = 0;
  virtual std::optional<PublishedNetwork> newest_network() = 0;

  // Its bytes from `offset` on, kChunk at most; empty: it is not there. So no reader makes the hub hold a
  // copy of a whole network for it.
  virtual std::string fetch_network(const std::string& id, std::uint64_t offset) = 0;
  static constexpr std::size_t kChunk = std::size_t{256} << 10;

  // --- Games: a stream for each worker, to which nobody else may write.

  // Appends games of one worker in order as long as its stream holds fewer than `limit`; the ids of the
  // entries, of those that were appended.
  virtual std::vector<std::string> append(std::span<const GameMessage> games, std::size_t limit) = 0;

  // Whether the entry is in the stream: it was neither settled nor lost.
  virtual bool holds(const std::string& worker, const std::string& id) = 0;

  // Workers that have a stream.
  virtual std::vector<std::string> senders() = 0;

  // The first entries of the streams of these workers, up to `count` of each, in its order.
  virtual std::vector<Delivery> read(std::span<const std::string> workers, std::size_t count) = 0;

  // At once: raises the durable marks and removes the entries. A full hub does so too.
  virtual void settle(std::int64_t epoch, std::span<const Entry> entries, const Marks& marks) = 0;

  virtual std::uint64_t mark(const std::string& worker) = 0;  // 0: none.
  virtual Marks marks() = 0;
  virtual std::size_t backlog() = 0;  // Games in all streams.

  // --- The trainer's lease.

  // Takes it where it is free, with an epoch above `known_epoch` and all that the hub has seen; none where
  // another holds it.
  virtual std::optional<std::int64_t> take_lease(const std::string& holder, std::chrono::milliseconds time,
                                                 std::int64_t known_epoch) = 0;

  // Whether it is still held: then for so long from now on. A lease that the hub has lost is put back.
  virtual bool renew_lease(const std::string& holder, std::int64_t epoch, std::chrono::milliseconds time) = 0;

  virtual void release_lease(const std::string& holder, std::int64_t epoch) = 0;
  virtual LeaseState lease() = 0;

  // --- For people: the state of each worker, as it reports it.
  virtual void report_worker(const std::string& worker, const std::string& text) = 0;
  virtual std::map<std::string, std::string> worker_reports() = 0;
};

}  // namespace makzero::train
