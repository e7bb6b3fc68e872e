// How far a run is and when its session ends: what all its phases have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace makzero::train {

// When a session ends.
struct SessionLimit {
  std::stop_token stop = {};  // A request from outside.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::string until;  // The run is finished once its newest network beats this player; empty = never.

  bool reached() const;
};

// Of all threads of this process so far.
double processor_seconds();

struct RunState {
  using Clock = std::chrono::steady_clock;

  SessionLimit limit;
  int threads = 1;
  std::int64_t generation = 0;   // Of the networks that play.
  std::int64_t evaluations = 0;  // Of the networks in self-play so far.
  std::int64_t steps = 0;        // Of the optimiser so far.
  double earlier_seconds = 0;    // Wall clock of earlier sessions.
  double earlier_processor_seconds = 0;
  Clock::time_point begin = Clock::now();
  double processor_begin = train::processor_seconds();

  double session_seconds() const;
  double seconds() const { return earlier_seconds + session_seconds(); }
  double processor_seconds() const {
    return earlier_processor_seconds + train::processor_seconds() - processor_begin;
  }
  std::optional<double> seconds_left() const;  // To the deadline, if there is one.
};

// Since that moment.
double seconds_since(RunState::Clock::time_point begin);

}  // namespace makzero::train
