#include "play/pgn.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/written_move.h"

namespace makzero::play {
namespace {

using game::Parsed;
using Result = Parsed<PlayedGame>;

constexpr size_t kLineWidth = 80;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (!std::iscntrl(static_cast<unsigned char>(c))) result += c;
  }
  return result;
}

// Words of movetext joined to lines.
class Wrapped {
 public:
  void add(const std::string& word) {
    const bool fits = column_ + 1 + word.size() <= kLineWidth;
    if (column_ > 0) text_ += fits ? ' ' : '\n';
    column_ = (column_ > 0 && fits ? column_ + 1 : 0) + word.size();
    text_ += word;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  size_t column_ = 0;
};

std::string movetext(const PlayedGame& game, const game::Outcome& outcome) {
  const game::Game& rules = game.rules();
  Wrapped words;
  // Numbered by White's moves; a side may move twice in a row (Gala).
  int number = 0;
  std::optional<game::Color> last;
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    const Action& action = game.actions()[i];
    if (action.claim) {
      words.add("{" + std::string(claim_word(*action.claim)) + "}");
      continue;
    }
    const game::Position& before = game.position_before(i);
    const bool white = before.to_move == game::Color::kWhite;
    if (white || !last) ++number;
    if (white || last != game::Color::kWhite) words.add(std::to_string(number) + (white ? "." : "..."));
    words.add(is_chess(rules.info()) ? written_move(rules, before, action.move)
                                     : game::move_text(rules, before, action.move));
    last = before.to_move;
  }
  words.add(std::string(game::result_text(outcome.result)));
  return words.text();
}

// --- Reading. ---

// The text of a PGN from front to back.
class PgnReader {
 public:
  explicit PgnReader(std::string_view text) : text_(text) {}

  Result read() {
    while (skip_space(), peek() == '[') {
      if (!read_tag()) return failure("the tag is not like [Name \"value\"]");
    }
    Result begun = begin_game();
    if (!begun) return begun;
    PlayedGame game = *begun;
    while (skip_space(), at_ < text_.size()) {
      const auto why = read_element(&game);
      if (why) return failure(*why);
      if (ended_) break;
    }
    return game;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  Result failure(const std::string& why) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return Result::failure({"line " + std::to_string(line) + ": " + why});
  }

  bool read_tag() {
    const size_t open = text_.find('"', at_);
    if (open == std::string_view::npos) return false;
    std::string name = lower(text_.substr(at_ + 1, open - at_ - 1));
    name.erase(name.find_last_not_of(" \t") + 1);
    std::string value;
    size_t i = open + 1;
    for (; i < text_.size() && text_[i] != '"' && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;
      value += text_[i];
    }
    const size_t close = text_.find(']', i);
    if (name.empty() || i >= text_.size() || text_[i] != '"' || close == std::string_view::npos) return false;
    tags_[name] = value;
    at_ = close + 1;
    return true;
  }

  Result begin_game() const {
    const auto ruleset = tags_.find("ruleset"), variant = tags_.find("variant"), fen = tags_.find("fen");
    if (ruleset == tags_.end() && variant == tags_.end()) {
      return failure("no tag [Variant \"Makruk\"] or [Ruleset \"makyek\"]: the game is not known");
    }
    const bool exact = ruleset != tags_.end();
    const auto rules = game::make_game(exact ? ruleset->second : lower(variant->second));
    if (!rules) return failure((exact ? "Ruleset: " : "Variant: ") + rules.why());
    if (fen == tags_.end()) return PlayedGame(*rules);
    const auto position = game::parse_position(**rules, fen->second);
    if (!position) return failure("FEN: " + position.why());
    return PlayedGame(*rules, *position);
  }

  // A comment, variation, move number, move, declaration or result. The reason where it cannot be.
  std::optional<std::string> read_element(PlayedGame* game) {
    if (peek() == '{') return read_comment(game);
    if (peek() == ';' || peek() == '%') return skip_past('\n');
    if (peek() == '(') return skip_variation();
    const size_t end = std::min(text_.find_first_of(" \t\r\n{}();", at_), text_.size());
    if (end == at_) return "'" + std::string(1, peek()) + "' has no beginning";
    const std::string_view word = text_.substr(at_, end - at_);
    auto why = read_word(word, game);
    if (!why) at_ = end;
    return why;
  }

