#include "play/notation/document_reader.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "play/notation/dialect.h"
#include "play/notation/movetext.h"

namespace makzero::play {
namespace {

using game::Parsed;
using Result = Parsed<GameDocument>;

constexpr std::string_view kUciPosition = "position ";
constexpr int kMostTries = 64;  // Of meanings of ambiguous moves.
constexpr int kFenSlashes = 6;  // At least, in a position's first field: the smallest board has seven ranks.

// --- Encodings. ---

// The bytes of the letter in UTF-8 with which a text begins; 0 where it begins with none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first > 0xF4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Windows-874: ASCII, the Thai letters of TIS-620 from 0xA1 on, and some marks.
std::string from_windows_874(std::string_view bytes) {
  struct Mark {
    unsigned char byte;
    std::string_view text;
  };
  static constexpr Mark kMarks[] = {{0x80, "€"}, {0x85, "…"}, {0x91, "‘"}, {0x92, "’"}, {0x93, "“"},
                                    {0x94, "”"}, {0x95, "•"}, {0x96, "–"}, {0x97, "—"}, {0xA0, " "}};
  std::string text;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    const auto* mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                    [&](const Mark& known) { return known.byte == byte; });
    const bool thai = (byte >= 0xA1 && byte <= 0xDA) || (byte >= 0xDF && byte <= 0xFB);
    if (byte < 0x80) {
      text += each;
    } else if (mark != std::end(kMarks)) {
      text += mark->text;
    } else if (thai) {  // U+0E01 and on.
      const unsigned letter = 0x0E00 + byte - 0xA0;
      text += {static_cast<char>(0xE0), static_cast<char>(0x80 | (letter >> 6 & 0x3F)),
               static_cast<char>(0x80 | (letter & 0x3F))};
    } else {
      text += "\uFFFD";
    }
  }
  return text;
}

// --- Forms. ---

// Facts about a game in a text of any form.
struct Source {
  Tags tags = {};
  std::string ruleset = {};  // As named; empty: it is not.
  std::string start = {};    // A position; empty: the game's own.
  std::string_view moves = {};
  int line = 1;             // Of `moves`, in the text.
  std::string result = {};  // "1-0 resignation"; empty: what stands behind the moves.
  std::string why = {};     // Why it cannot be read.
};

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view take_line(std::string_view* text) {
  const std::string_view line = first_line(*text);
  text->remove_prefix(std::min(line.size() + 1, text->size()));
  return line;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(kSpace)); }

std::string in_line(int line, const std::string& why) { return "line " + std::to_string(line) + ": " + why; }

bool is_position(std::string_view line) {
  const std::string_view board = first_word(game::trimmed(line));
  return std::count(board.begin(), board.end(), '/') >= kFenSlashes;
}

bool is_saved_game(std::string_view text) {
  static constexpr std::string_view kKeys[] = {"ruleset", "tag", "start", "moves", "result"};
  const std::string_view word = first_word(game::trimmed(text));
  return std::find(std::begin(kKeys), std::end(kKeys), word) != std::end(kKeys);
}

// [Name "value"]. None where it is not like that.
std::optional<Tag> read_tag(std::string_view text, size_t* end) {
  const size_t open = text.find('"');
  if (open == std::string_view::npos) return std::nullopt;
  Tag tag{.name = std::string(game::trimmed(text.substr(1, open - 1))), .value = ""};
  size_t i = open + 1;
  for (; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    tag.value += text[i];
  }
  const size_t close = text.find(']', i);
  if (tag.name.empty() || i >= text.size() || text[i] != '"' || close == std::string_view::npos)
    return std::nullopt;
  *end = close + 1;
  return tag;
}

