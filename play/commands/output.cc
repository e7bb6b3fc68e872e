#include "play/commands/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <utility>

#include "models/error.h"

namespace makzero::play {
namespace {

constexpr int kFailed = 1;

[[noreturn]] void end_with(const std::string& why) {
  std::fprintf(stderr, "makzero: %s\n", why.c_str());  // Not std::cerr, which flushes std::cout first.
  std::_Exit(kFailed);
}

// Ends the program where it cannot.
void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN) {  // A full pipe that its other end has made not to wait.
      pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&pipe, 1, -1);
    } else if (errno != EINTR) {
      const std::string why = models::system_text(errno);
      if (errno == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
      }
      end_with("standard output: cannot write: " + why);
    }
  }
}

[[noreturn]] void explain_end() {
  std::string why = "cannot begin a thread: " + models::system_text(EAGAIN);
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception& error) {
    why = models::explain(error);
  } catch (...) {
    why = "ended by an error without words";
  }
  end_with(why);
}

}  // namespace

StandardOutput::StandardOutput() : former_(std::cout.rdbuf(this)) {}

StandardOutput::~StandardOutput() {
  std::cout.flush();
  std::cout.rdbuf(former_);
}

StandardOutput::int_type StandardOutput::overflow(int_type byte) {
  const char text = traits_type::to_char_type(byte);
  if (!traits_type::eq_int_type(byte, traits_type::eof())) xsputn(&text, 1);
  return traits_type::not_eof(byte);
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  const std::string_view added(text, static_cast<std::size_t>(size));
  const std::size_t lines = added.rfind('\n') + 1;
  const std::lock_guard lock(mutex_);
  line_ += added.substr(0, lines);
  if (lines > 0) write_out(std::exchange(line_, ""));
  line_ += added.substr(lines);
  return size;
}

int StandardOutput::sync() {
  const std::lock_guard lock(mutex_);
  write_out(line_);
  line_.clear();
  return 0;
}

void print(std::ostream& out, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  char* text = nullptr;
  const int size = ::vasprintf(&text, format, values);
  va_end(values);
  if (size < 0) throw std::bad_alloc();
  out.write(text, size);
  std::free(text);
}

void prepare_process() {
  std::set_terminate(explain_end);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace makzero::play
