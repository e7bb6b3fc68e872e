#include "game/notation.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include "game/plain_text.h"

namespace makzero::game {
namespace {

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

void put_piece(const GameInfo& info, char letter, Square square, Position* position,
               std::vector<std::string>* reasons) {
  const char capital = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const size_t kind = info.kinds.find(capital);
  if (kind == std::string::npos) {
    reasons->push_back("unknown piece '" + std::string(1, letter) + "' on " + square_text(square) +
                       ": this game has " + info.kinds + " (White) and the same in small letters (Black)");
    return;
  }
  position->kind[kind] |= bit(square);
  position->side[letter == capital ? 0 : 1] |= bit(square);
}

// Reads one rank of the placement, "1m3M2".
void read_rank(const GameInfo& info, std::string_view text, int rank, Position* position,
               std::vector<std::string>* reasons) {
  int file = 0;
  for (const char letter : text) {
    if (letter == '~') continue;  // Marks a promoted piece; it is what it became.
    if (letter == '0') {
      reasons->push_back("rank " + std::to_string(rank + 1) + " '" + std::string(text) +
                         "' has a 0: digits count empty squares, 1 to " + std::to_string(info.files));
    }
    if (std::isdigit(static_cast<unsigned char>(letter))) {
      file += letter - '0';
    } else {
      if (file < info.files) put_piece(info, letter, square_at(file, rank), position, reasons);
      ++file;
    }
  }
  if (file != info.files) {
    reasons->push_back("rank " + std::to_string(rank + 1) + " '" + std::string(text) + "' has " +
                       std::to_string(file) + " squares: it needs " + std::to_string(info.files));
  }
}

void read_placement(const GameInfo& info, std::string_view text, Position* position,
                    std::vector<std::string>* reasons) {
  const std::vector<std::string_view> ranks = split(text, '/');
  if (static_cast<int>(ranks.size()) != info.ranks) {
    reasons->push_back("the board has " + std::to_string(ranks.size()) + " ranks: it needs " +
                       std::to_string(info.ranks) + ", separated by '/'");
    return;
  }
  for (int i = 0; i < info.ranks; ++i) read_rank(info, ranks[i], info.ranks - 1 - i, position, reasons);
}

// True for the placement of a position of chess: both kings, and bishops or queens, which no game here
// has.
bool is_chess_placement(std::string_view text) {
  const auto has = [&](std::string_view letters) {
    return text.find_first_of(letters) != std::string_view::npos;
  };
  return has("K") && has("k") && has("BbQq") &&
         text.find_first_not_of("KQRBNPkqrbnp12345678/~") == std::string_view::npos;
}

// Why a text names no legal move, as far as its squares tell.
std::string why_not(const Game& game, const Position& position, const MoveList& legal,
                    std::string_view text) {
  const std::string quoted = "move '" + std::string(text) + "'";
  if (legal.empty()) return quoted + ": there is no legal move, the game is over";
  const std::string example = move_text(game, position, legal[0]);
  const auto origin = parse_square(text.substr(0, std::min<size_t>(2, text.size())));
  if (!origin) return quoted + " is not legal: write it like '" + example + "'";
  std::string from_here;
  for (const Move move : legal) {
    if (move.is_step() && move.origin() == *origin) from_here += " " + move_text(game, position, move);
  }
  if (!from_here.empty()) return quoted + " is not legal; from " + square_text(*origin) + ":" + from_here;
  if (!contains(position.occupied(), *origin)) {
    return quoted + " is not legal: " + square_text(*origin) + " is empty; a legal move is '" + example + "'";
  }
  if (!contains(position.own(), *origin)) {
    return quoted + " is not legal: the piece on " + square_text(*origin) +
           " is the opponent's; a legal move is '" + example + "'";
  }
  return quoted + " is not legal: the piece on " + square_text(*origin) + " cannot move; a legal move is '" +
         example + "'";
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

char kind_on(const GameInfo& info, const Position& position, Square square) {
  for (size_t kind = 0; kind < info.kinds.size(); ++kind) {
    if (contains(position.kind[kind], square)) return info.kinds[kind];
  }
  return contains(info.marks, square) ? '+' : '.';
}

char letter_on(const GameInfo& info, const Position& position, Square square) {
  const char kind = kind_on(info, position, square);
  return contains(position.side[1], square) ? lower(kind) : kind;
}

std::string position_text(const Game& game, const Position& position) {
  const GameInfo& info = game.info();
  std::string text;
  for (int rank = info.ranks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < info.files; ++file) {
      const Square square = square_at(file, rank);
      if (!contains(position.occupied(), square)) {
        ++empty;
        continue;
      }
      if (empty) text += std::to_string(empty);
      empty = 0;
      text += letter_on(info, position, square);
    }
    if (empty) text += std::to_string(empty);
    if (rank) text += '/';
  }
  text += position.to_move == Color::kWhite ? " w" : " b";
  return text + game.fields_text(position);
}

Parsed<Position> parse_position(const Game& game, std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  std::vector<std::string> reasons;
  const std::string example = "write it like '" + position_text(game, game.initial()) + "'";
  if (words.empty()) return Parsed<Position>::failure({"the position is empty: " + example});
  if (is_chess_placement(words[0]))
    return Parsed<Position>::failure({"this is a position of chess: " + game.info().title +
                                      " has no bishops (B) and queens (Q), " + example});
  Position position;
  read_placement(game.info(), words[0], &position, &reasons);
  if (words.size() < 2) {
    reasons.push_back("the side to move is missing: add 'w' or 'b' behind the board");
  } else if (words[1] != "w" && words[1] != "b") {
    reasons.push_back("the side to move is '" + std::string(words[1]) + "': write 'w' or 'b'");
  } else {
    position.to_move = words[1] == "w" ? Color::kWhite : Color::kBlack;
  }
  game.read_fields(std::span(words).subspan(std::min<size_t>(2, words.size())), &position, &reasons);
  if (reasons.empty()) game.check(position, &reasons);
  if (!reasons.empty()) return Parsed<Position>::failure(std::move(reasons));
  return position;
}

std::string move_text(const Game& game, const Position& position, Move move) {
  if (move.is_pass()) return "--";
  if (move.is_drop()) return "@" + square_text(move.destination());
  return square_text(move.origin()) + game.move_path(position, move) + square_text(move.destination()) +
         game.move_suffix(position, move);
}

Parsed<Move> parse_move(const Game& game, const Position& position, std::string_view text) {
  MoveList legal;
  game.legal_moves(position, &legal);
  std::vector<Move> of_squares;
  for (const Move move : legal) {
    const std::string full = move_text(game, position, move);
    if (full == text) return move;
    if (!move.is_step()) continue;
    if (square_text(move.origin()) + square_text(move.destination()) == text) of_squares.push_back(move);
  }
  if (of_squares.size() == 1) return of_squares[0];
  if (of_squares.size() > 1) {
    std::string choices;
    for (const Move move : of_squares) choices += " " + move_text(game, position, move);
    return Parsed<Move>::failure({"move '" + std::string(text) + "' is ambiguous: write one of" + choices});
  }
  return Parsed<Move>::failure({why_not(game, position, legal, text)});
}

std::string board_text(const Game& game, const Position& position) {
  const GameInfo& info = game.info();
  std::string text;
  for (int rank = info.ranks - 1; rank >= 0; --rank) {
    text += std::to_string(rank + 1) + " ";
    for (int file = 0; file < info.files; ++file) {
      text += std::string(" ") + letter_on(info, position, square_at(file, rank));
    }
    text += '\n';
  }
  text += "  ";
  for (int file = 0; file < info.files; ++file) text += std::string(" ") + static_cast<char>('a' + file);
  return text + "\n";
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& names) {
  std::string nearest;
  int least = static_cast<int>(name.size()) / 3 + 1;  // A third of the letters may be wrong.
  for (const std::string& candidate : names) {
    const int distance = edit_distance(name, candidate);
    if (distance > least || (distance == least && !nearest.empty())) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  static constexpr size_t kLongest = 40;  // Longer names are no slips of the pen.
  const std::string near = name.size() > kLongest ? "" : nearest_name(name, names);
  return near.empty() ? "" : ": did you mean '" + near + "'?";
}

}  // namespace makzero::game
