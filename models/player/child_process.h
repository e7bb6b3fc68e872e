// Child process with its standard input and output: child_process.cc for Linux, child_process_windows.cc for
// Windows.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace makzero::models {

// Not thread-safe.
class ChildProcess {
 public:
  // Starts `command` with the shell, where Ctrl-C does not reach it. Programs are also looked for where
  // Debian puts games, which is not always searched. Throws std::system_error.
  explicit ChildProcess(const std::string& command);
  // Waits for the end of the process.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False: it does not read its input any more.
  bool write(std::string_view bytes);

  // Appends what it has written; false: it has ended, or the deadline has passed.
  bool read(std::chrono::steady_clock::time_point deadline, std::string* bytes);

  // Ends it, and the processes that it has started.
  void kill();

  // Processor time that it has used so far, with all its threads and the processes that it has started.
  std::chrono::nanoseconds processor_time() const;

 private:
  struct System;
  std::unique_ptr<System> system_;
};

// Whether a command of this name would start.
bool is_installed(const std::string& program);

}  // namespace makzero::models
