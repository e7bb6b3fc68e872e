#include "play/terminal/line_reader.h"

namespace makzero::play {

// The console edits lines by itself, and keeps their history.
std::unique_ptr<LineReader> line_editor(const std::filesystem::path&, Interrupt) { return nullptr; }

}  // namespace makzero::play
