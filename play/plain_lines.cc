#include "play/plain_lines.h"

#include <istream>
#include <iterator>
#include <sstream>

#include "game/plain_text.h"

namespace makzero::play {

bool PlainLines::next(std::string* line) {
  while (lines_.empty()) {
    std::string bytes;
    if (!std::getline(in_, bytes)) return false;
    // A byte order mark of UTF-16, in which LF is one byte of two.
    if (!begun_ && !in_.eof() && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")))
      bytes += "\n" + std::string(std::istreambuf_iterator<char>(in_), {});
    begun_ = true;
    std::istringstream text(game::plain_text(bytes));
    for (std::string part; std::getline(text, part);)
      if (!part.empty()) lines_.push_back(part);
  }
  *line = std::move(lines_.front());
  lines_.pop_front();
  return true;
}

}  // namespace makzero::play
