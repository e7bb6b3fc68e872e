#include "models/player/engine_process.h"

#include <system_error>
#include <utility>

#include "models/error.h"

namespace makzero::models {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTimeToQuit{1000};

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

}  // namespace

EngineProcess::EngineProcess(std::string command, milliseconds timeout)
    : command_(std::move(command)), timeout_(timeout) {
  try {
    child_.emplace(command_);
  } catch (const std::system_error& error) {
    fail("cannot start: " + system_text(error.code()));
  }
}

EngineProcess::~EngineProcess() {
  child_->write("quit\n");
  const auto deadline = steady_clock::now() + kTimeToQuit;
  while (child_->read(deadline, &buffer_)) buffer_.clear();
  if (steady_clock::now() >= deadline) child_->kill();
}

void EngineProcess::send(std::string_view line) {
  if (!child_->write(std::string(line) + '\n'))
    fail("does not read its input any more; run it by hand to see why");
}

std::string EngineProcess::wait_for(std::initializer_list<std::string_view> words) {
  if (const auto line = poll_for(words, timeout_)) return *line;
  fail_silent();
}

void EngineProcess::fail_silent() const {
  fail("has not answered for " + std::to_string(timeout_.count()) +
       " ms; give it more with ?timeout=SECONDS");
}

std::optional<std::string> EngineProcess::poll_for(std::initializer_list<std::string_view> words,
                                                   milliseconds time) {
  const auto deadline = steady_clock::now() + time;
  for (;;) {
    if (auto line = find_line(words)) return line;
    if (child_->read(deadline, &buffer_)) continue;
    if (steady_clock::now() < deadline) fail("ended; run it by hand to see why");
    return std::nullopt;
  }
}

// Of the lines that were read the first that begins with one of the words; it and those before it are taken.
std::optional<std::string> EngineProcess::find_line(std::initializer_list<std::string_view> words) {
  for (size_t end; (end = buffer_.find('\n')) != std::string::npos;) {
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    for (const std::string_view word : words) {
      if (begins_with_word(line, word)) return line;
    }
  }
  return std::nullopt;
}

std::chrono::nanoseconds EngineProcess::processor_time() const { return child_->processor_time(); }

void EngineProcess::fail(const std::string& what) const {
  throw models::Error("engine '" + command_ + "' " + what);
}

}  // namespace makzero::models
