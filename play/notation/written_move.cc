#include "play/notation/written_move.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "play/played_game.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Move;
using game::Parsed;
using game::Position;

constexpr char kPawn = 'P';

// A sign of another notation and what it is in letters.
struct Sign {
  std::string_view text;
  std::string_view letters;
};

constexpr std::array<Sign, 5> kFigurines = {{{"♔", "K"}, {"♕", "M"}, {"♗", "S"}, {"♘", "N"}, {"♖", "R"}}};
constexpr std::array<Sign, 5> kThaiPieces = {{{"ข", "K"}, {"ม็", "M"}, {"ค", "S"}, {"ม", "N"}, {"ร", "R"}}};
constexpr std::array<Sign, 16> kThaiSquares = {{{"ก", "a"},
                                                {"ข", "b"},
                                                {"ค", "c"},
                                                {"ง", "d"},
                                                {"จ", "e"},
                                                {"ฉ", "f"},
                                                {"ช", "g"},
                                                {"ญ", "h"},
                                                {"๑", "1"},
                                                {"๒", "2"},
                                                {"๓", "3"},
                                                {"๔", "4"},
                                                {"๕", "5"},
                                                {"๖", "6"},
                                                {"๗", "7"},
                                                {"๘", "8"}}};
// What else is read: Black's figurines, pawns, and typographic marks.
constexpr std::array<Sign, 12> kOtherSigns = {{{"♚", "K"},
                                               {"♛", "M"},
                                               {"♝", "S"},
                                               {"♞", "N"},
                                               {"♜", "R"},
                                               {"♙", ""},
                                               {"♟", ""},
                                               {"บ", ""},
                                               {"×", "x"},
                                               {"–", "-"},
                                               {"‑", "-"},
                                               {"−", "-"}}};

// --- Writing. ---

// What must stand between piece and destination: nothing, the file, the rank or both, by the other pieces of
// the kind that may go there.
std::string origin_text(const game::Game& game, const Position& position, Move move) {
  const char letter = game::kind_on(game.info(), position, move.origin());
  const std::string origin = game::square_text(move.origin());
  bool any = false, same_file = false, same_rank = false;
  game::MoveList legal;
  game.legal_moves(position, &legal);
  for (const Move other : legal) {
    if (!other.is_step() || other.origin() == move.origin() || other.destination() != move.destination())
      continue;
    if (game::kind_on(game.info(), position, other.origin()) != letter) continue;
    any = true;
    same_file = same_file || game::file_of(other.origin()) == game::file_of(move.origin());
    same_rank = same_rank || game::rank_of(other.origin()) == game::rank_of(move.origin());
  }
  if (!any) return "";
  if (!same_file) return origin.substr(0, 1);
  return same_rank ? origin : origin.substr(1, 1);
}

// "+" where the mover attacks a king of the other side, "#" where that is the end of a game of chess.
std::string check_mark(const game::Game& game, const Position& after, Color mover) {
  const game::Bitboard kings = after.side[game::index(game::other(mover))] & game::kings(game.info(), after);
  if (!kings || !(game.threats(after, mover).targets & kings)) return "";
  return is_chess(game.info()) && game.count_moves(after) == 0 ? "#" : "+";
}

std::string chess_move(const game::Game& game, const Position& position, Move move) {
  const char letter = game::kind_on(game.info(), position, move.origin());
  const bool captures = game::contains(position.enemy(), move.destination());
  std::string text;
  if (letter != kPawn) {
    text = letter + origin_text(game, position, move);
  } else if (captures) {
    text = game::square_text(move.origin()).substr(0, 1);
  }
  if (captures) text += 'x';
  text += game::square_text(move.destination());
  for (const char suffix : game.move_suffix(position, move)) {
    text += {'=', static_cast<char>(std::toupper(static_cast<unsigned char>(suffix)))};
  }
  return text;
}

// The squares that a move visits, with "-" between them, then those that it empties.
std::string square_move(const game::Game& game, const Position& position, const Position& after, Move move) {
  game::Bitboard taken = position.enemy() & ~after.side[game::index(game::other(position.to_move))];
  std::string text = move.is_drop() ? "@" : game::square_text(move.origin());
  if (move.is_step()) {
    const std::string path = game.move_path(position, move);
    for (size_t i = 0; i < path.size(); i += 2) text += "-" + path.substr(i, 2);
    text += game::contains(taken, move.destination()) ? "x" : "-";
  }
  text += game::square_text(move.destination());
  taken &= ~game::bit(move.destination());
  while (taken) text += "x" + game::square_text(game::pop_first(&taken));
  return text;
}

