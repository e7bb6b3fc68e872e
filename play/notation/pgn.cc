#include "play/notation/pgn.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

constexpr size_t kLineWidth = 80;

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
  void add(const std::string& bare) {
    const std::string word = std::exchange(prefix_, "") + bare;
    const bool fits = column_ + 1 + word.size() <= kLineWidth;
    if (column_ > 0) text_ += fits ? ' ' : '\n';
    column_ = (column_ > 0 && fits ? column_ + 1 : 0) + word.size();
    text_ += word;
  }
  void add_comment(const std::string& text) {
    add("{");
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      std::replace(word.begin(), word.end(), '}', ')');
      add(word);
    }
    add("}");
  }
  void open() { prefix_ += '('; }
  void close() {
    text_ += ')';
    ++column_;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_, prefix_;
  size_t column_ = 0;
};

std::string eval_text(const Eval& eval) {
  if (eval.mate) return "#" + std::to_string(*eval.mate);
  char text[32];
  const int size = std::abs(eval.centipawns);
  std::snprintf(text, sizeof text, "%s%d.%02d", eval.centipawns < 0 ? "-" : "", size / 100, size % 100);
  return text;
}

std::string eval_comment(const Eval& eval) { return "{ [%eval " + eval_text(eval) + "] }"; }

// Writes lines of moves, the variations of each behind it.
class MovetextWriter {
 public:
  explicit MovetextWriter(const AnnotatedGame& game) : game_(game) {}

  std::string write() {
    const Note& start = game_.nodes[0].note;
    if (!start.comment.empty()) words_.add_comment(start.comment);
    if (start.eval) words_.add(eval_comment(*start.eval));
    write_line(0, {game_.game.start()});
    words_.add(std::string(game::result_text(game_.game.outcome().result)));
    return words_.text();
  }

 private:
  // Before a move. Numbered by White's moves; a side may move twice in a row (Gala).
  struct Place {
    game::Position position;
    int number = 0;
    std::optional<game::Color> last = {};
    bool broken = false;  // A comment or variation stands before it: Black's number is written again.
  };

  void write_line(int parent, Place place) {
    while (!game_.nodes[parent].next.empty()) {
      const std::vector<int>& moves = game_.nodes[parent].next;
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
    const GameNode& node = game_.nodes[index];
    const game::Game& rules = game_.game.rules();
    if (node.action.declaration) {
      words_.add("{" + std::string(declaration_word(*node.action.declaration)) + "}");
      rules.declare(*node.action.declaration, &place->position);
      return write_note(node.note, 0, place);
    }
    const bool white = place->position.to_move == game::Color::kWhite;
    if (white || !place->last) ++place->number;
    if (white || place->last != game::Color::kWhite || place->broken)
      words_.add(std::to_string(place->number) + (white ? "." : "..."));
    place->last = place->position.to_move;
    place->broken = false;
    words_.add((is_chess(rules.info()) ? written_move(rules, place->position, node.action.move)
                                       : game::move_text(rules, place->position, node.action.move)) +
               std::string(glyph(node.note)));
    rules.apply(node.action.move, &place->position);
    write_note(node.note, glyph(node.note).empty() ? 0 : 1, place);
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
    if (!note.comment.empty()) words_.add_comment(note.comment);
    if (note.eval) words_.add(eval_comment(*note.eval));
    place->broken = place->broken || note.eval || !note.comment.empty();
  }

  const AnnotatedGame& game_;
  Wrapped words_;
};

bool is_pgn(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

}  // namespace

std::string game_pgn(const AnnotatedGame& game) {
  const game::Game& rules = game.game.rules();
  const game::Outcome& outcome = game.game.outcome();
  const std::string& ruleset = rules.info().ruleset;
  std::string text;
  const auto tag = [&text](const char* name, const std::string& value) {
    text += std::string("[") + name + " \"" + escaped(value) + "\"]\n";
  };
  tag("Event", game.tags.event);
  tag("Site", game.tags.site);
  tag("Date", game.tags.date);
  tag("Round", game.tags.round);
  tag("White", game.tags.white);
  tag("Black", game.tags.black);
  tag("Result", std::string(game::result_text(outcome.result)));
  std::string variant(game::ruleset_name(ruleset));
  variant[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(variant[0])));
  tag("Variant", variant);
  tag("Ruleset", ruleset);
  if (game.game.start() != rules.initial()) {
    tag("SetUp", "1");
    tag("FEN", game::position_text(rules, game.game.start()));
  }
  for (const auto& [name, value] : game.tags.others) tag(name.c_str(), value);
  if (outcome.reason != game::Reason::kNone)
    tag("Termination", std::string(game::reason_text(outcome.reason)));
  return text + "\n" + MovetextWriter(game).write() + "\n";
}

std::string game_pgn(const PlayedGame& game, const PgnTags& tags) {
  AnnotatedGame annotated(game);
  annotated.tags = tags;
  return game_pgn(annotated);
}

game::Parsed<AnnotatedGame> read_annotated_game(std::string_view text) {
  if (is_pgn(text)) return read_annotated_pgn(text);
  const game::Parsed<PlayedGame> game = read_game_text(text);
  if (!game) return game::Parsed<AnnotatedGame>::failure(game.reasons());
  return AnnotatedGame(*game);
}

game::Parsed<PlayedGame> read_game(std::string_view text) {
  const game::Parsed<AnnotatedGame> game = read_annotated_game(text);
  if (!game) return game::Parsed<PlayedGame>::failure(game.reasons());
  return game->game;
}

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
