#include "train/hub/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/frame.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr std::size_t kMostHeld = 4096;       // Games that wait for those before them.
constexpr std::uint64_t kFarthest = 1 << 20;  // Behind the mark: several damages of a spool, no more.
constexpr int kMostTries = 3;                 // Of a game that comes damaged.

// Why no game can be in such a message; empty where one may be.
std::string find_message_fault(const GameMessage& game, std::uint64_t mark) {
  if (!is_worker_name(game.worker)) return "no name of a worker";
  if (game.sequence == 0 || game.previous >= game.sequence)
    return fmt::format("sequence {} behind {}", game.sequence, game.previous);
  if (game.sequence > mark && game.sequence - mark > kFarthest)
    return fmt::format("sequence {} is far from {}", game.sequence, mark);
  if (game.frame.size() > Intake::kMostFrameBytes)
    return fmt::format("{} bytes are too many for a game", game.frame.size());
  return "";
}

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

Intake::Intake(GameSink* sink, std::int64_t epoch, Marks marks)
    : sink_(sink), epoch_(epoch), marks_(std::move(marks)), changed_(marks_) {}

std::uint64_t Intake::mark_of(const std::string& worker) const {
  const auto found = marks_.find(worker);
  return found == marks_.end() ? 0 : found->second;
}

std::size_t Intake::collect(Hub* hub, Clock::time_point now) {
  const std::vector<Delivery> deliveries = read(hub);
  for (const Delivery& delivery : deliveries) handle(delivery);
  if (done_.size() >= kBatch || now - settled_ >= kInterval) {
    settled_ = now;
    settle(hub);
  }
  return deliveries.size();
}

// First what an earlier trainer, or this one before a failure, has read and not settled.
std::vector<Delivery> Intake::read(Hub* hub) {
  while (reading_again_) {
    std::vector<Delivery> deliveries = hub->read_again(read_again_after_, kBatch);
    reading_again_ = !deliveries.empty();
    if (!reading_again_) break;
    read_again_after_ = deliveries.back().id;
    return deliveries;
  }
  return hub->read(kBatch);
}

void Intake::handle(const Delivery& delivery) {
  const GameMessage& game = delivery.game;
  const std::uint64_t mark = mark_of(game.worker);
  if (const std::string fault = find_message_fault(game, mark); !fault.empty()) {
    refuse(delivery, fault);
  } else if (game.sequence <= mark) {
    ++counts_.repeated;
    done_.push_back(delivery.id);
  } else if (game.previous > mark) {
    hold(delivery);
  } else {
    const std::string worker = game.worker;
    take(delivery);
    take_held(worker);
  }
}

void Intake::hold(const Delivery& delivery) {
  if (held_games_ >= kMostHeld) {
    ++counts_.early;
    done_.push_back(delivery.id);
    return;
  }
  Held& held = held_[delivery.game.worker];
  const auto [place, is_new] = held.try_emplace(delivery.game.sequence, delivery);
  held_games_ += is_new ? 1 : 0;
  if (is_new || place->second.id == delivery.id) return;
  ++counts_.repeated;
  done_.push_back(delivery.id);
}

void Intake::take_held(const std::string& worker) {
  const auto waiting = held_.find(worker);
  if (waiting == held_.end()) return;
  Held& held = waiting->second;
  while (!held.empty() && held.begin()->second.game.previous <= mark_of(worker)) {
    const Delivery delivery = std::move(held.begin()->second);
    held.erase(held.begin());
    --held_games_;
    if (delivery.game.sequence <= mark_of(worker)) {
      ++counts_.repeated;
      done_.push_back(delivery.id);
    } else {
      take(delivery);
    }
  }
  if (held.empty()) held_.erase(waiting);
}

void Intake::take(const Delivery& delivery) {
  ParsedRecord parsed = open_message(delivery.game);
  if (!parsed.record) {
    refuse(delivery, parsed.why);
    if (!is_worth_another_try(delivery.game)) pass(delivery);
    return;
  }
  if (const std::optional<std::string> fault = sink_->find_fault(*parsed.record)) {
    refuse(delivery, *fault);
    return pass(delivery);
  }
  sink_->keep(std::move(*parsed.record));
  ++counts_.kept;
  pass(delivery);
  done_.push_back(delivery.id);
}

// What comes damaged may be whole in its worker's spool, and is sent again; but not for ever.
bool Intake::is_worth_another_try(const GameMessage& game) { return ++tries_[game.worker] < kMostTries; }

void Intake::pass(const Delivery& delivery) {
  const GameMessage& game = delivery.game;
  marks_[game.worker] = changed_[game.worker] = game.sequence;
  tries_.erase(game.worker);
}

void Intake::refuse(const Delivery& delivery, const std::string& why) {
  sink_->refuse({delivery, why});
  ++counts_.refused;
  done_.push_back(delivery.id);
}

void Intake::settle(Hub* hub) {
  if (done_.empty() && changed_.empty()) return;
  sink_->sync();
  hub->settle(epoch_, done_, changed_);
  done_.clear();
  changed_.clear();
}

void Intake::restart() {
  reading_again_ = true;
  read_again_after_.clear();
  held_.clear();
  held_games_ = 0;
}

}  // namespace makzero::train
