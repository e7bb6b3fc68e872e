// What any file that the program writes says of itself: `makzero inspect FILE`.
#pragma once

#include <filesystem>
#include <string>

namespace makzero::train {

// A description for people of checkpoints, learner states, small networks, game and match records, leaves,
// metrics, TensorBoard events, databases, configurations and status files, recognised by their content. Throws
// models::Error for damaged and foreign files.
std::string inspect_file(const std::filesystem::path& path);

}  // namespace makzero::train
