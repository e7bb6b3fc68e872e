// RUN/losses.json: the held-out rows of largest loss of the newest generation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "train/learning/row_losses.h"

namespace makzero::train {

// {generation, rows: [{ruleset, position, side, game, ply, loss, policy_loss, value_loss, target: {win, draw,
// loss, moves: [{move, share}]}, predicted}]}, the largest loss first. Values are those of the side to move.
std::string losses_json(std::int64_t generation, std::span<const RowLoss> rows);

// Its rows for people. Throws models::Error for other files.
std::string inspect_losses(const std::filesystem::path& path);

}  // namespace makzero::train
