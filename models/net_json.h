// net.json: what a front end must know of an exported network, beside the model itself.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/graph.h"
#include "models/model.h"

namespace makzero::models {

// A position with what the network says of it, for front ends to test themselves with.
struct TestVector {
  game::Position position;
  std::vector<float> planes;  // [P, 8, 8]
  nn::RawOutput output;
};

// The exported model as a file.
struct ModelFile {
  std::string name;  // "model.onnx"
  std::string bytes;
};

// The shortest decimal that reads back as this float; as a double it would have twice the digits.
nlohmann::ordered_json shortest(float value);

nlohmann::ordered_json net_json(const game::Game& game, const Model& checkpoint, const ModelFile& model,
                                const std::vector<TestVector>& vectors);

// The graph in JSON, for front ends that bring their own arithmetic and have no runtime for ONNX: "nodes"
// with the operations of ONNX's operator set 17, "weights" as base64 of little-endian float32, "shapes".
nlohmann::ordered_json graph_json(const Graph& graph);

// Measured levels, weakest first: {level, `nodes`, temperature, elo}.
nlohmann::ordered_json levels_json(const google::protobuf::RepeatedPtrField<Level>& levels,
                                   const std::string& nodes);

// A line for each key, and for each row of arrays of objects: a person can read it, a diff can show it.
std::string json_lines(const nlohmann::ordered_json& object);

}  // namespace makzero::models
