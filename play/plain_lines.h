// Lines of a given stream, converted as game/plain_text.h converts texts.
#pragma once

#include <deque>
#include <iosfwd>
#include <string>

namespace makzero::play {

// game::plain_text() of a stream, line by line: each as soon as its LF has come, UTF-16 at the end of the
// stream. Empty lines are left out.
class PlainLines {
 public:
  explicit PlainLines(std::istream& in) : in_(in) {}

  // False at the end of the stream.
  bool next(std::string* line);

 private:
  std::istream& in_;
  bool begun_ = false;
  std::deque<std::string> lines_;  // Read already: a CR ends one too.
};

}  // namespace makzero::play