Source read_pgn(std::string_view text) {
  Source source;
  size_t at = 0;
  const auto line = [&] {
    return static_cast<int>(1 +
                            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  while ((at = std::min(text.find_first_not_of(kSpace, at), text.size())) < text.size()) {
    if (text[at] == '%') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (text[at] != '[') break;
    size_t length = 0;
    const std::optional<Tag> tag = read_tag(text.substr(at), &length);
    if (!tag) {
      source.why = in_line(line(), "the tag is not like [Name \"value\"]");
      return source;
    }
    source.tags.add(tag->name, tag->value);
    at += length;
  }
  source.moves = text.substr(at);
  source.line = line();
  source.ruleset = source.tags.value("Ruleset", source.tags.value("Variant"));
  source.start = source.tags.value("FEN");
  return source;
}

// What follows a line of moves until the result: a comment to the end of a line breaks the moves' line.
std::string_view take_moves(std::string_view* text) {
  const size_t end = text->starts_with("result ") ? 0 : text->find("\nresult ");
  const std::string_view moves = text->substr(0, end == std::string_view::npos ? 0 : end);
  text->remove_prefix(moves.size());
  return moves;
}

Source read_saved_game(std::string_view text) {
  Source source;
  bool has_moves = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(&text), key = line.substr(0, line.find(' '));
    const std::string_view value = line.substr(std::min(key.size() + 1, line.size()));
    if (key == "ruleset") {
      source.ruleset = value;
    } else if (key == "tag") {
      const std::string_view name = value.substr(0, value.find(' '));
      source.tags.add(name, value.substr(std::min(name.size() + 1, value.size())));
    } else if (key == "start") {
      source.start = value;
    } else if (key == "moves") {
      const std::string_view rest = take_moves(&text);
      const size_t more = rest.empty() ? 0 : rest.size() + 1;  // And the end of the first line.
      source.moves = {value.data(), value.size() + more};
      source.line = number;
      has_moves = true;
    } else if (key == "result") {
      source.result = value;
    } else if (!game::trimmed(line).empty()) {
      source.why = in_line(number, "unknown word '" + std::string(key) +
                                       "': a saved game has the lines ruleset, tag, start, moves and result");
      return source;
    }
  }
  if (source.ruleset.empty())
    source.why = "no line 'ruleset NAME': the file is not a saved game";
  else if (!has_moves)
    source.why = "no line 'moves': the file is not a saved game or is cut off";
  return source;
}

// "position startpos moves e2e4", "position fen FEN moves ...".
Source read_uci_position(std::string_view line) {
  Source source;
  line = game::trimmed(line.substr(kUciPosition.size()));
  const size_t moves = line.find(" moves");
  const std::string_view start = game::trimmed(line.substr(0, moves));
  if (moves != std::string_view::npos) source.moves = line.substr(moves + 6);
  if (start.starts_with("fen ")) source.start = game::trimmed(start.substr(4));
  if (!start.starts_with("fen ") && start != "startpos")
    source.why = "a line 'position' goes on with 'startpos' or 'fen FEN'";
  return source;
}

Source read_source(std::string_view text) {
  const std::string_view line = first_line(game::trimmed(text));
  if (line.empty()) return {.why = "the text is empty: it holds no game"};
  if (line.starts_with(kUciPosition)) return read_uci_position(line);
  if (is_position(line)) return {.start = std::string(game::trimmed(line))};
  return is_saved_game(text) ? read_saved_game(text) : read_pgn(text);
}

// --- Rules. ---

constexpr const char* kItIsChess = "this is chess, which is not among the games";

bool is_chess_variant(std::string_view ruleset) {
  const std::string name = game::lowered(ruleset);
  static constexpr std::string_view kNames[] = {"standard", "chess", "normal", "chess960", "from position"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Pieces or moves that chess has and the games here have not.
bool looks_like_chess(const Source& source) {
  const std::string_view board = first_word(source.start);
  if (!board.empty()) return board.find_first_of("qQbB") != std::string_view::npos;
  static constexpr std::string_view kMoves[] = {"O-O", "Nf3", "Nc3", "Nf6", "Nc6"};
  return std::any_of(std::begin(kMoves), std::end(kMoves), [&](std::string_view move) {
    return source.moves.substr(0, 200).find(move) != std::string_view::npos;
  });
}

// The game at the start that a source says under some rules.
Parsed<PlayedGame> begin_game(const game::GamePtr& rules, const Source& source) {
  if (source.start.empty()) return PlayedGame(rules);
  const auto position = game::parse_position(*rules, source.start);
  if (!position) return Parsed<PlayedGame>::failure({"FEN: " + position.why()});
  return PlayedGame(rules, *position);
}

size_t length_of(const Movetext& read) { return read.document.game.actions().size(); }

// The next meanings of ambiguous moves to try: another one of the last that has one. False where none has.
bool next_choices(const Movetext& read, std::vector<int>* choices) {
  *choices = read.taken;
  while (!choices->empty() && choices->back() + 1 >= read.meanings[choices->size() - 1]) choices->pop_back();
  if (choices->empty()) return false;
  ++choices->back();
  return true;
}

// The moves in a dialect; of ambiguous ones the meanings with which the rest is legal, or goes the farthest.
Movetext read_in(const Dialect& latin, const Source& source, const PlayedGame& start) {
  Movetext best = read_movetext(source.moves, source.line, start, latin);
  Movetext last = best;
  std::vector<int> choices;
  for (int i = 0; i < kMostTries && !best.document.fault.empty() && next_choices(last, &choices); ++i) {
    last = read_movetext(source.moves, source.line, start, latin, choices);
    if (last.document.fault.empty() || length_of(last) > length_of(best)) best = last;
  }
  return best;
}

// How far a dialect reads: without a fault, then by the main line, then by variations, of which a reader
// leaves out what it cannot read.
auto extent(const Movetext& read) {
  return std::tuple(read.document.fault.empty(), length_of(read), read.document.nodes.size());
}

// The moves in the dialect in which all of them can be read, else in the one that goes the farthest.
Movetext read_moves(const Source& source, const PlayedGame& start) {
  Movetext best = read_in(kLetterDialect, source, start);
  if (!is_chess(start.rules().info())) return best;
  for (const Dialect* latin : latin_dialects().subspan(1)) {
    if (best.document.fault.empty() && source.moves.find('(') == std::string_view::npos) break;
    Movetext other = read_in(*latin, source, start);
    if (extent(other) > extent(best)) best = std::move(other);
  }
  return best;
}

// Sample games of runs have a tag of their own for it.
std::string how_it_ended(const Tags& tags) { return tags.value("Termination", tags.value("Reason")); }

// What was read, with all that the source says besides.
Result complete(const Source& source, Movetext read) {
  GameDocument& document = read.document;
  document.tags = source.tags;
  const std::string tagged = source.tags.value("Result");
  if (!source.result.empty()) {
    end_as_stated(source.result, &document.game);
  } else {
    const std::string stated = read.result.empty() ? tagged : read.result;
    const auto result = read_result(stated).value_or(game::Result::kOngoing);
    end_as_stated(std::string(game::result_text(result)) + " " + how_it_ended(source.tags), &document.game);
    const bool breaks_off = !read.ended && result != game::Result::kOngoing;
    if (document.fault.empty() && breaks_off) document.fault = "the moves break off: no result follows them";
  }
  return std::move(document);
}

// True if a game begins with this line where one has ended: with its first move, or as a saved game does.
bool begins_game(std::string_view line) {
  return line.starts_with("ruleset ") || (line.starts_with("1.") && !line.starts_with("1.."));
}

// True if a line of moves, at whose end no comment is open, ends its game with a result.
bool ends_game(std::string_view line) {
  if (line.starts_with("result ")) return true;
  if (line.find(';') != std::string_view::npos) return false;  // From there to its end it is a comment.
  line = game::trimmed(line);
  return read_result(line.substr(line.find_last_of(kSpace) + 1)).has_value();
}

// True if a line of moves, which may begin within a comment in braces, ends within one.
bool ends_in_comment(std::string_view line, bool comment) {
  for (const char c : line) {
    if (!comment && c == ';') return false;  // A comment to the end of the line, braces and all.
    comment = comment ? c != '}' : c == '{';
  }
  return comment;
}

// The document under rules that the text or its reader names.
Result read_under(std::string_view ruleset, const Source& source) {
  if (is_chess_variant(ruleset)) return Result::failure({kItIsChess});
  const Parsed<game::GamePtr> rules = game::make_game(ruleset);
  if (!rules) return Result::failure({rules.why()});
  const Parsed<PlayedGame> start = begin_game(*rules, source);
  if (!start) return Result::failure({looks_like_chess(source) ? kItIsChess : start.why()});
  return complete(source, read_moves(source, *start));
}

// The document under the only rules in which its moves are legal, or under Makruk's, the most usual.
Result read_under_any(const Source& source) {
  std::vector<std::pair<std::string, Movetext>> fitting;
  std::optional<Movetext> farthest;
  for (const std::string& name : game::ruleset_names()) {
    if (game::game_of(name) != name) continue;
    const Parsed<PlayedGame> start = begin_game(*game::make_game(name), source);
    if (!start) continue;
    Movetext read = read_moves(source, *start);
    if (read.document.fault.empty()) {
      fitting.emplace_back(name, std::move(read));
    } else if (!farthest || length_of(read) > length_of(*farthest)) {
      farthest = std::move(read);
    }
  }
  const auto makruk =
      std::find_if(fitting.begin(), fitting.end(), [](const auto& each) { return each.first == "makruk"; });
  const auto chosen = makruk != fitting.end() ? makruk : fitting.begin();
  const bool says_something =
      !source.start.empty() || farthest || !fitting.front().second.document.game.actions().empty();
  const bool is_chess = makruk == fitting.end() && looks_like_chess(source);
  if (fitting.empty() || !says_something || is_chess || (makruk == fitting.end() && fitting.size() > 1)) {
    if (looks_like_chess(source)) return Result::failure({kItIsChess});
    std::string names;
    for (const auto& [name, read] : fitting) names += (names.empty() ? "" : ", ") + name;
    const std::string why = !says_something   ? "the game is not known"
                            : fitting.empty() ? "the moves are legal in none of the games"
                                              : "the moves are legal in several games (" + names + ")";
    const std::string place = farthest ? "; " + farthest->document.fault : "";
    return Result::failure({why + ": name it, as with the tag [Variant \"Makruk\"]" + place});
  }
  chosen->second.document.guess = fitting.size() == 1
                                      ? "the only game in which its moves are legal"
                                      : "the most usual of the games in which its moves are legal";
  return complete(source, std::move(chosen->second));
}

}  // namespace

std::string document_text(std::string_view bytes) {
  const bool utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (utf16 || is_utf8(bytes)) return game::plain_text(bytes);
  return game::plain_text(from_windows_874(bytes));
}

std::vector<std::string_view> split_games(std::string_view text) {
  const std::string_view first = first_line(game::trimmed(text));
  const bool by_lines = first.starts_with(kUciPosition) || is_position(first);
  const bool saved = !by_lines && is_saved_game(text);
  std::vector<std::string_view> games;
  size_t begin = 0;
  bool moves = false, ended = false, comment = false;  // Of the game that begins at `begin`.
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool tags = !saved && !comment && line.starts_with('[');
    const bool says_something = line.find_first_not_of(" \t\r") != std::string_view::npos;
    if (moves && (tags || (by_lines && says_something) || (ended && begins_game(line)))) {
      games.push_back(text.substr(begin, at - begin));
      begin = at;
      moves = false;
    }
    const bool begins_with_comment = comment || line.find_first_of(";%{") == 0;
    moves = moves || (!tags && says_something);
    if (!tags && !saved) comment = ends_in_comment(line, comment);
    if (says_something && !begins_with_comment) ended = !comment && ends_game(line);
    at = end + 1;
  }
  games.push_back(text.substr(begin));
  return games;
}

Result read_document(std::string_view text, std::string_view ruleset) {
  const Source source = read_source(text);
  if (!source.why.empty()) return Result::failure({source.why});
  if (!source.ruleset.empty()) return read_under(source.ruleset, source);
  return ruleset.empty() ? read_under_any(source) : read_under(ruleset, source);
}

}  // namespace makzero::play
