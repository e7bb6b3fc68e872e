#include "train/hub/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/frame.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr std::size_t kWorkersAtOnce = 16;
// Largest gap by one damage of a spool: the games that it held, and the jump of the sequence.
constexpr std::uint64_t kFarthest = 2 * kDamageJump;
constexpr int kMostTries = 3;  // Of a game that comes damaged.

// The record of a message whose sender is the one that the message names.
ParsedRecord open_message(const GameMessage& game) {
  const models::DecodedFrame frame = models::decode_frame(game.frame, kMostRecordBytes);
  if (frame.state != models::DecodedFrame::State::kGood) return {std::nullopt, frame.why};
  if (frame.stored != game.frame.size()) return {std::nullopt, "bytes behind the frame"};
  ParsedRecord parsed = parse_record(frame.plain);
  if (!parsed.record) return parsed;
  if (parsed.record->worker() == game.worker && parsed.record->sequence() == game.sequence) return parsed;
  return {std::nullopt, fmt::format("the record is game {} of worker '{}'", parsed.record->sequence(),
                                    parsed.record->worker())};
}

}  // namespace

std::uint64_t Intake::mark_of(const std::string& worker) const {
  const auto found = marks_.find(worker);
  return found == marks_.end() ? 0 : found->second;
}

std::size_t Intake::collect(Hub* hub) {
  std::size_t games = 0;
  std::vector<Entry> handled;
  const std::vector<std::string> workers = hub->senders();
  for (std::size_t i = 0; i < workers.size(); i += kWorkersAtOnce) {
    const std::span some = std::span(workers).subspan(i, std::min(kWorkersAtOnce, workers.size() - i));
    for (const Delivery& delivery : hub->read(some, kBatch / some.size())) {
      handle(delivery);
      handled.push_back({delivery.game.worker, delivery.id});
      ++games;
    }
    if (handled.size() < kBatch) continue;
    settle(hub, handled);
    handled.clear();
  }
  settle(hub, handled);
  return games;
}

// Why no game can be in such a message; empty where one may be.
std::string Intake::find_fault(const GameMessage& game) const {
  if (!is_worker_name(game.worker)) return "no name of a worker";
  if (game.sequence == 0 || game.previous >= game.sequence)
    return fmt::format("sequence {} behind {}", game.sequence, game.previous);
  // Where a worker's first game here lies is its own affair: its spool may be older than the run.
  const auto mark = marks_.find(game.worker);
  if (mark != marks_.end() && game.sequence > mark->second && game.sequence - mark->second > kFarthest)
    return fmt::format("sequence {} is far from {}", game.sequence, mark->second);
  if (game.frame.size() > kMostFrameBytes)
    return fmt::format("{} bytes are too many for a game", game.frame.size());
  return "";
}

// A game that comes damaged may be whole in its worker's spool, and is sent again; but those behind it do not
// wait for ever.
void Intake::handle(const Delivery& delivery) {
  const GameMessage& game = delivery.game;
  const std::uint64_t mark = mark_of(game.worker);
  if (const std::string fault = find_fault(game); !fault.empty()) {
    refuse(delivery, fault);
  } else if (game.sequence <= mark) {
    ++counts_.repeated;
    changed_[game.worker] = mark;  // The hub may have lost it, or the worker would not send the game.
  } else if (game.previous > mark && unreadable_[game.worker] < kMostTries) {
    ++counts_.early;
  } else {
    take(delivery);
  }
}

void Intake::take(const Delivery& delivery) {
  const GameMessage& game = delivery.game;
  ParsedRecord parsed = open_message(game);
  if (!parsed.record) {
    ++unreadable_[game.worker];
    return refuse(delivery, parsed.why);
  }
  if (const std::optional<std::string> fault = sink_->find_fault(*parsed.record)) {
    refuse(delivery, *fault);
  } else {
    sink_->keep(std::move(*parsed.record));
    ++counts_.kept;
  }
  marks_[game.worker] = changed_[game.worker] = game.sequence;
  unreadable_.erase(game.worker);
}

void Intake::refuse(const Delivery& delivery, const std::string& why) {
  sink_->refuse({delivery, why});
  ++counts_.refused;
}

void Intake::settle(Hub* hub, std::span<const Entry> handled) {
  if (handled.empty() && changed_.empty()) return;
  sink_->sync();
  hub->settle(epoch_, handled, changed_);
  changed_.clear();
}

}  // namespace makzero::train
