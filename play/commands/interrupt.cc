#include "play/commands/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

namespace makzero::play {
namespace {

// A signal handler has no other way to its state.
std::atomic<bool> stop_requested{false};
std::atomic<const char*> stop_message{""};
std::atomic<int> stop_pipe{
    -1};  // Where it is written: a stop source may take locks, which a handler may not.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

constexpr int kSecondInterruptStatus = 130;

void handle(int) {
  if (stop_requested.exchange(true)) _exit(kSecondInterruptStatus);
  const char* message = stop_message;
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
  written = write(stop_pipe, "", 1);
}

// Requests the stop when the handler has written into the pipe.
class StopWatcher {
 public:
  StopWatcher() {
    if (pipe2(pipe_, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    stop_pipe = pipe_[1];
    thread_ = std::thread([this] {
      char byte;
      ssize_t count = 0;
      do {
        count = read(pipe_[0], &byte, 1);
      } while (count < 0 && errno == EINTR);
      if (count == 1) stop_.request_stop();
    });
  }
  ~StopWatcher() {
    stop_pipe = -1;
    close(pipe_[1]);
    thread_.join();
    close(pipe_[0]);
  }
  std::stop_token token() const { return stop_.get_token(); }

 private:
  int pipe_[2] = {-1, -1};
  std::stop_source stop_;
  std::thread thread_;  // Last: it uses the others.
};

std::atomic<bool> interrupted{false};

void note(int) { interrupted = true; }

}  // namespace

bool take_interrupt() {
  [[maybe_unused]] static const bool kWatching = [] {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;  // A stream whose write is interrupted writes no more.
    return sigaction(SIGINT, &action, nullptr) == 0;
  }();
  return interrupted.exchange(false);
}

std::stop_token stop_on_interrupt(const char* message) {
  static const StopWatcher kWatcher;
  stop_message = message;
  struct sigaction action = {};
  action.sa_handler = handle;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return kWatcher.token();
}

}  // namespace makzero::play
