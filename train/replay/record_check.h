// Checks of game records that come from elsewhere: a refusal with its reason instead of an exception.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "game/game.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

// The longest game and the largest record that are learnt from.
inline constexpr int kMostPlies = 30'000;
inline constexpr std::size_t kMostRecordBytes = std::size_t{4} << 20;

// Why nothing can be learnt from a record whatever its rules; none where its fields make sense: enum values
// that exist, moves of 16 bits, finite values that are probabilities, policies with some weight and of full
// moves, sizes within bounds, no fields of a newer program.
std::optional<std::string> find_field_fault(const GameRecord& record);

// Why a record is not a game of these rules as self-play leaves it; none where it is one. Beyond the fields:
// legal moves with policies over all of them, one for each full search, and the end that the rules or
// self-play's limits give it, with its reason and material.
std::optional<std::string> find_record_fault(const game::Game& game, const GameRecord& record);

// The record in these bytes, or the reason why there is none.
struct ParsedRecord {
  std::optional<GameRecord> record;
  std::string why;
};
ParsedRecord parse_record(std::string_view bytes);

// Whether the name of a worker is one: up to 64 of the characters A-Z, a-z, 0-9, '.', '_' and '-', the first
// a letter or digit.
bool is_worker_name(std::string_view name);

}  // namespace makzero::train
