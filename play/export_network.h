// Exports of every kind: models for other front ends, or a page that plays by itself.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "models/export.h"

namespace makzero::play {

// "onnx", "web", "json".
std::span<const std::string_view> export_kinds();

// Writes the checkpoint as `kind` into the folder; see models::export_checkpoint(). "web" is the model with
// the web page, which plays from any server of files. Throws models::Error, also where the program was built
// without what a page needs.
models::ExportReport export_network(const std::filesystem::path& checkpoint, std::string_view kind,
                                    const std::filesystem::path& folder);

}  // namespace makzero::play
