// Lines that a person types, from a stream or in an editor of lines.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace makzero::play {

struct LineQuestion {
  std::string prompt;
  // First words of an answer, for completion. Empty: the answer is neither completed nor kept in the history.
  std::function<std::vector<std::string>()> words = {};
};

struct TypedLine {
  std::optional<std::string> text = {};  // Without its end; none: interrupted, or the input has ended.
  bool interrupted = false;
};

class LineReader {
 public:
  virtual ~LineReader() = default;
  virtual TypedLine read(const LineQuestion& question) = 0;
};

// Whether there was an interrupt since the last call; empty: never.
using Interrupt = std::function<bool()>;

// Lines of a stream as they are, with the prompts in another: what is piped in. The streams must outlive it.
class StreamLines : public LineReader {
 public:
  StreamLines(std::istream& in, std::ostream& out, Interrupt interrupt);
  TypedLine read(const LineQuestion& question) override;

 private:
  std::istream& in_;
  std::ostream& out_;
  Interrupt interrupt_;
};

// Editor of lines on the terminal of stdin and stdout (libedit, Emacs keys unless ~/.editrc says otherwise),
// with a history kept in a file (empty path: nowhere) and completion by Tab. Null where stdin or stdout is no
// terminal or the terminal cannot move its cursor. Sets the character type of the process's locale to UTF-8.
std::unique_ptr<LineReader> line_editor(const std::filesystem::path& history, Interrupt interrupt);

}  // namespace makzero::play
