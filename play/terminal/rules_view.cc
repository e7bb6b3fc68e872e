#include "play/terminal/rules_view.h"

#include <algorithm>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "game/rules_guide.h"

namespace makzero::play {
namespace {

constexpr std::string_view kHeading = "## ";
constexpr std::string_view kIndent = "    ";  // Boards, pieces and lists.
constexpr int kNameColumns = 18;

// Writes a text anew: paragraphs, headings and pieces that the catalogue has are its own.
class RulesWriter {
 public:
  RulesWriter(std::string_view ruleset, const Language& language)
      : rules_(*game::make_game(ruleset)), guide_(game::rules_guide(ruleset)), language_(language) {}

  void add(const std::string& line) {
    const bool words = !line.empty() && !line.starts_with(kIndent) && !line.starts_with('#');
    if (words) {
      english_ += line + "\n";
      return;
    }
    end_paragraph();
    if (line.starts_with(kHeading)) {
      written_ += std::string(kHeading) + language_.text(line.substr(kHeading.size())) + "\n";
    } else {
      written_ += board_of(line) + piece_line(line) + "\n";
    }
  }

  std::string take() {
    end_paragraph();
    return std::move(written_);
  }

 private:
  // The terminal breaks a translated paragraph, which is a single line.
  void end_paragraph() {
    if (english_.empty()) return;
    std::string joined = english_.substr(0, english_.size() - 1);
    std::replace(joined.begin(), joined.end(), '\n', ' ');
    const std::string own = language_.text(joined);
    written_ += own == joined ? english_ : own + "\n";
    english_.clear();
  }

  // The board above an example, "    7k/8/8/8/8/8/8/R3K3 w - - 0 1  a1a8".
  std::string board_of(const std::string& line) const {
    if (line.find('/') == std::string::npos) return "";
    const size_t end = std::min(line.find("  ", kIndent.size()), line.size());
    const auto position =
        game::parse_position(*rules_, std::string_view(line).substr(kIndent.size(), end - kIndent.size()));
    return position ? "\n" + game::board_text(*rules_, *position) : "";
  }

  // "    K khun (king)   one step in any direction"; another line as it is.
  std::string piece_line(const std::string& line) const {
    for (const game::GuidePiece& piece : guide_.pieces) {
      std::string own(kIndent);
      own.append({piece.letter, ' '});
      const std::string moves = language_.text(piece.moves);
      if (moves == piece.moves || !line.starts_with(own + piece.name)) continue;
      own += padded(language_.text(piece.name), kNameColumns);
      return own + moves;
    }
    return line;
  }

  game::GamePtr rules_;
  game::RulesGuide guide_;
  const Language& language_;
  std::string english_;  // The paragraph so far, line by line.
  std::string written_;
};

}  // namespace

std::string rules_view(std::string_view ruleset, const std::string& part, const Language& language) {
  RulesWriter writer(ruleset, language);
  std::istringstream lines{std::string(game::rules_text(ruleset))};
  bool inside = part.empty();
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kHeading)) {
      const std::string heading = line.substr(kHeading.size());
      const bool listing = heading == "Rulesets" || heading == "Options" || heading == "Sources";
      const auto begins = [&](const std::string& text) {
        return game::lowered(text).starts_with(game::lowered(part));
      };
      inside = part.empty() ? !listing : begins(heading) || begins(language.text(heading));
    }
    if (inside) writer.add(line);
  }
  return writer.take();
}

}  // namespace makzero::play