template <size_t kCount>
std::string_view sign_of(const std::array<Sign, kCount>& signs, std::string_view letter) {
  const auto found =
      std::find_if(signs.begin(), signs.end(), [&](const Sign& sign) { return sign.letters == letter; });
  return found == signs.end() ? letter : found->text;
}

// Fairy-Stockfish writes "-" before the destination of a piece, but not of a pawn.
std::string in_thai(std::string_view letters) {
  const bool piece = std::isupper(static_cast<unsigned char>(letters[0])) != 0;
  const bool captures = letters.find('x') != std::string_view::npos;
  const size_t destination = letters.find_last_of("abcdefgh");
  std::string text;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (piece && !captures && i == destination) text += '-';
    const std::string_view letter = letters.substr(i, 1);
    const bool capital = std::isupper(static_cast<unsigned char>(letter[0])) != 0;
    text += capital ? sign_of(kThaiPieces, letter) : sign_of(kThaiSquares, letter);
  }
  return text;
}

std::string in_figurines(std::string_view letters) {
  std::string text;
  for (size_t i = 0; i < letters.size(); ++i) text += sign_of(kFigurines, letters.substr(i, 1));
  return text;
}

// --- Reading. ---

// The sign with which a text begins; none where it begins with another letter.
template <size_t kCount>
const Sign* leading_sign(const std::array<Sign, kCount>& signs, std::string_view text) {
  const auto found =
      std::find_if(signs.begin(), signs.end(), [&](const Sign& sign) { return text.starts_with(sign.text); });
  return found == signs.end() ? nullptr : &*found;
}

// The text in letters, its first Thai letter as a piece or as a file.
std::string in_letters(std::string_view text, bool piece_first) {
  std::string letters;
  const size_t begin = text.size();
  while (!text.empty()) {
    const bool piece = text.size() == begin ? piece_first : !letters.empty() && letters.back() == '=';
    const Sign* sign = leading_sign(kFigurines, text);
    if (!sign && piece) {
      sign = text.starts_with("ม็") ? &kThaiPieces[1] : leading_sign(kThaiPieces, text);
    }
    if (!sign) sign = leading_sign(kThaiSquares, text);
    if (!sign) sign = leading_sign(kOtherSigns, text);
    letters += sign ? sign->letters : text.substr(0, 1);
    text.remove_prefix(sign ? sign->text.size() : 1);
  }
  return letters;
}

// Without marks that comment a move.
std::string_view bare(std::string_view text) { return text.substr(0, text.find_last_not_of("+#!?") + 1); }

// What tells moves apart, in small letters.
std::string key_of(std::string_view text) {
  std::string key;
  for (const unsigned char c : text) {
    const bool marks = c < 128 && !std::isalnum(c) && c != '@';
    if (!marks) key += static_cast<char>(std::tolower(c));
  }
  // A capture's mark, not a file.
  key.erase(std::remove(key.begin(), key.end(), 'x'), key.end());
  return key;
}

// The keys by which people may call a move: a chess move with more or less of its origin, with or without its
// promotion; others with or without what they take.
std::vector<std::string> keys_of(const game::Game& game, const Position& position, Move move,
                                 const std::string& written) {
  std::vector<std::string> keys = {key_of(written)};
  if (!move.is_step()) return keys;
  const std::string origin = game::square_text(move.origin()), to = game::square_text(move.destination());
  if (!is_chess(game.info())) return {key_of(written), origin + to};
  const std::string promotion = key_of(game.move_suffix(position, move));
  const char letter = game::kind_on(game.info(), position, move.origin());
  const std::string piece = key_of(std::string(1, letter));
  std::vector<std::string> beginnings = {origin, piece, piece + origin.substr(0, 1), piece + origin.substr(1),
                                         piece + origin};
  if (letter == kPawn) beginnings.push_back(origin[0] == to[0] ? "" : origin.substr(0, 1));
  for (const std::string& beginning : beginnings) {
    keys.push_back(beginning + to);
    if (!promotion.empty()) keys.push_back(keys.back() + promotion);
  }
  return keys;
}

