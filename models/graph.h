// A network as the operations that play it: what exports write, whatever the file format. No tensor library.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "game/game.h"
#include "nn/network.h"

namespace makzero::models {

struct Attribute {
  std::string name;
  std::variant<std::int64_t, std::vector<std::int64_t>> value;

  bool operator==(const Attribute&) const = default;
};

// An operation of ONNX's operator set 17 with one output.
struct Node {
  std::string op;  // "Conv"
  std::vector<std::string> inputs;
  std::string output;
  std::vector<Attribute> attributes;

  bool operator==(const Node&) const = default;
};

// An input or output of the whole graph.
struct Port {
  std::string name;
  std::vector<std::int64_t> shape;  // The first is the batch: kBatch.

  bool operator==(const Port&) const = default;
};

inline constexpr std::int64_t kBatch = -1;

// A constant that says a shape, for Reshape: 0 keeps a dimension, -1 takes what is left.
struct ShapeConstant {
  std::string name;
  std::vector<std::int64_t> values;

  bool operator==(const ShapeConstant&) const = default;
};

struct Graph {
  std::vector<Port> inputs, outputs;
  std::vector<Node> nodes;  // In an order in which they can run.
  nn::Weights weights;
  std::vector<ShapeConstant> shapes;

  bool operator==(const Graph&) const = default;
};

// The graph of a network that plays this ruleset, batch norm and rule features folded:
//   planes [N, P, 8, 8] -> policy [N, 4161] logits in the order of Move::index(), from the mover's side,
//                          wdl [N, 3] probabilities for the mover, moves_left [N] plies.
// Throws Error where the weights are not those of the shape.
Graph make_graph(const game::GameInfo& info, const nn::Network& network);

}  // namespace makzero::models
