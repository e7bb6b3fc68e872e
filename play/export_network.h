// Exports of every kind: models for other front ends, or a page that plays by itself.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "models/export.h"

namespace makzero::play {

// "onnx", "web" and "json" of a tower, "small" of a small network.
std::span<const std::string_view> export_kinds();

// Writes the checkpoint as `kind` into the folder; see models::export_checkpoint(). "web" is the model with
// the web page, which plays from any server of files. `ruleset`: empty, or one of those that the network
// plays. Throws models::Error, also where the program was built without what a page needs.
models::ExportReport export_network(const std::filesystem::path& checkpoint, std::string_view kind,
                                    const std::filesystem::path& folder, const std::string& ruleset = "");

}  // namespace makzero::play
