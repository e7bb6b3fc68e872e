#include "train/hub/hub_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace makzero::train {
namespace {

constexpr double kFirstPause = 0.25, kLongestPause = 15;  // Seconds, before jitter.
constexpr int kMostDoublings = 8;

}  // namespace

HubLink::HubLink(HubOpener open, std::function<void(const std::string&)> log, std::uint64_t seed)
    : open_(std::move(open)), log_(std::move(log)), rng_(seed) {}

bool HubLink::attempt(const std::function<void(Hub*)>& action) {
  return Clock::now() >= next_try_ && attempt_now(action);
}

bool HubLink::attempt_now(const std::function<void(Hub*)>& action) {
  try {
    if (!hub_) hub_ = open_();
    action(hub_.get());
  } catch (const HubError& error) {
    if (!has_answered_ && dynamic_cast<const HubFault*>(&error) != nullptr) throw;
    note_failure(error.what());
    return false;
  }
  if (failures_ > 0) log_(fmt::format("hub back after={} failures", failures_));
  failures_ = 0;
  has_answered_ = true;
  return true;
}

// Half to one and a half of the pause: workers that lost the hub together do not come back together.
void HubLink::note_failure(const std::string& why) {
  hub_.reset();
  if (failures_ == 0) log_(fmt::format("hub away, tried again: {}", why));
  const double pause = std::min(kLongestPause, kFirstPause * (1 << std::min(failures_, kMostDoublings)));
  ++failures_;
  const std::chrono::duration<double> jittered(pause * (0.5 + rng_.uniform()));
  next_try_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(jittered);
}

}  // namespace makzero::train
