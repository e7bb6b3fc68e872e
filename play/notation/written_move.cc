#include "play/notation/written_move.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "play/played_game.h"

namespace makzero::play {
namespace {

using game::Bitboard;
using game::Color;
using game::Move;
using game::Parsed;
using game::Position;

constexpr char kPawn = 'P';

// --- Writing. ---

// The kind of a piece as it is named: 'P' for a met that was a pawn, where the dialect has a letter for it.
char kind_named(const game::Game& game, const Position& position, game::Square square, Bitboard promoted) {
  return game::contains(promoted, square) ? 'P' : game::kind_on(game.info(), position, square);
}

// What must stand between piece and destination: nothing, the file, the rank or both, by the other pieces of
// the kind that may go there.
std::string origin_text(const game::Game& game, const Position& position, Move move, Bitboard promoted) {
  const char letter = kind_named(game, position, move.origin(), promoted);
  const std::string origin = game::square_text(move.origin());
  bool any = false, same_file = false, same_rank = false;
  game::MoveList legal;
  game.legal_moves(position, &legal);
  for (const Move other : legal) {
    if (!other.is_step() || other.origin() == move.origin() || other.destination() != move.destination())
      continue;
    if (kind_named(game, position, other.origin(), promoted) != letter) continue;
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

// In letters; 'P' stands for a met of `promoted`.
std::string chess_move(const game::Game& game, const Position& position, Move move, Bitboard promoted) {
  const bool pawn = game::kind_on(game.info(), position, move.origin()) == kPawn;
  const bool captures = game::contains(position.enemy(), move.destination());
  std::string text;
  if (!pawn) {
    text = kind_named(game, position, move.origin(), promoted) + origin_text(game, position, move, promoted);
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

// The sign of a dialect for a capital letter, which is a piece, or for one of a square.
std::string_view sign_of(const Dialect& dialect, std::string_view letter, bool promotes) {
  const bool turned = promotes || letter == "P";
  if (turned && !dialect.turned_pawn.empty()) return dialect.turned_pawn;
  if (const size_t kind = kNamedKinds.find(letter); kind != std::string_view::npos)
    return dialect.pieces[kind];
  const auto found = std::find_if(dialect.squares.begin(), dialect.squares.end(),
                                  [&](const Sign& sign) { return sign.letters == letter; });
  return found == dialect.squares.end() ? letter : found->text;
}

std::string in_dialect(std::string_view letters, const Dialect& dialect) {
  const bool piece = std::isupper(static_cast<unsigned char>(letters[0])) != 0;
  const bool captures = letters.find('x') != std::string_view::npos;
  const size_t destination = letters.find_last_of("abcdefgh");
  std::string text;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (piece && !captures && i == destination) text += dialect.before_destination;
    text += sign_of(dialect, letters.substr(i, 1), i > 0 && letters[i - 1] == '=');
  }
  return text;
}

// --- Reading. ---

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

// Keeps of several moves those of queens that were pawns where a text names such a one, else the others.
void keep_turned(const Dialect& dialect, std::string_view text, Bitboard promoted,
                 std::vector<Candidate>* found) {
  if (dialect.turned_pawn.empty()) return;
  const bool turned = text.starts_with(dialect.turned_pawn);
  std::vector<Candidate> kept = *found;
  std::erase_if(kept, [&](const Candidate& each) {
    return !each.move.is_step() || game::contains(promoted, each.move.origin()) != turned;
  });
  if (!kept.empty()) *found = std::move(kept);
}

// Without a mark of check, which costs the most.
std::string unmarked(const game::Game& game, const Position& position, const Position& after, Move move) {
  if (move.is_pass()) return "pass";
  return is_chess(game.info()) && move.is_step() ? chess_move(game, position, move, 0)
                                                 : square_move(game, position, after, move);
}

// Where a move as people write it goes to a piece of the mover's: "Nf3". Empty where it does not.
std::string own_piece_in_the_way(const game::GameInfo& info, const Position& position,
                                 std::string_view text) {
  const std::string letters = in_letters(text, kLetterDialect, true);
  const std::string_view move = bare(letters);
  const std::string_view to = move.substr(move.size() - std::min<size_t>(2, move.size()));
  const auto square = game::parse_square(to);
  const auto from = game::parse_square(move.substr(0, 2));
  if (!square || !game::contains(position.own(), *square)) return "";
  if (from && !game::contains(position.own(), *from)) return "";
  return "move '" + std::string(text) + "' is not legal: your own " +
         kind_name(info, game::kind_on(info, position, *square)) + " stands on " + std::string(to);
}

const Dialect& dialect_of(Notation notation) {
  switch (notation) {
    case Notation::kFigurines:
      return kFigurineDialect;
    case Notation::kThai:
      return kThaiDialect;
    case Notation::kPlayOk:
      return kPlayOkDialect;
    default:
      return kLetterDialect;
  }
}

Position position_after(const game::Game& game, const Position& position, Move move) {
  Position after = position;
  game.apply(move, &after);
  return after;
}

}  // namespace

game::Parsed<Notation> parse_notation(std::string_view name) {
  std::string names;
  for (size_t i = 0; i < std::size(kNotationNames); ++i) {
    if (kNotationNames[i] == name) return static_cast<Notation>(i);
    names += (names.empty() ? "" : ", ") + std::string(kNotationNames[i]);
  }
  return game::Parsed<Notation>::failure(
      {"unknown notation '" + std::string(name) + "'; notations: " + names});
}

std::string written_move(const game::Game& game, const Position& position, Move move, Notation notation,
                         Bitboard promoted) {
  if (notation == Notation::kCoordinates) return game::move_text(game, position, move);
  const Position after = position_after(game, position, move);
  const Dialect& dialect = dialect_of(notation);
  const bool tells_turned = !dialect.turned_pawn.empty() && is_chess(game.info()) && move.is_step();
  std::string letters =
      (tells_turned ? chess_move(game, position, move, promoted) : unmarked(game, position, after, move)) +
      check_mark(game, after, position.to_move);
  if (move.is_pass() || notation == Notation::kLetters) return letters;
  return in_dialect(letters, dialect);
}

Bitboard promoted_after(const game::Game& game, const Position& position, Move move, Bitboard promoted) {
  if (!move.is_step() || !is_chess(game.info())) return promoted;
  const bool turned = game::contains(promoted, move.origin()) || !game.move_suffix(position, move).empty();
  promoted &= ~(game::bit(move.origin()) | game::bit(move.destination()));
  return turned ? promoted | game::bit(move.destination()) : promoted;
}

std::vector<Move> moves_named(const game::Game& game, const Position& position, std::string_view text,
                              const MoveReading& reading) {
  if (!reading.latin) {
    const bool bishop = text.starts_with('B');  // Rather than the file.
    const MoveReading letters = {&kLetterDialect, reading.promoted},
                      playok = {&kPlayOkDialect, reading.promoted};
    const std::vector<Move> found = moves_named(game, position, text, bishop ? playok : letters);
    return found.empty() ? moves_named(game, position, text, bishop ? letters : playok) : found;
  }
  if (const Parsed<Move> by_squares = game::parse_move(game, position, text)) return {*by_squares};
  game::MoveList list;
  game.legal_moves(position, &list);
  std::vector<Candidate> legal;
  legal.reserve(list.size());
  for (const Move move : list) {
    legal.push_back({move, unmarked(game, position, position_after(game, position, move), move)});
  }
  std::vector<Candidate> found;
  for (const bool piece_first : {true, false}) {
    const std::string letters = in_letters(text, *reading.latin, piece_first);
    if (key_of(letters).empty()) continue;
    for (const Candidate& each : candidates(game, position, legal, letters)) add_once(each, &found);
  }
  if (found.size() > 1) keep_turned(*reading.latin, text, reading.promoted, &found);
  std::vector<Move> moves;
  moves.reserve(found.size());
  for (const Candidate& each : found) moves.push_back(each.move);
  return moves;
}

Parsed<Move> parse_written_move(const game::Game& game, const Position& position, std::string_view text,
                                const MoveReading& reading) {
  const std::vector<Move> found = moves_named(game, position, text, reading);
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    const std::string why = own_piece_in_the_way(game.info(), position, text);
    return why.empty() ? game::parse_move(game, position, text) : Parsed<Move>::failure({why});
  }
  std::string choices;
  for (const Move move : found)
    choices += " " + unmarked(game, position, position_after(game, position, move), move);
  return Parsed<Move>::failure({"move '" + std::string(text) + "' is ambiguous: write one of" + choices});
}

}  // namespace makzero::play