struct Candidate {
  Move move;
  std::string written;  // Without a mark of check.
};

void add_once(const Candidate& candidate, std::vector<Candidate>* found) {
  const auto same = [&](const Candidate& other) { return other.move == candidate.move; };
  if (std::none_of(found->begin(), found->end(), same)) found->push_back(candidate);
}

// The legal moves that a text in letters may mean: those that are written so, else those that may be called
// so.
std::vector<Candidate> candidates(const game::Game& game, const Position& position,
                                  const std::vector<Candidate>& legal, const std::string& letters) {
  std::vector<Candidate> found;
  for (const Candidate& candidate : legal) {
    if (candidate.written == bare(letters)) add_once(candidate, &found);
  }
  if (!found.empty()) return found;
  const std::string key = key_of(letters);
  for (const Candidate& candidate : legal) {
    const std::vector<std::string> keys = keys_of(game, position, candidate.move, candidate.written);
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) add_once(candidate, &found);
  }
  return found;
}

// Without a mark of check, which costs the most.
std::string unmarked(const game::Game& game, const Position& position, const Position& after, Move move) {
  if (move.is_pass()) return "pass";
  return is_chess(game.info()) && move.is_step() ? chess_move(game, position, move)
                                                 : square_move(game, position, after, move);
}

// Where a move as people write it goes to a piece of the mover's: "Nf3". Empty where it does not.
std::string own_piece_in_the_way(const game::GameInfo& info, const Position& position,
                                 std::string_view text) {
  const std::string letters = in_letters(text, true);
  const std::string_view move = bare(letters);
  const std::string_view to = move.substr(move.size() - std::min<size_t>(2, move.size()));
  const auto square = game::parse_square(to);
  const auto from = game::parse_square(move.substr(0, 2));
  if (!square || !game::contains(position.own(), *square)) return "";
  if (from && !game::contains(position.own(), *from)) return "";
  return "move '" + std::string(text) + "' is not legal: your own " +
         kind_name(info, game::kind_on(info, position, *square)) + " stands on " + std::string(to);
}

Position position_after(const game::Game& game, const Position& position, Move move) {
  Position after = position;
  game.apply(move, &after);
  return after;
}

}  // namespace

std::optional<Notation> parse_notation(std::string_view name) {
  for (size_t i = 0; i < std::size(kNotationNames); ++i) {
    if (kNotationNames[i] == name) return static_cast<Notation>(i);
  }
  return std::nullopt;
}

std::string written_move(const game::Game& game, const Position& position, Move move, Notation notation) {
  if (notation == Notation::kCoordinates) return game::move_text(game, position, move);
  const Position after = position_after(game, position, move);
  std::string letters = unmarked(game, position, after, move) + check_mark(game, after, position.to_move);
  if (move.is_pass() || notation == Notation::kLetters) return letters;
  return notation == Notation::kThai ? in_thai(letters) : in_figurines(letters);
}

Parsed<Move> parse_written_move(const game::Game& game, const Position& position, std::string_view text) {
  Parsed<Move> by_squares = game::parse_move(game, position, text);
  if (by_squares) return by_squares;
  game::MoveList list;
  game.legal_moves(position, &list);
  std::vector<Candidate> legal;
  legal.reserve(list.size());
  for (const Move move : list) {
    legal.push_back({move, unmarked(game, position, position_after(game, position, move), move)});
  }
  std::vector<Candidate> found;
  for (const bool piece_first : {true, false}) {
    const std::string letters = in_letters(text, piece_first);
    if (key_of(letters).empty()) continue;
    for (const Candidate& each : candidates(game, position, legal, letters)) add_once(each, &found);
  }
  if (found.empty()) {
    const std::string why = own_piece_in_the_way(game.info(), position, text);
    return why.empty() ? by_squares : Parsed<Move>::failure({why});
  }
  if (found.size() == 1) return found[0].move;
  std::string choices;
  for (const Candidate& candidate : found) choices += " " + candidate.written;
  return Parsed<Move>::failure({"move '" + std::string(text) + "' is ambiguous: write one of" + choices});
}

}  // namespace makzero::play
