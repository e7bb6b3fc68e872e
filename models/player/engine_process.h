// A child process that plays: lines out, lines in, never without a time limit.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "models/player/child_process.h"

namespace makzero::models {

// Not thread-safe. Every failure (the program does not start, ends, or keeps silent) throws models::Error
// that names it.
class EngineProcess {
 public:
  // Starts `command` as ChildProcess does.
  EngineProcess(std::string command, std::chrono::milliseconds timeout);
  // Asks it to quit and kills it a second later if it has not.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  void send(std::string_view line);

  // The next line that begins with one of these words; those before it are dropped.
  std::string wait_for(std::initializer_list<std::string_view> words);

  // The same, but none where it has not come in that time.
  std::optional<std::string> poll_for(std::initializer_list<std::string_view> words,
                                      std::chrono::milliseconds time);

  // The failure of one that keeps silent.
  [[noreturn]] void fail_silent() const;

  // That it has used so far, with all its threads and the processes that it has started.
  std::chrono::nanoseconds processor_time() const;

 private:
  std::optional<std::string> find_line(std::initializer_list<std::string_view> words);
  [[noreturn]] void fail(const std::string& what) const;

  std::string command_;
  std::chrono::milliseconds timeout_;
  std::optional<ChildProcess> child_;  // Always there once it is constructed.
  std::string buffer_;                 // Read, but not yet a whole line.
};

}  // namespace makzero::models
