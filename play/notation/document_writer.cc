#include "play/notation/document_writer.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"

namespace makzero::play {
namespace {

constexpr size_t kLineWidth = 80, kOneLine = static_cast<size_t>(-1);

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// Words of movetext joined to lines.
class Wrapped {
 public:
  explicit Wrapped(size_t width) : width_(width) {}

  void add(const std::string& bare) {
    const std::string word = std::exchange(prefix_, "") + bare;
    const bool fits = !std::exchange(ends_line_, false) && column_ + 1 + word.size() <= width_;
    if (column_ > 0) text_ += fits ? ' ' : '\n';
    column_ = (column_ > 0 && fits ? column_ + 1 : 0) + word.size();
    text_ += word;
  }
  // In braces, or to the end of the line where it has such a brace itself.
  void add_comment(const std::string& text) {
    if (text.find('}') != std::string::npos) {
      std::string line = ";";
      for (const std::string_view word : game::words_of(text)) line.append(" ").append(word);
      add(line);
      ends_line_ = true;
      return;
    }
    add("{");
    for (const std::string_view word : game::words_of(text)) add(std::string(word));
    add("}");
  }
  void open() { prefix_ += '('; }
  void close() {
    if (std::exchange(ends_line_, false)) text_ += '\n';
    text_ += ')';
    ++column_;
  }
  const std::string& text() const { return text_; }

 private:
  size_t width_;
  std::string text_, prefix_;
  size_t column_ = 0;
  bool ends_line_ = false;  // The next word begins a line.
};

std::string eval_text(const Eval& eval) {
  const std::string depth = eval.depth ? "," + std::to_string(*eval.depth) : "";
  if (eval.mate) return "#" + std::to_string(*eval.mate) + depth;
  char text[32];
  const int size = std::abs(eval.centipawns);
  std::snprintf(text, sizeof text, "%s%d.%02d", eval.centipawns < 0 ? "-" : "", size / 100, size % 100);
  return text + depth;
}

// "1:09:59", with thousandths where there are some.
std::string clock_text(double seconds) {
  const auto thousandths = static_cast<long long>(std::llround(seconds * 1000));
  const long long whole = thousandths / 1000, rest = thousandths % 1000;
  char text[48];
  std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  std::string clock = text;
  if (rest == 0) return clock;
  std::snprintf(text, sizeof text, ".%03lld", rest);
  clock += text;
  return clock.substr(0, clock.find_last_not_of('0') + 1);
}

// What stands in the comment behind a move.
std::string comment_of(const Note& note) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  if (note.eval) add("[%eval " + eval_text(*note.eval) + "]");
  if (note.clock) add("[%clk " + clock_text(*note.clock) + "]");
  if (note.time) add("[%emt " + clock_text(*note.time) + "]");
  if (!note.comment.empty()) add(note.comment);
  return text;
}

// How movetext is laid out.
struct Layout {
  Notation notation = Notation::kLetters;
  bool numbered = true;  // Moves have numbers, and declarations are comments.
  size_t width = kLineWidth;
};

// Writes lines of moves, the variations of each behind it.
class MovetextWriter {
 public:
  MovetextWriter(const GameDocument& document, const Layout& layout)
      : document_(document), layout_(layout), words_(layout.width) {}

  std::string write() {
    write_comment(document_.nodes[0].note);
    write_line(0, {document_.game.start()});
    if (layout_.numbered) words_.add(std::string(game::result_text(document_.game.outcome().result)));
    return words_.text();
  }

 private:
  // Before a move. Numbered by White's moves; a side may move twice in a row (Gala).
  struct Place {
    game::Position position;
    int number = 0;
    std::optional<game::Color> last = {};
    bool broken = false;  // A comment or variation stands before it: Black's number is written again.
    game::Bitboard promoted = 0;
  };

  void write_line(int parent, Place place) {
    while (!document_.nodes[parent].next.empty()) {
      const std::vector<int>& moves = document_.nodes[parent].next;
      Place before = place;
      write_move(moves[0], &place);
      before.broken = true;
      for (size_t i = 1; i < moves.size(); ++i) {
        write_variation(moves[i], before);
        place.broken = true;
      }
      parent = moves[0];
    }
  }

  void write_variation(int node, Place place) {
    words_.open();
    write_move(node, &place);
    write_line(node, place);
    words_.close();
  }

