// A checkpoint made into files that programs without LibTorch can play with.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"

namespace makzero::models {

enum class ModelFormat {
  kOnnx,  // model.onnx, for runtimes of ONNX.
  kJson,  // model.json: the same operations and weights, for front ends that bring their own arithmetic.
};

// A file that lies beside the model.
struct ExportedFile {
  std::filesystem::path name;  // Relative to the folder.
  std::string_view bytes;
};

// What was written.
struct ExportReport {
  std::string checkpoint;  // Id.
  std::string ruleset;
  std::vector<std::filesystem::path> files;  // The model, its description, then the others.
};

// Writes FOLDER/model.*, FOLDER/net.json (see net_json.h) and the other files, whole or not at all: they
// appear when the model, read back from the disk, is what was written. net.json holds the checkpoint's
// outputs on positions of random games, with which a front end checks its own. Files of an earlier export
// there are replaced, others stay. Throws Error: a checkpoint that this program cannot play (naming both
// encoders or move indices), a weight that is no number, a folder that holds something else, a model that
// differs. `ruleset`: of the games that the network plays the one to export, whose rules are folded into the
// model; empty: the one that it was trained for.
ExportReport export_checkpoint(const std::filesystem::path& checkpoint, ModelFormat format,
                               const std::filesystem::path& folder, std::span<const ExportedFile> others = {},
                               const std::string& ruleset = "");

// The small network of the ruleset's game: FOLDER/small_network.bin, its frame as
// mcts::decode_small_network() reads it, and FOLDER/net.json with its scores of positions of random games,
// which are the same on every machine. `ruleset` may be empty where the model has the network of one game.
// Throws Error.
ExportReport export_small_network(const std::filesystem::path& model, const std::filesystem::path& folder,
                                  const std::string& ruleset = "");

}  // namespace makzero::models
