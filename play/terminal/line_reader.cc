#include "play/terminal/line_reader.h"

#include <csignal>
#include <istream>
#include <ostream>
#include <utility>

namespace makzero::play {
namespace {

// While it lives an interrupt ends a call that waits; afterwards it does not: what is being written would be
// lost.
class EndsAtInterrupt {
 public:
  EndsAtInterrupt() { restart(false); }
  ~EndsAtInterrupt() { restart(true); }

 private:
  static void restart(bool on) {
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    action.sa_flags = on ? action.sa_flags | SA_RESTART : action.sa_flags & ~SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
  }
};

}  // namespace

StreamLines::StreamLines(std::istream& in, std::ostream& out, Interrupt interrupt)
    : in_(in), out_(out), interrupt_(std::move(interrupt)) {}

TypedLine StreamLines::read(const LineQuestion& question) {
  out_ << question.prompt << std::flush;
  const EndsAtInterrupt ends;
  std::string line;
  if (std::getline(in_, line)) return {.text = line};
  const bool interrupted = interrupt_ && interrupt_();
  if (interrupted) in_.clear();
  return {.interrupted = interrupted};
}

}  // namespace makzero::play
