// A child process that plays: lines out, lines in, never without a time limit.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace makzero::train {

// Not thread-safe. Every failure (the program does not start, ends, or keeps silent) throws models::Error
// that names it.
class EngineProcess {
 public:
  // Starts `command` with the shell, in a process group of its own: Ctrl-C is for us alone. Programs are also
  // looked for where Debian puts games, which is not always searched.
  EngineProcess(std::string command, std::chrono::milliseconds timeout);
  // Asks it to quit and kills it a second later if it has not.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  void send(std::string_view line);

  // The next line that begins with one of these words; those before it are dropped.
  std::string wait_for(std::initializer_list<std::string_view> words);

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

// Whether a command of this name would start.
bool is_installed(const std::string& program);

// An engine as the text of a player has it, "COMMAND?NAME=VALUE&NAME=VALUE": behind the last '?' how it
// plays.
struct WrittenEngine {
  std::string command;
  std::vector<std::pair<std::string, std::string>> settings;
};
WrittenEngine read_engine(std::string_view text);

// The text as a number of at least 1, or 0.
int positive_number(const std::string& text);

}  // namespace makzero::train
