#include "play/system.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cwchar>
#include <memory>

namespace makzero::play {
namespace {

void restart_calls_at_interrupt(bool on) {
  struct sigaction action = {};
  sigaction(SIGINT, nullptr, &action);
  action.sa_flags = on ? action.sa_flags | SA_RESTART : action.sa_flags & ~SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

struct LocaleCloser {
  void operator()(locale_t locale) const { freelocale(locale); }
};

}  // namespace

EndsAtInterrupt::EndsAtInterrupt() { restart_calls_at_interrupt(false); }

EndsAtInterrupt::~EndsAtInterrupt() { restart_calls_at_interrupt(true); }

void prepare_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int write_standard_output(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN) {  // A full pipe that its other end has made not to wait.
      pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&pipe, 1, -1);
    } else if (errno != EINTR) {
      const int error = errno;
      if (error == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
      }
      return error;
    }
  }
  return 0;
}

int display_width(std::string_view text) {
  // Of this thread alone, and only meanwhile: the program's own locale writes numbers as its files want them.
  const std::unique_ptr<std::remove_pointer_t<locale_t>, LocaleCloser> utf8(
      newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr));
  const locale_t before = utf8 ? uselocale(utf8.get()) : nullptr;
  int columns = 0;
  std::mbstate_t state{};
  for (std::size_t at = 0; at < text.size();) {
    wchar_t letter = 0;
    const std::size_t size = std::mbrtowc(&letter, text.data() + at, text.size() - at, &state);
    const bool valid = size != 0 && size <= text.size() - at;
    columns += valid ? std::max(0, wcwidth(letter)) : 1;
    if (!valid) state = {};
    at += valid ? size : 1;
  }
  if (before) uselocale(before);
  return columns;
}

std::filesystem::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state && *state) return state;
  if (!home || !*home) return {};
  return std::filesystem::path(home) / ".local" / "state";
}

}  // namespace makzero::play
