// Graphs as ONNX files: https://onnx.ai, IR version 8, operator set 17.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/graph.h"

namespace makzero::models {

// What the file says of itself besides, "metadata_props".
using Metadata = std::vector<std::pair<std::string, std::string>>;

// The bytes of the file.
std::string onnx_bytes(const Graph& graph, const Metadata& metadata);

}  // namespace makzero::models
