// Exported graphs in plain loops: slow, and easy to trust.
#pragma once

#include <vector>

#include "models/graph.h"

namespace makzero::models {

// Outputs for encoded planes [batch, P, 8, 8], flat, in the order of the graph's outputs. One operation after
// the other. Throws Error where the graph is not one that make_graph() makes.
std::vector<std::vector<float>> run_graph(const Graph& graph, const std::vector<float>& planes, int batch);

}  // namespace makzero::models
