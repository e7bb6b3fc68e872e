// The fields of the chess family's position text behind the side to move: "rights limit count fullmove".
//
//   "DEde - 0 1"   first-move rights, no count, 0 plies since a capture or pawn move, move 1
//   "- 128 36 52"  no rights, board's honour: limit 128 plies, 36 counted, move 52
//
// The move number serves texts alone: no rule depends on it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.h"
#include "game/rules/first_moves.h"

namespace makzero::game {

// " rights limit count fullmove", with "-" for no rights and for no count. The rights come in the order of
// the table.
std::string chess_fields_text(std::span<const Right> rights, const Position& position);

// Reads the fields; missing ones mean no rights, no count and move 1, and "0" or "-" as limit means no count.
// Adds a reason for everything that is wrong.
void read_chess_fields(std::span<const Right> rights, std::span<const std::string_view> fields,
                       Position* position, std::vector<std::string>* reasons);

}  // namespace makzero::game
