#include "play/plain_lines.h"

#include <istream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "game/plain_text.h"

namespace makzero::play {

bool PlainLines::next(std::string* line) {
  while (lines_.empty()) {
    std::string bytes;
    if (!std::getline(in_, bytes)) return false;
    // A byte order mark of UTF-16, in which LF is one byte of two.
    if (!begun_ && !in_.eof() && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")))
      bytes += "\n" + std::string(std::istreambuf_iterator<char>(in_), {});
    // A mark is one at the beginning of the stream alone.
    if (begun_ && !bytes.empty() && std::string_view("\xEF\xFE\xFF").find(bytes[0]) != std::string_view::npos)
      bytes.insert(0, " ");
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
