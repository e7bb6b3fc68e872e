// Rows of a run's window as NumPy arrays, for one's own analysis: makzero inspect RUN --npz FILE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace makzero::train {

// Writes up to `rows` rows, evenly spread over the window, as a batch of the learner but for the symmetries:
// for each an entry in
//
// planes [rows, planes, 8, 8] and rule_features [rows, features]: what the network sees, from the mover's
// side; policy, value, moves_left, ... and NAME_known: targets of the heads (nn/heads.h), 0 = unknown;
// ruleset, game, ply and generation: where it comes from;
// weight and held_out: how often it is learnt from, 1 = never;
//
// and plane_names, rule_feature_names and rulesets. The policy is listed by move: the entries move_begin[i]
// .. move_begin[i + 1] of move_index and policy belong to row i. Returns what was written, for people. Throws
// models::Error.
std::string write_window_slice(const std::filesystem::path& run, const std::filesystem::path& file,
                               std::int64_t rows);

}  // namespace makzero::train
