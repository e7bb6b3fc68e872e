// Exports of every kind: models for other front ends, or a page that plays by itself.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/export.h"
#include "play/export/site.h"

namespace makzero::play {

// "onnx", "web" and "json" of a tower, "small" of a small network, and "web" of small networks.
std::span<const std::string_view> export_kinds();

// Writes the checkpoint as `kind` into the folder; see models::export_checkpoint(). "web" is a site of its
// small networks, or of its tower where it has none. `ruleset`: empty, or one of those that the network
// plays. Throws models::Error, also where the program was built without what a page needs.
models::ExportReport export_network(const std::filesystem::path& checkpoint, std::string_view kind,
                                    const std::filesystem::path& folder, const std::string& ruleset = "");

// Writes a site (site.h) of these games; files of an earlier site in the folder are replaced, others stay.
// Throws models::Error.
models::ExportReport export_site(const std::vector<SiteGame>& games, const std::filesystem::path& folder);

// The same of one ruleset, with the tower of a checkpoint; its small network, or the zoo's, plays too.
// `ruleset` may be empty: the one that the tower was trained for.
models::ExportReport export_tower_site(const std::filesystem::path& checkpoint,
                                       const std::filesystem::path& folder, const std::string& ruleset);

}  // namespace makzero::play
