#include "play/notation/movetext.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>
#include <vector>

#include "game/plain_text.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

constexpr size_t kDeepest = 32;  // Variations within variations; what is deeper is left out.
constexpr int kMostNag = 255;    // PGN, 8.2.4.
constexpr int kMostDigits = 6;   // Of an evaluation in pawns, or of a clock's part.

constexpr std::string_view kEllipsis = "…";

// Signs of judgement that stand alone, and their numeric glyphs.
struct WrittenNag {
  std::string_view sign;
  int nag;
};
constexpr WrittenNag kWrittenNags[] = {{"=", 10},   {"∞", 13}, {"+=", 14},  {"⩲", 14},
                                       {"=+", 15},  {"⩱", 15}, {"+/-", 16}, {"±", 16},
                                       {"-/+", 17}, {"∓", 17}, {"+-", 18},  {"-+", 19}};

// The number that a text of digits alone stands for; none of another, or of too many.
std::optional<int> parse_digits(std::string_view text) {
  if (text.starts_with('-') || text.size() > kMostDigits) return std::nullopt;
  return game::parse_number<int>(text);
}

// "0.25", "-1.3", "#-3", perhaps with the depth behind it: "0.25/12", "0.25,12".
std::optional<Eval> parse_eval(std::string_view text) {
  Eval eval;
  const size_t mark = std::min(text.find_first_of(",/"), text.size());
  if (mark < text.size()) eval.depth = parse_digits(game::trimmed(text.substr(mark + 1)));
  text = game::trimmed(text.substr(0, mark));
  const bool mate = text.starts_with('#');
  if (mate) text.remove_prefix(1);
  const int sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_digits(text.substr(0, point));
  if (!whole || (mate && point < text.size())) return std::nullopt;
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

// The seconds of "1:09:59", "9:59.5" or "4".
std::optional<double> parse_clock(std::string_view text) {
  text = game::trimmed(text);
  double seconds = 0;
  const size_t point = std::min(text.find('.'), text.size());
  for (std::string_view whole = text.substr(0, point); !whole.empty();) {
    const size_t colon = std::min(whole.find(':'), whole.size());
    const auto part = parse_digits(whole.substr(0, colon));
    if (!part) return std::nullopt;
    seconds = 60 * seconds + *part;
    whole.remove_prefix(std::min(colon + 1, whole.size()));
  }
  if (point == 0) return std::nullopt;
  if (point == text.size()) return seconds;
  const auto fraction = parse_digits(text.substr(point + 1));
  if (!fraction) return std::nullopt;
  double share = *fraction;
  for (size_t digit = point + 1; digit < text.size(); ++digit) share /= 10;
  return seconds + share;
}

// Takes the value of "[%name value]" out of a comment, where `parse` reads it.
template <class Value>
void take_command(std::string_view name, std::optional<Value> (*parse)(std::string_view), std::string* text,
                  std::optional<Value>* value) {
  const std::string mark = "[%" + std::string(name) + " ";
  const size_t begin = text->find(mark), end = text->find(']', begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  const size_t from = begin + mark.size();
  const std::optional<Value> read = parse(std::string_view(*text).substr(from, end - from));
  if (!read) return;
  *value = read;
  text->erase(begin, end + 1 - begin);
}

// Words with one blank between them: lines are broken anywhere.
std::string one_line(std::string_view text) {
  std::string line;
  for (const std::string_view word : game::words_of(text)) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

// Adds what a comment says to a note.
void read_note(std::string_view comment, Note* note) {
  std::string text = one_line(comment);
  take_command("eval", parse_eval, &text, &note->eval);
  take_command("clk", parse_clock, &text, &note->clock);
  take_command("emt", parse_clock, &text, &note->time);
  text = one_line(text);
  note->comment += (note->comment.empty() || text.empty() ? "" : " ") + text;
}

// The NAG of "!", "?!" and the like behind a move; 0 where there is none.
int nag_behind(std::string_view word) {
  const std::string_view marks = word.substr(word.find_last_not_of("!?") + 1);
  const auto found = std::find(kGlyphs.begin(), kGlyphs.end(), marks);
  return found == kGlyphs.end() ? 0 : static_cast<int>(found - kGlyphs.begin());
}

// The NAG of a sign that stands alone; 0 where a word is none.
int nag_of(std::string_view word) {
  for (const WrittenNag& written : kWrittenNags) {
    if (written.sign == word) return written.nag;
  }
  return word.find_first_not_of("!?") == std::string_view::npos ? nag_behind(word) : 0;
}

// A word without the number of its move: "12.e4", "12...", "๑๒."; as it is where no point follows the digits.
std::string_view without_number(std::string_view word) {
  std::string_view rest = word;
  while (!rest.empty()) {
    const bool thai =
        rest.size() >= 3 && rest.substr(0, 2) == "\xE0\xB9" && rest[2] >= '\x90' && rest[2] <= '\x99';
    if (!thai && !std::isdigit(static_cast<unsigned char>(rest[0]))) break;
    rest.remove_prefix(thai ? 3 : 1);
  }
  const bool numbered = rest.empty() || rest[0] == '.' || rest.starts_with(kEllipsis);
  if (rest.size() < word.size() && !numbered) return word;
  while (rest.starts_with('.') || rest.starts_with(kEllipsis))
    rest.remove_prefix(rest[0] == '.' ? 1 : kEllipsis.size());
  return rest;
}

class MovetextReader {
 public:
  MovetextReader(std::string_view text, int line, const PlayedGame& start, const Dialect& latin,
                 const std::vector<int>& choices)
      : text_(text), first_line_(line), latin_(latin), choices_(choices), document_(start) {
    lines_.push_back({.game = start});
  }

  Movetext read() {
    std::optional<std::string> fault;
    while (!ended_ && !fault && (skip_space(), at_ < text_.size())) fault = read_element();
    if (!fault && lines_.size() > 1) fault = "the variation has no end: add ')'";
    if (fault) document_.fault = place() + *fault;
    document_.game = *lines_[0].game;
    document_.dialect = dialect_title(moves_, latin_);
    return {std::move(document_), result_, std::move(taken_), std::move(meanings_), ended_};
  }

 private:
  // The main line, or a variation.
  struct Line {
    std::optional<PlayedGame> game = {};  // None: it cannot be read, or lies too deep.
    game::Bitboard promoted = 0,
                   promoted_before = 0;  // Queens that were pawns, now and before the last move.
    int node = 0;                        // Its last move, or what it follows.
    Note coming = {};                    // Said before its first move.
    bool begun = false;
  };

  bool in_main_line() const { return lines_.size() == 1; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

  std::string place() const {
    const size_t at = std::min(at_, text_.size());
    const auto line =
        first_line_ + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return "line " + std::to_string(line) + ": ";
  }

  // A comment, variation, move number, move, declaration or result. The reason where it cannot be.
  std::optional<std::string> read_element() {
    if (peek() == '{' || peek() == ';') return read_comment();
    if (peek() == '%') return skip_line();
    if (peek() == '(') return begin_variation();
    if (peek() == ')' && !in_main_line()) return end_variation();
    size_t end = at_;
    const std::string word = next_word(&end);
    if (word.empty()) return read_stray();
    auto why = read_word(word);
    if (why && !in_main_line()) {
      lines_.back().game.reset();
      why.reset();
    }
    if (!why) at_ = end;
    return why;
  }

  std::string_view word_at(size_t at) const {
    const size_t begin = std::min(text_.find_first_not_of(kSpace, at), text_.size());
    return text_.substr(begin, std::min(text_.find_first_of(" \t\r\n{}();", begin), text_.size()) - begin);
  }

  // The next word, with what belongs to it though blanks stand between: "ค ฉ๘-ฉ๗", "บ.ค๔ × บ.ง๕".
  std::string next_word(size_t* end) const {
    std::string joined;
    for (bool more = true; more;) {
      const std::string_view word = word_at(*end);
      if (word.empty()) break;
      joined += joined.empty() ? without_number(word) : word;
      if (joined.empty()) joined = word;
      *end = static_cast<size_t>(word.data() - text_.data()) + word.size();
      more = is_piece_alone(joined) || is_capture_mark(word) || is_capture_mark(word_at(*end));
    }
    return joined;
  }

  // What closes nothing.
  std::optional<std::string> read_stray() {
    if (in_main_line()) return "'" + std::string(1, peek()) + "' has no beginning";
    lines_.back().game.reset();
    ++at_;
    return std::nullopt;
  }

  std::optional<std::string> read_word(std::string_view word) {
    Line& line = lines_.back();
    if (!line.game) return std::nullopt;
    if (const auto result = read_result(word)) {
      if (in_main_line()) result_ = game::result_text(*result);
      ended_ = in_main_line();
      return std::nullopt;
    }
    if (word[0] == '$') return add_nag(parse_digits(word.substr(1)).value_or(0));
    // The last position, which a run writes below the moves of its sample games.
    if (std::count(word.begin(), word.end(), '/') + 1 == line.game->rules().info().ranks) {
      ended_ = true;
      return std::nullopt;
    }
    const std::string_view move = without_number(word);
    if (move.empty()) return std::nullopt;
    if (const int nag = nag_of(move)) return add_nag(nag);
    if (is_declaration(move)) return declare(move);
    return read_move(move);
  }

  static bool is_declaration(std::string_view word) {
    return word == declaration_word(game::Declaration::kStartCount) ||
           word == declaration_word(game::Declaration::kStopCount);
  }

  std::optional<std::string> declare(std::string_view word) {
    Line& line = lines_.back();
    auto why = play_word(std::string(word), &*line.game);
    if (!why) advance(line.game->actions().back());
    return why;
  }

  std::optional<std::string> read_move(std::string_view word) {
    Line& line = lines_.back();
    if (!line.game->may_go_on()) return "'" + std::string(word) + "' follows the end of the game";
    const PlayedGame& game = *line.game;
    const MoveReading reading = {&latin_, line.promoted};
    const std::vector<game::Move> named = moves_named(game.rules(), game.position(), word, reading);
    if (named.empty()) return parse_written_move(game.rules(), game.position(), word, reading).why();
    const game::Move move = named[meaning_of(named.size())];
    line.promoted_before =
        std::exchange(line.promoted, promoted_after(game.rules(), game.position(), move, line.promoted));
    line.game->play(move);
    advance({move, std::nullopt});
    if (in_main_line()) moves_ += (moves_.empty() ? "" : " ") + std::string(word);
    const int nag = nag_behind(word);
    if (nag > 0) document_.nodes[line.node].note.nags.push_back(nag);
    return std::nullopt;
  }

  // Which meaning to take of a move that has some.
  size_t meaning_of(size_t meanings) {
    if (meanings == 1) return 0;
    ++document_.ambiguous_moves;
    if (!in_main_line()) return 0;
    const bool chosen = taken_.size() < choices_.size();
    taken_.push_back(chosen ? choices_[taken_.size()] : 0);
    meanings_.push_back(static_cast<int>(meanings));
    return static_cast<size_t>(taken_.back());
  }

  // The line has gone on by an action.
  void advance(const Action& action) {
    Line& line = lines_.back();
    const int parent = line.node;
    line.node = document_.follow(parent, action);
    if (in_main_line()) document_.make_main(line.node);
    if (!line.begun && !in_main_line()) document_.nodes[line.node].note = std::exchange(line.coming, {});
    line.begun = true;
  }

  std::optional<std::string> add_nag(int nag) {
    if (nag > 0 && nag <= kMostNag && lines_.back().begun)
      document_.nodes[lines_.back().node].note.nags.push_back(nag);
    return std::nullopt;
  }

  std::optional<std::string> read_comment() {
    const size_t end = peek() == '{' ? text_.find('}', at_) : std::min(text_.find('\n', at_), text_.size());
    if (end == std::string_view::npos) return "the comment has no end: add '}'";
    const std::string_view comment = text_.substr(at_ + 1, end - at_ - 1);
    Line& line = lines_.back();
    if (line.game && is_declaration(comment)) {
      auto why = declare(comment);
      if (why && in_main_line()) return why;
      if (why) line.game.reset();
    } else if (line.game) {
      read_note(comment, line.begun || in_main_line() ? &document_.nodes[line.node].note : &line.coming);
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
    if (lines_.size() > kDeepest + 1) {  // Within one that is left out for its depth.
      ++deeper_;
      return std::nullopt;
    }
    Line variation;
    const Line& line = lines_.back();
    if (line.game && line.begun && lines_.size() <= kDeepest) {
      variation.game = line.game;
      variation.game->take_back();
      variation.promoted = variation.promoted_before = line.promoted_before;
      variation.node = document_.nodes[line.node].parent;
    }
    lines_.push_back(std::move(variation));
    return std::nullopt;
  }

  std::optional<std::string> end_variation() {
    ++at_;
    if (!lines_.back().game) ++document_.unread_variations;
    if (deeper_ == 0) lines_.pop_back();
    if (deeper_ > 0) --deeper_;
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
  int first_line_;
  const Dialect& latin_;
  const std::vector<int>& choices_;
  std::vector<int> taken_, meanings_;  // As of Movetext.
  GameDocument document_;
  std::vector<Line> lines_;  // The main line, and the variations that one reads within.
  size_t deeper_ = 0;        // Variations within the last of them, which are left out.
  std::string moves_;        // Of the main line, as written.
  std::string result_;
  bool ended_ = false;
};

}  // namespace

Movetext read_movetext(std::string_view text, int line, const PlayedGame& start, const Dialect& latin,
                       const std::vector<int>& choices) {
  return MovetextReader(text, line, start, latin, choices).read();
}

std::optional<game::Result> read_result(std::string_view word) {
  if (word == "1/2" || word == "½-½" || word == "½") return game::Result::kDraw;
  std::string plain(word);
  for (const std::string_view dash : {"–", "−", ":"}) {
    if (const size_t at = plain.find(dash); at != std::string::npos) plain.replace(at, dash.size(), "-");
  }
  return game::parse_result(plain);
}

}  // namespace makzero::play
