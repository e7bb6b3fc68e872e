#include "play/commands/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace makzero::play {
namespace {

// A signal handler has no other way to its state.
std::atomic<bool> stop_requested{false};
std::atomic<const char*> stop_message{""};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

constexpr int kSecondInterruptStatus = 130;

void handle(int) {
  if (stop_requested.exchange(true)) _exit(kSecondInterruptStatus);
  const char* message = stop_message;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
}

std::atomic<bool> interrupted{false};

void note(int) { interrupted = true; }

}  // namespace

bool take_interrupt() {
  // Without SA_RESTART: reading a line ends, too.
  [[maybe_unused]] static const bool kWatching = [] {
    struct sigaction action = {};
    action.sa_handler = note;
    return sigaction(SIGINT, &action, nullptr) == 0;
  }();
  return interrupted.exchange(false);
}

const std::atomic<bool>& stop_on_interrupt(const char* message) {
  stop_message = message;
  struct sigaction action = {};
  action.sa_handler = handle;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return stop_requested;
}

}  // namespace makzero::play
