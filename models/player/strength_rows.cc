#include "models/player/strength_rows.h"

#include <cmath>
#include <utility>

namespace makzero::models {
namespace {

// Distance of a row from what is asked: the device counts before the time.
std::pair<bool, double> distance(const StrengthRow& row, std::chrono::milliseconds time,
                                 std::string_view device) {
  return {row.device() != device, std::abs(std::log(static_cast<double>(row.ms()) / time.count()))};
}

}  // namespace

const StrengthRow* find_strength(const StrengthTable& table, std::string_view game, std::string_view player,
                                 std::string_view opponent, std::chrono::milliseconds time,
                                 std::string_view device) {
  const StrengthRow* nearest = nullptr;
  for (const StrengthRow& row : table.rows()) {
    if (row.game() != game || row.player() != player || row.opponent() != opponent) continue;
    if (row.device() != device && row.device() != "cpu") continue;
    if (!nearest || distance(row, time, device) < distance(*nearest, time, device)) nearest = &row;
  }
  return nearest;
}

bool is_stronger(const StrengthRow& row) {
  return row.wins() != row.losses() ? row.wins() > row.losses() : row.by_material() > 0.5;
}

}  // namespace makzero::models
