#include "play/commands/output.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>
#include <utility>

#include "models/error.h"
#include "nn/system.h"
#include "play/system.h"

namespace makzero::play {
namespace {

constexpr int kFailed = 1;
constexpr int kStandardOutput = 1;

[[noreturn]] void end_with(const std::string& why) {
  std::fprintf(stderr, "makzero: %s\n", why.c_str());  // Not std::cerr, which flushes std::cout first.
  std::_Exit(kFailed);
}

// Ends the program where it cannot.
void write_out(std::string_view text) {
  if (const int error = write_standard_output(text))
    end_with("standard output: cannot write: " + models::system_text(error));
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
  std::va_list values, measured;
  va_start(values, format);
  va_copy(measured, values);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, measured)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, values);
  va_end(measured);
  va_end(values);
  out << text;
}

void prepare_process() {
  std::set_terminate(explain_end);
  prepare_streams();
}

bool shows_color() { return nn::is_terminal(kStandardOutput) && !std::getenv("NO_COLOR"); }

}  // namespace makzero::play
