// What any file that the program writes says of itself: `makzero inspect FILE`.
#pragma once

#include <filesystem>
#include <string>

namespace makzero::train {

// A description for people of checkpoints, learner states, small networks, game and match records,
// metrics, TensorBoard events, configurations and status files, by the name or else the content.
// Throws models::Error for damaged and foreign files.
std::string inspect_file(const std::filesystem::path& path);

// The parts of it: see file_kinds.h.
std::string inspect_json(const std::filesystem::path& path);
std::string inspect_json_lines(const std::filesystem::path& path);
std::string inspect_config(const std::filesystem::path& path);
std::string inspect_text(const std::filesystem::path& path);

// Damage of a configuration; empty: none.
std::string config_damage(const std::filesystem::path& path);

}  // namespace makzero::train
