#include "train/hub/network_fetch.h"

#include <algorithm>
#include <utility>

namespace makzero::train {

NetworkFetch::NetworkFetch(PublishedNetwork network, Clock::time_point begin, Clock::duration span,
                           double jitter)
    : network_(std::move(network)),
      pause_(span / std::max<std::int64_t>(1, (network_.bytes + Hub::kChunk - 1) / Hub::kChunk)) {
  next_ = begin + std::chrono::duration_cast<Clock::duration>(jitter * pause_);
}

bool NetworkFetch::pump(Hub* hub, Clock::time_point now) {
  for (; !is_done() && next_ <= now; next_ += pause_) {
    const std::string chunk = hub->fetch_network(network_.id, bytes_.size());
    if (chunk.empty() || chunk.size() > network_.bytes - bytes_.size()) return false;
    bytes_ += chunk;
  }
  return true;
}

}  // namespace makzero::train
