// A child process that speaks UCI: lines out, lines in, never without a time limit.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

namespace makzero::train {

// Not thread-safe. Every failure (the program does not start, ends, or keeps silent) throws models::Error
// that names it.
class UciEngine {
 public:
  // Starts `command` with the shell, in a process group of its own: Ctrl-C is for us alone.
  UciEngine(std::string command, std::chrono::milliseconds timeout);
  // Asks it to quit and kills it a second later if it has not.
  ~UciEngine();
  UciEngine(const UciEngine&) = delete;
  UciEngine& operator=(const UciEngine&) = delete;

  void send(std::string_view line);

  // The next line that begins with one of the words `wanted` or `also`; those before it are dropped.
  std::string wait_for(std::string_view wanted, std::string_view also = {});

 private:
  std::string read_line(std::chrono::steady_clock::time_point deadline);
  bool read_more(std::chrono::steady_clock::time_point deadline);
  [[noreturn]] void fail(const std::string& what) const;

  std::string command_;
  std::chrono::milliseconds timeout_;
  pid_t child_ = -1;
  int socket_ = -1;
  std::string buffer_;  // Read, but not yet a whole line.
};

}  // namespace makzero::train
