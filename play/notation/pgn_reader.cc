// The reader of PGN: tags, moves, declarations, comments with evaluations, glyphs and variations.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/notation/pgn.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using game::Parsed;
using Result = Parsed<AnnotatedGame>;

constexpr size_t kDeepest = 32;  // Variations within variations; what is deeper is left out.
constexpr int kMostNag = 255;    // PGN, 8.2.4.
constexpr int kMostDigits = 6;   // Of an evaluation in pawns.

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

// The number that a text of digits alone stands for; none of another, or of too many.
std::optional<int> parse_digits(std::string_view text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool digits = std::isdigit(static_cast<unsigned char>(text.empty() ? ' ' : text[0])) != 0;
  if (!digits || text.size() > kMostDigits || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

// "0.25", "-1.3", "#-3", perhaps with ",DEPTH" behind it.
std::optional<Eval> parse_eval(std::string_view text) {
  text = trimmed(text.substr(0, text.find(',')));
  const bool mate = text.starts_with('#');
  if (mate) text.remove_prefix(1);
  const int sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_digits(text.substr(0, point));
  if (!whole) return std::nullopt;
  if (mate && point < text.size()) return std::nullopt;
  Eval eval;
  if (mate) {
    eval.mate = sign * *whole;
    return eval;
  }
  // Hundredths; what is finer is cut off.
  const std::string fraction = std::string(text.substr(std::min(point + 1, text.size()))) + "00";
  const auto hundredths = parse_digits(std::string_view(fraction).substr(0, 2));
  if (!hundredths) return std::nullopt;
  eval.centipawns = sign * (100 * *whole + *hundredths);
  return eval;
}

// Adds what a comment says to a note.
void read_note(std::string_view comment, Note* note) {
  static constexpr std::string_view kEval = "[%eval ";
  std::string text(trimmed(comment));
  const size_t begin = text.find(kEval), end = text.find(']', begin);
  if (begin != std::string::npos && end != std::string::npos) {
    const size_t value = begin + kEval.size();
    if (const auto eval = parse_eval(std::string_view(text).substr(value, end - value))) {
      note->eval = eval;
      text.erase(begin, end + 1 - begin);
    }
  }
  // Lines are broken anywhere between words.
  std::istringstream words(text);
  for (std::string word; words >> word;) note->comment += (note->comment.empty() ? "" : " ") + word;
}

// The NAG of "!", "?!" and the like behind a move; 0 where there is none.
int nag_behind(std::string_view word) {
  const std::string_view marks = word.substr(word.find_last_not_of("!?") + 1);
  const auto found = std::find(kGlyphs.begin(), kGlyphs.end(), marks);
  return found == kGlyphs.end() ? 0 : static_cast<int>(found - kGlyphs.begin());
}

// The text of a PGN from front to back.
class PgnReader {
 public:
  explicit PgnReader(std::string_view text) : text_(text) {}

  Result read() {
    while (skip_space(), peek() == '[') {
      if (!read_tag()) return failure("the tag is not like [Name \"value\"]");
    }
    Parsed<PlayedGame> begun = begin_game();
    if (!begun) return Result::failure(begun.reasons());
    AnnotatedGame tree(*begun);
    tree_ = &tree;
    lines_.push_back({.game = *begun});
    while (!ended_ && (skip_space(), at_ < text_.size())) {
      if (const auto why = read_element()) return failure(*why);
    }
    if (lines_.size() > 1) return failure("the variation has no end: add ')'");
    tree.game = *lines_[0].game;
    end_as_stated((result_.empty() ? tags_["result"] : result_) + " " + how_it_ended(), &tree.game);
    tree.tags = pgn_tags(tree.game.outcome().reason == game::Reason::kNone);
    return tree;
  }

 private:
  // The main line, or a variation.
  struct Line {
    std::optional<PlayedGame> game = {};  // None: it cannot be read, or lies too deep.
    int node = 0;                         // Its last move, or what it follows.
    Note coming = {};                     // Said before its first move.
    bool begun = false;
  };

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  std::string place() const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return "line " + std::to_string(line) + ": ";
  }

  Result failure(const std::string& why) const { return Result::failure({place() + why}); }

  bool read_tag() {
    const size_t open = text_.find('"', at_);
    if (open == std::string_view::npos) return false;
    const std::string name(trimmed(text_.substr(at_ + 1, open - at_ - 1)));
    std::string value;
    size_t i = open + 1;
    for (; i < text_.size() && text_[i] != '"' && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;
      value += text_[i];
    }
    const size_t close = text_.find(']', i);
    if (name.empty() || i >= text_.size() || text_[i] != '"' || close == std::string_view::npos) return false;
    // A name with control characters would be another one when it is read again.
    const bool is_text = std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' '; });
    if (is_text && !tags_.contains(lower(name))) names_.push_back(name);
    if (is_text) tags_[lower(name)] = value;
    at_ = close + 1;
    return true;
  }

  Parsed<PlayedGame> begin_game() const {
    const auto failed = [&](const std::string& why) { return Parsed<PlayedGame>::failure({place() + why}); };
    const auto ruleset = tags_.find("ruleset"), variant = tags_.find("variant"), fen = tags_.find("fen");
    if (ruleset == tags_.end() && variant == tags_.end()) {
      return failed("no tag [Variant \"Makruk\"] or [Ruleset \"makyek\"]: the game is not known");
    }
    const bool exact = ruleset != tags_.end();
    const auto rules = game::make_game(exact ? ruleset->second : lower(variant->second));
    if (!rules) return failed((exact ? "Ruleset: " : "Variant: ") + rules.why());
    if (fen == tags_.end()) return PlayedGame(*rules);
    const auto position = game::parse_position(**rules, fen->second);
    if (!position) return failed("FEN: " + position.why());
    return PlayedGame(*rules, *position);
  }

  // Sample games of runs have a tag of their own for it.
  std::string how_it_ended() const {
    for (const char* name : {"termination", "reason"}) {
      if (const auto found = tags_.find(name); found != tags_.end()) return found->second;
    }
    return "";
  }

  // Tags that follow from the game are left out; `open`: the file does not say why the game ended.
  PgnTags pgn_tags(bool open) const {
    static const std::set<std::string> kOfTheGame = {"result", "variant", "ruleset",
                                                     "setup",  "fen",     "reason"};
    PgnTags tags;
    const std::map<std::string, std::string*> known = {{"event", &tags.event}, {"site", &tags.site},
                                                       {"date", &tags.date},   {"round", &tags.round},
                                                       {"white", &tags.white}, {"black", &tags.black}};
    for (const std::string& name : names_) {
      const std::string key = lower(name), &value = tags_.at(key);
      if (const auto found = known.find(key); found != known.end())
        *found->second = value;
      else if (!kOfTheGame.contains(key) && (open || key != "termination"))
        tags.others.emplace_back(name, value);
    }
    return tags;
  }

  // A comment, variation, move number, move, declaration or result. The reason where it cannot be.
  std::optional<std::string> read_element() {
    if (peek() == '{' || peek() == ';') return read_comment();
    if (peek() == '%') return skip_line();
    if (peek() == '(') return begin_variation();
    if (peek() == ')' && lines_.size() > 1) return end_variation();
    const size_t end = std::min(text_.find_first_of(" \t\r\n{}();", at_), text_.size());
    if (end == at_) return read_stray();
    auto why = read_word(text_.substr(at_, end - at_));
    if (why && lines_.size() > 1) {
      lines_.back().game.reset();
      why.reset();
    }
    if (!why) at_ = end;
    return why;
  }

  // What closes nothing.
  std::optional<std::string> read_stray() {
    if (lines_.size() == 1) return "'" + std::string(1, peek()) + "' has no beginning";
    lines_.back().game.reset();
    ++at_;
    return std::nullopt;
  }

  std::optional<std::string> read_word(std::string_view word) {
    Line& line = lines_.back();
    if (!line.game) return std::nullopt;
    if (game::parse_result(word)) {
      if (lines_.size() == 1) result_ = word;
      ended_ = lines_.size() == 1;
      return std::nullopt;
    }
    if (word[0] == '$') return read_nag(word.substr(1));
    // The last position, which a run writes below the moves of its sample games.
    if (std::count(word.begin(), word.end(), '/') + 1 == line.game->rules().info().ranks) {
      ended_ = true;
      return std::nullopt;
    }
    // "12.", "12...", and "12.e4" in one.
    const size_t digits = word.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) return std::nullopt;
    if (digits > 0 && word[digits] == '.')
      word.remove_prefix(std::min(word.find_first_not_of('.', digits), word.size()));
    if (word.empty() || word.find_first_not_of('.') == std::string_view::npos) return std::nullopt;
    return read_move(word);
  }

  std::optional<std::string> read_move(std::string_view word) {
    Line& line = lines_.back();
    if (line.game->outcome().over())
      return "'" + std::string(word) + "' follows the end of the game: remove it";
    const auto move = parse_written_move(line.game->rules(), line.game->position(), word);
    if (!move) return move.why();
    line.game->play(*move);
    advance({*move, std::nullopt});
    const int nag = nag_behind(word);
    if (nag > 0) tree_->nodes[line.node].note.nags.push_back(nag);
    return std::nullopt;
  }

  // The line has gone on by an action.
  void advance(const Action& action) {
    Line& line = lines_.back();
    const int parent = line.node;
    line.node = tree_->follow(parent, action);
    if (lines_.size() == 1) tree_->make_main(line.node);
    if (!line.begun && lines_.size() > 1) tree_->nodes[line.node].note = std::exchange(line.coming, {});
    line.begun = true;
  }

  std::optional<std::string> read_nag(std::string_view digits) {
    const int nag = parse_digits(digits).value_or(0);
    if (nag > 0 && nag <= kMostNag && lines_.back().begun)
      tree_->nodes[lines_.back().node].note.nags.push_back(nag);
    return std::nullopt;
  }

  std::optional<std::string> read_comment() {
    const size_t end = peek() == '{' ? text_.find('}', at_) : std::min(text_.find('\n', at_), text_.size());
    if (end == std::string_view::npos) return "the comment has no end: add '}'";
    const std::string comment(text_.substr(at_ + 1, end - at_ - 1));
    Line& line = lines_.back();
    const bool word = comment == declaration_word(game::Declaration::kStartCount) ||
                      comment == declaration_word(game::Declaration::kStopCount);
    if (line.game && word) {
      auto why = play_word(comment, &*line.game);
      if (why && lines_.size() == 1) return why;
      if (why) line.game.reset();
      if (!why) advance(line.game->actions().back());
    } else if (line.game) {
      read_note(comment, line.begun || lines_.size() == 1 ? &tree_->nodes[line.node].note : &line.coming);
    }
    at_ = std::min(end + 1, text_.size());
    return std::nullopt;
  }

  std::optional<std::string> skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    return std::nullopt;
  }

  // Instead of the last action of the line that it stands in.
  std::optional<std::string> begin_variation() {
    ++at_;
    Line variation;
    const Line& line = lines_.back();
    if (line.game && line.begun && lines_.size() <= kDeepest) {
      variation.game = line.game;
      variation.game->take_back();
      variation.node = tree_->nodes[line.node].parent;
    }
    lines_.push_back(std::move(variation));
    return std::nullopt;
  }

  std::optional<std::string> end_variation() {
    ++at_;
    if (!lines_.back().game) ++tree_->unread_variations;
    lines_.pop_back();
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::map<std::string, std::string> tags_;  // By small letters.
  std::vector<std::string> names_;           // Of the tags, as written.
  AnnotatedGame* tree_ = nullptr;
  std::vector<Line> lines_;  // The main line, and the variations that one reads within.
  std::string result_;
  bool ended_ = false;
};

}  // namespace

Result read_annotated_pgn(std::string_view text) { return PgnReader(text).read(); }

}  // namespace makzero::play
