#include "play/commands/interrupt.h"

#include <windows.h>

#include <atomic>
#include <cstdio>

namespace makzero::play {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<const char*> stop_message{nullptr};  // Null: an interrupt stops nothing.

constexpr int kSecondInterruptStatus = 130;

std::stop_source& stop() {
  static std::stop_source source;
  return source;
}

// Runs in a thread of its own.
BOOL WINAPI handle(DWORD) {
  const bool is_second = interrupted.exchange(true);
  const char* message = stop_message;
  if (!message) return TRUE;
  if (is_second) std::_Exit(kSecondInterruptStatus);
  std::fputs(message, stderr);
  stop().request_stop();
  return TRUE;
}

void watch() { [[maybe_unused]] static const bool kWatching = SetConsoleCtrlHandler(handle, TRUE) != 0; }

}  // namespace

bool take_interrupt() {
  watch();
  return interrupted.exchange(false);
}

std::stop_token stop_on_interrupt(const char* message) {
  stop_message = message;
  watch();
  return stop().get_token();
}

}  // namespace makzero::play
