// Download of a network from the hub in chunks, spread evenly over a span of time.
#pragma once

#include <chrono>
#include <string>

#include "train/hub/hub.h"

namespace makzero::train {

// However many workers fetch at once, the hub holds a chunk for each of them and no more. Not thread-safe.
class NetworkFetch {
 public:
  using Clock = std::chrono::steady_clock;

  // `jitter` in [0, 1): of the time between two chunks, which differs from worker to worker.
  NetworkFetch(PublishedNetwork network, Clock::time_point begin, Clock::duration span, double jitter);

  const std::string& id() const { return network_.id; }

  // Fetches the chunks that are due; false where the hub has the network no more. Throws HubError.
  bool pump(Hub* hub, Clock::time_point now = Clock::now());

  bool is_done() const { return bytes_.size() == network_.bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  PublishedNetwork network_;
  Clock::time_point next_;  // Time at which the next chunk is due.
  Clock::duration pause_;   // Between two chunks.
  std::string bytes_;
};

}  // namespace makzero::train
