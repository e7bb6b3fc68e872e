#include "play/notation/dialect.h"

#include <algorithm>
#include <cctype>

namespace makzero::play {
namespace {

constexpr Sign kThaiSquares[] = {{"ก", "a"}, {"ข", "b"}, {"ค", "c"}, {"ง", "d"}, {"จ", "e"}, {"ฉ", "f"},
                                 {"ช", "g"}, {"ญ", "h"}, {"๑", "1"}, {"๒", "2"}, {"๓", "3"}, {"๔", "4"},
                                 {"๕", "5"}, {"๖", "6"}, {"๗", "7"}, {"๘", "8"}};

// What else is read in every dialect: pawns and Black's figurines, and typographic marks.
constexpr Sign kOtherSigns[] = {{"♚", "K"}, {"♛", "M"}, {"♝", "S"}, {"♞", "N"}, {"♜", "R"}, {"♙", ""},
                                {"♟", ""},  {"บ", ""},  {"×", "x"}, {"–", "-"}, {"‑", "-"}, {"−", "-"}};

constexpr std::string_view kCaptureMarks[] = {"×", "x", "X", ":"};

// The sign with which a text begins; null where it begins with none.
const Sign* leading_sign(std::span<const Sign> signs, std::string_view text) {
  const auto found =
      std::find_if(signs.begin(), signs.end(), [&](const Sign& sign) { return text.starts_with(sign.text); });
  return found == signs.end() ? nullptr : &*found;
}

bool is_digit(std::string_view text) {
  const Sign* sign = leading_sign(kThaiSquares, text);
  return (!text.empty() && text[0] >= '1' && text[0] <= '8') || (sign && sign->letters[0] < 'a');
}

bool is_square(std::string_view text) {
  const Sign* sign = leading_sign(kThaiSquares, text);
  const bool file = (!text.empty() && text[0] >= 'a' && text[0] <= 'h') || (sign && sign->letters[0] >= 'a');
  return file && is_digit(text.substr(sign ? sign->text.size() : 1));
}

// The piece of a dialect with which a text begins, the longest: "ม็" and not "ม".
struct Piece {
  char kind = 0;
  size_t length = 0;  // In bytes; 0: there is none.
};
Piece leading_piece(const Dialect& dialect, std::string_view text) {
  Piece found;
  const auto consider = [&](std::string_view sign, char kind) {
    if (sign.size() > found.length && text.starts_with(sign)) found = {kind, sign.size()};
  };
  for (size_t i = 0; i < kNamedKinds.size(); ++i) consider(dialect.pieces[i], kNamedKinds[i]);
  consider(dialect.turned_pawn, 'M');
  return found;
}

// A piece in any of the notations that one text may mix.
Piece any_piece(const Dialect& latin, std::string_view text) {
  for (const Dialect* dialect : {&kThaiDialect, &kFigurineDialect, &latin}) {
    if (const Piece piece = leading_piece(*dialect, text); piece.length > 0) return piece;
  }
  return {};
}

std::string_view without_point(std::string_view text) { return text.substr(text.starts_with('.') ? 1 : 0); }

bool has_sign(std::string_view text, std::span<const Sign> signs) {
  return std::any_of(signs.begin(), signs.end(),
                     [&](const Sign& sign) { return text.find(sign.text) != std::string_view::npos; });
}

bool has_figurine(std::string_view text) {
  return has_sign(text, std::span(kOtherSigns).first(7)) ||
         std::any_of(kFigurineDialect.pieces.begin(), kFigurineDialect.pieces.end(),
                     [&](std::string_view piece) {
                       return !piece.empty() && text.find(piece) != std::string_view::npos;
                     });
}

// Whether every word of some moves is like "e2e4" or "e5e6m".
bool in_coordinates(std::string_view moves) {
  for (size_t at = moves.find_first_not_of(' '); at < moves.size();) {
    const std::string_view word = moves.substr(at, std::min(moves.find(' ', at), moves.size()) - at);
    if (word.size() < 4 || !is_square(word) || !is_square(word.substr(2))) return false;
    at = std::min(moves.find_first_not_of(' ', at + word.size()), moves.size());
  }
  return !moves.empty();
}

}  // namespace

const Dialect kLetterDialect = {.title = "standard", .pieces = {"K", "M", "S", "N", "R", "P"}};
const Dialect kFigurineDialect = {.title = "figurines", .pieces = {"♔", "♕", "♗", "♘", "♖", ""}};
// Fairy-Stockfish's, which writes "-" before the destination of a piece, but not of a pawn.
const Dialect kThaiDialect = {.title = "Thai letters",
                              .pieces = {"ข", "ม็", "ค", "ม", "ร", "บ"},
                              .squares = kThaiSquares,
                              .before_destination = "-"};
const Dialect kPlayOkDialect = {
    .title = "PlayOK's letters", .pieces = {"K", "Q", "B", "N", "R", ""}, .turned_pawn = "P"};
// The Thai federation's in English: khun, met (D), khon (H), ma (M), ruea, bia (B).
const Dialect kFederationDialect = {.title = "federation's letters",
                                    .pieces = {"K", "D", "H", "M", "R", "B"}};

std::span<const Dialect* const> latin_dialects() {
  static constexpr const Dialect* kDialects[] = {&kLetterDialect, &kPlayOkDialect, &kFederationDialect};
  return kDialects;
}

std::string_view dialect_title(std::string_view moves, const Dialect& latin) {
  if (moves.empty()) return "";
  if (has_sign(moves, kThaiSquares)) return kThaiDialect.title;
  if (has_figurine(moves)) return kFigurineDialect.title;
  return in_coordinates(moves) ? "coordinates" : latin.title;
}

std::string in_letters(std::string_view move, const Dialect& latin, bool piece_first) {
  std::string letters;
  const size_t begin = move.size();
  while (!move.empty()) {
    const bool first = move.size() == begin;
    const Piece piece = any_piece(latin, move);
    const bool named =
        first ? piece_first || !leading_sign(kThaiSquares, move) : !letters.empty() && letters.back() == '=';
    const bool taken = !letters.empty() && letters.back() == 'x' && piece.length > 0 &&
                       is_square(without_point(move.substr(piece.length)));
    if (piece.length > 0 && (named || taken)) {
      if (!taken && piece.kind != 'P') letters += piece.kind;
      move = without_point(move.substr(piece.length));
      continue;
    }
    const Sign* sign = leading_sign(kThaiSquares, move);
    if (!sign) sign = leading_sign(kOtherSigns, move);
    letters += sign ? sign->letters : move.substr(0, 1);
    move.remove_prefix(sign ? sign->text.size() : 1);
  }
  return letters;
}

bool is_piece_alone(std::string_view word) {
  const Piece piece = leading_piece(kThaiDialect, word);
  return piece.length > 0 && without_point(word.substr(piece.length)).empty();
}

bool is_capture_mark(std::string_view word) {
  return std::find(std::begin(kCaptureMarks), std::end(kCaptureMarks), word) != std::end(kCaptureMarks);
}

}  // namespace makzero::play
