#include "train/hub/spool_sender.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace makzero::train {
namespace {

constexpr std::size_t kMostGames = 256, kMostBytes = std::size_t{4} << 20;  // Of one call.
constexpr std::chrono::milliseconds kShortestPause{250}, kLongestPause{30'000};

}  // namespace

void SpoolSender::pump(Hub* hub, Clock::time_point now) {
  ask_mark(hub);
  if (now >= next_resend_ && has_lost(hub)) {
    pause_ = std::clamp<Clock::duration>(2 * pause_, kShortestPause, kLongestPause);
    next_resend_ = now + pause_;
    ++resends_;
    forget_sent();
  }
  send(hub);
}

void SpoolSender::ask_mark(Hub* hub) {
  const std::uint64_t mark = hub->mark(spool_->worker());
  if (mark <= mark_) return;
  mark_ = mark;
  pause_ = {};
  spool_->drop_through(mark);
  while (!sent_.empty() && sent_.front().sequence <= mark) sent_.pop_front();
}

// The mark is asked for again: the game may have been settled in between.
bool SpoolSender::has_lost(Hub* hub) {
  if (sent_.empty() || hub->holds(spool_->worker(), sent_.front().id)) return false;
  const std::uint64_t sequence = sent_.front().sequence;
  ask_mark(hub);
  return mark_ < sequence;
}

void SpoolSender::send(Hub* hub) {
  const std::deque<SpooledGame>& games = spool_->games();
  while (sent_.size() < games.size()) {
    std::vector<GameMessage> batch;
    std::size_t bytes = 0;
    for (std::size_t i = sent_.size(); i < games.size() && batch.size() < kMostGames && bytes < kMostBytes;
         ++i) {
      batch.push_back(
          {spool_->worker(), games[i].sequence, i > 0 ? games[i - 1].sequence : 0, games[i].frame});
      bytes += games[i].frame.size();
    }
    spool_->sync();
    const std::vector<std::string> ids = hub->append(batch, stream_limit_);
    for (std::size_t i = 0; i < ids.size(); ++i) sent_.push_back({batch[i].sequence, ids[i]});
    if (ids.size() < batch.size()) return;
  }
}

}  // namespace makzero::train