  std::optional<std::string> read_word(std::string_view word, PlayedGame* game) {
    if (word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*") {
      ended_ = true;
      return std::nullopt;
    }
    if (word[0] == '$') return std::nullopt;
    // The last position, which a run writes below the moves of its sample games.
    if (std::count(word.begin(), word.end(), '/') + 1 == game->rules().info().ranks) {
      ended_ = true;
      return std::nullopt;
    }
    // "12.", "12...", and "12.e4" in one.
    const size_t digits = word.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) return std::nullopt;
    if (digits > 0 && word[digits] == '.')
      word.remove_prefix(std::min(word.find_first_not_of('.', digits), word.size()));
    if (word.empty() || word.find_first_not_of('.') == std::string_view::npos) return std::nullopt;
    if (game->outcome().over()) return "'" + std::string(word) + "' follows the end of the game: remove it";
    const auto move = parse_written_move(game->rules(), game->position(), word);
    if (!move) return move.why();
    game->play(*move);
    return std::nullopt;
  }

  std::optional<std::string> read_comment(PlayedGame* game) {
    const size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) return "the comment has no end: add '}'";
    const std::string comment(text_.substr(at_ + 1, end - at_ - 1));
    if (comment == claim_word(game::Claim::kStartCount) || comment == claim_word(game::Claim::kStopCount)) {
      if (auto why = play_word(comment, game)) return why;
    }
    at_ = end + 1;
    return std::nullopt;
  }

  std::optional<std::string> skip_past(char last) {
    at_ = std::min(text_.find(last, at_), text_.size() - 1) + 1;
    return std::nullopt;
  }

  std::optional<std::string> skip_variation() {
    int depth = 0;
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '{') i = std::min(text_.find('}', i), text_.size() - 1);
      depth += (text_[i] == '(') - (text_[i] == ')');
      if (depth > 0) continue;
      at_ = i + 1;
      return std::nullopt;
    }
    return "the variation has no end: add ')'";
  }

  std::string_view text_;
  size_t at_ = 0;
  std::map<std::string, std::string> tags_;  // By small letters.
  bool ended_ = false;
};

bool is_pgn(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

}  // namespace

std::string game_pgn(const PlayedGame& game, const game::Outcome& outcome, const PgnTags& tags) {
  const game::Game& rules = game.rules();
  const std::string& ruleset = rules.info().ruleset;
  std::string text;
  const auto tag = [&text](const char* name, const std::string& value) {
    text += std::string("[") + name + " \"" + escaped(value) + "\"]\n";
  };
  tag("Event", tags.event);
  tag("Site", tags.site);
  tag("Date", tags.date);
  tag("Round", tags.round);
  tag("White", tags.white);
  tag("Black", tags.black);
  tag("Result", std::string(game::result_text(outcome.result)));
  std::string variant(game::ruleset_name(ruleset));
  variant[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(variant[0])));
  tag("Variant", variant);
  tag("Ruleset", ruleset);
  if (game.start() != rules.initial()) {
    tag("SetUp", "1");
    tag("FEN", game::position_text(rules, game.start()));
  }
  if (outcome.over()) tag("Termination", std::string(game::reason_text(outcome.reason)));
  return text + "\n" + movetext(game, outcome) + "\n";
}

Result read_pgn(std::string_view text) { return PgnReader(text).read(); }

Result read_game(std::string_view text) { return is_pgn(text) ? read_pgn(text) : read_game_text(text); }

std::vector<std::string_view> split_games(std::string_view text) {
  if (!is_pgn(text)) return {text};
  std::vector<std::string_view> games;
  size_t begin = 0;
  bool moves = false, comment = false;  // Of the game that begins at `begin`.
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool tags = !comment && line.starts_with('[');
    if (tags && moves) {
      games.push_back(text.substr(begin, at - begin));
      begin = at;
      moves = false;
    }
    moves = moves || (!tags && line.find_first_not_of(" \t\r") != std::string_view::npos);
    const size_t brace = line.find_last_of("{}");
    if (!tags && brace != std::string_view::npos) comment = line[brace] == '{';
    at = end + 1;
  }
  games.push_back(text.substr(begin));
  return games;
}

}  // namespace makzero::play
