// Readers of exported graphs.
#pragma once

#include <string_view>

#include "models/graph.h"
#include "models/onnx.h"

namespace makzero::models {

// Reads what onnx_bytes() wrote; `metadata` may be null. Throws Error.
Graph read_onnx(std::string_view bytes, Metadata* metadata);

// Reads what graph_json() wrote. Throws Error.
Graph read_graph_json(std::string_view text);

}  // namespace makzero::models
