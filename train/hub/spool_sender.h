// Sends the games of a spool to the hub, again where the hub has lost them, until they are durable.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "train/hub/hub.h"
#include "train/hub/spool.h"

namespace makzero::train {

// Not thread-safe. The spool must outlive it.
class SpoolSender {
 public:
  using Clock = std::chrono::steady_clock;

  // `stream_limit`: no game is sent while the stream holds so many.
  SpoolSender(Spool* spool, std::size_t stream_limit) : spool_(spool), stream_limit_(stream_limit) {}

  // One round: asks for the durable mark, forgets what it has passed, sends what was not sent. A game that is
  // neither in the stream nor durable was lost, and all from it on are sent again, after pauses that grow as
  // long as the mark stands still. Throws HubError; then forget_sent() is due.
  void pump(Hub* hub, Clock::time_point now = Clock::now());

  // What was sent may be lost: all games are sent again.
  void forget_sent() { sent_.clear(); }

  std::size_t waiting() const { return spool_->games().size() - sent_.size(); }  // Games that were not sent.
  std::int64_t resends() const { return resends_; }

 private:
  struct Sent {
    std::uint64_t sequence;
    std::string id;
  };

  void ask_mark(Hub* hub);
  bool has_lost(Hub* hub);
  void send(Hub* hub);

  Spool* spool_;
  std::size_t stream_limit_;
  std::uint64_t mark_ = 0;
  std::deque<Sent> sent_;  // The first games of the spool.
  Clock::duration pause_{};
  Clock::time_point next_resend_;
  std::int64_t resends_ = 0;
};

}  // namespace makzero::train
