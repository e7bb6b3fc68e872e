// Dialects of the chess family's move notation, as rows: how each writes pieces, squares and captures.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace makzero::play {

// The kinds of pieces that moves name, in the order of Dialect::pieces.
inline constexpr std::string_view kNamedKinds = "KMSNRP";

// A sign of a notation, and what it is in our letters.
struct Sign {
  std::string_view text, letters;
};

struct Dialect {
  std::string_view title;                    // "PlayOK's letters".
  std::array<std::string_view, 6> pieces;    // By kNamedKinds; a pawn's may be empty: it is not written.
  std::string_view turned_pawn = {};         // The piece that a pawn has become; empty: as a met.
  std::span<const Sign> squares = {};        // Files and digits; empty: "a" to "h", "1" to "8".
  std::string_view before_destination = {};  // Of a piece that takes nothing.
};

extern const Dialect kLetterDialect, kFigurineDialect, kThaiDialect, kPlayOkDialect, kFederationDialect;

// The dialects in Latin letters, which one text does not mix, the usual one first. Figurines and Thai letters
// are read among either.
std::span<const Dialect* const> latin_dialects();

// The title of what a text of moves is written in, of the given Latin dialect where it has Latin letters:
// "Thai letters", "figurines", "coordinates".
std::string_view dialect_title(std::string_view moves, const Dialect& latin);

// A move in our letters: "♘d2", "ม-ง๒" and, in PlayOK's letters, "Bf7" become "Nd2", "N-d2", "Sf7".
// `piece_first`: a Thai letter that may be either is a piece at the beginning, else a file.
std::string in_letters(std::string_view move, const Dialect& latin, bool piece_first);

// Whether a word is a piece in Thai letters alone, "ม็" or "บ.", whose square is the next word.
bool is_piece_alone(std::string_view word);

// Whether a word is a mark of capture alone.
bool is_capture_mark(std::string_view word);

}  // namespace makzero::play