  void write_move(int index, Place* place) {
    const GameNode& node = document_.nodes[index];
    const game::Game& rules = document_.game.rules();
    if (node.action.declaration) {
      const std::string word = declaration_word(*node.action.declaration);
      words_.add(layout_.numbered ? "{" + word + "}" : word);
      rules.declare(*node.action.declaration, &place->position);
      return write_note(node.note, 0, place);
    }
    const bool white = place->position.to_move == game::Color::kWhite;
    if (white || !place->last) ++place->number;
    if (layout_.numbered && (white || place->last != game::Color::kWhite || place->broken))
      words_.add(std::to_string(place->number) + (white ? "." : "..."));
    place->last = place->position.to_move;
    place->broken = false;
    const game::Move move = node.action.move;
    words_.add(text_of(rules, *place, move) + std::string(glyph(node.note)));
    place->promoted = promoted_after(rules, place->position, move, place->promoted);
    rules.apply(move, &place->position);
    write_note(node.note, glyph(node.note).empty() ? 0 : 1, place);
  }

  // In Thai a letter may be a piece or a file: a move that could be read in two ways is written by its
  // squares.
  std::string text_of(const game::Game& rules, const Place& place, game::Move move) const {
    const Notation notation = is_chess(rules.info()) ? layout_.notation : Notation::kCoordinates;
    const std::string text = written_move(rules, place.position, move, notation, place.promoted);
    const bool clear = notation != Notation::kThai || moves_named(rules, place.position, text).size() == 1;
    return clear ? text : game::move_text(rules, place.position, move);
  }

  // The judgement that stands behind a move; the other glyphs follow by their numbers.
  static std::string_view glyph(const Note& note) {
    const bool judged =
        !note.nags.empty() && note.nags[0] > 0 && note.nags[0] < static_cast<int>(kGlyphs.size());
    return judged ? kGlyphs[note.nags[0]] : "";
  }

  // `nag`: the first one that is not written yet.
  void write_note(const Note& note, size_t nag, Place* place) {
    for (; nag < note.nags.size(); ++nag) words_.add("$" + std::to_string(note.nags[nag]));
    place->broken |= write_comment(note);
  }

  bool write_comment(const Note& note) {
    const std::string comment = comment_of(note);
    if (comment.empty()) return false;
    words_.add_comment(comment);
    return true;
  }

  const GameDocument& document_;
  const Layout layout_;
  Wrapped words_;
};

std::string capitalised(std::string_view name) {
  std::string text(name);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// The document's tags and those that follow from the game.
Tags complete_tags(const GameDocument& document) {
  const game::Game& rules = document.game.rules();
  const game::Outcome& outcome = document.game.outcome();
  const std::string& ruleset = rules.info().ruleset;
  Tags tags = document.tags;
  for (const char* name : {"Event", "Site"}) tags.add(name, "?");
  tags.add("Date", "????.??.??");
  for (const char* name : {"Round", "White", "Black"}) tags.add(name, "?");
  tags.set("Result", game::result_text(outcome.result));
  const auto named = game::make_game(tags.value("Variant"));
  const bool variant_says_it = named && (*named)->info().ruleset == ruleset;
  if (!variant_says_it) tags.set("Variant", capitalised(game::ruleset_name(ruleset)));
  if (!variant_says_it || tags.contains("Ruleset")) tags.set("Ruleset", ruleset);
  const auto start = game::parse_position(rules, tags.value("FEN"));
  const bool told = start ? document.game.start() == *start
                          : document.game.start() == rules.initial() && !is_chess(rules.info());
  if (!told) {
    tags.set("SetUp", "1");
    tags.set("FEN", game::position_text(rules, document.game.start()));
  }
  if (outcome.reason != game::Reason::kNone) tags.add("Termination", game::reason_text(outcome.reason));
  return tags;
}

std::string ending_text(const game::Outcome& outcome) {
  std::string text(game::result_text(outcome.result));
  if (outcome.reason != game::Reason::kNone) text += " " + std::string(game::reason_text(outcome.reason));
  return text;
}

}  // namespace

std::string game_pgn(const GameDocument& document, Notation notation) {
  std::string text;
  const Tags tags = complete_tags(document);
  for (const Tag& tag : tags.all()) text += "[" + tag.name + " \"" + escaped(tag.value) + "\"]\n";
  return text + "\n" + MovetextWriter(document, {.notation = notation}).write() + "\n";
}

std::string game_text(const GameDocument& document) {
  const PlayedGame& game = document.game;
  std::string text = "ruleset " + game.rules().info().ruleset + "\n";
  for (const Tag& tag : document.tags.all()) {
    const bool one_word = tag.name.find_first_of(" \t\n") == std::string::npos;
    if (one_word) text += "tag " + tag.name + " " + tag.value + "\n";
  }
  text += "start " + game::position_text(game.rules(), game.start()) + "\n";
  const Layout layout = {.notation = Notation::kCoordinates, .numbered = false, .width = kOneLine};
  const std::string moves = MovetextWriter(document, layout).write();
  return text + "moves" + (moves.empty() ? "" : " " + moves) + "\nresult " + ending_text(game.outcome()) +
         "\n";
}

}  // namespace makzero::play
