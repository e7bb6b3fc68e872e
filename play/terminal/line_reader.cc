#include "play/terminal/line_reader.h"

#include <istream>
#include <ostream>
#include <utility>

#include "play/system.h"

namespace makzero::play {

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
