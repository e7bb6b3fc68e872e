#include "game/rules/chess_fields.h"

#include <algorithm>

#include "game/plain_text.h"

namespace makzero::game {
namespace {

// In any counter of a text; far from what the position can hold. Longer games are written as if they ended
// there.
constexpr int kMostPlies = 10000;

// The number that the field holds, 0 for "-"; adds a reason and returns 0 where it is neither.
int read_number(std::string_view field, const std::string& what, int most,
                std::vector<std::string>* reasons) {
  if (field == "-") return 0;
  const std::optional<int> number = parse_number<int>(field);
  if (number && *number >= 0 && *number <= most) return *number;
  reasons->push_back(what + " is '" + std::string(field) + "': write a number from 0 to " +
                     std::to_string(most) + ", or '-'");
  return 0;
}

void read_rights(std::span<const Right> rights, std::string_view field, Position* position,
                 std::vector<std::string>* reasons) {
  if (field == "-") return;
  std::string letters;
  for (const Right& right : rights) letters += right.letter;
  for (const char letter : field) {
    const size_t found = letters.find(letter);
    if (found != std::string::npos) {
      position->rights |= rights[found].bit;
      continue;
    }
    reasons->push_back(
        "first-move right '" + std::string(1, letter) + "' is unknown: " +
        (letters.empty() ? "this game has none, write '-'" : "write '-' or some of " + letters));
  }
}

}  // namespace

std::string chess_fields_text(std::span<const Right> rights, const Position& position) {
  std::string text = " ";
  for (const Right& right : rights) {
    if (position.rights & right.bit) text += right.letter;
  }
  if (position.rights == 0) text += '-';
  if (position.count_limit > 0) {
    text += " " + std::to_string(position.count_limit) + " " + std::to_string(position.count);
  } else {
    text += " - " + std::to_string(std::min<int>(position.no_progress_plies, kMostPlies));
  }
  const int fullmove = (position.first_ply + position.ply) / 2 + 1;
  return text + " " + std::to_string(std::min(fullmove, kMostPlies / 2));
}

void read_chess_fields(std::span<const Right> rights, std::span<const std::string_view> fields,
                       Position* position, std::vector<std::string>* reasons) {
  const auto field = [&](size_t i) { return i < fields.size() ? fields[i] : std::string_view("-"); };
  read_rights(rights, field(0), position, reasons);
  const int limit = read_number(field(1), "the count's limit", kMostPlies, reasons);
  const int count =
      read_number(field(2), limit > 0 ? "the count" : "the halfmove clock", kMostPlies, reasons);
  const int fullmove = read_number(field(3), "the move number", kMostPlies / 2, reasons);
  position->count_limit = static_cast<std::uint16_t>(limit);
  (limit > 0 ? position->count : position->no_progress_plies) = static_cast<std::uint16_t>(count);
  position->first_ply = static_cast<std::uint16_t>(2 * std::max(0, fullmove - 1));
  position->first_ply += position->to_move == Color::kBlack;
  for (size_t i = 4; i < fields.size(); ++i) {
    reasons->push_back("unexpected '" + std::string(fields[i]) + "' behind the move number: leave it out");
  }
}

}  // namespace makzero::game
