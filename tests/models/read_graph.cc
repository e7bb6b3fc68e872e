#include "tests/models/read_graph.h"

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/error.h"
#include "models/onnx.pb.h"

namespace makzero::models {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
std::vector<Number> data_of(const onnx::TensorProto& tensor) {
  std::vector<Number> data(tensor.raw_data().size() / sizeof(Number));
  std::memcpy(data.data(), tensor.raw_data().data(), data.size() * sizeof(Number));
  return data;
}

Port read_port(const onnx::ValueInfoProto& info) {
  Port port{info.name(), {}};
  for (const auto& dimension : info.type().tensor_type().shape().dim()) {
    port.shape.push_back(dimension.has_dim_param() ? kBatch : dimension.dim_value());
  }
  return port;
}

Node read_node(const onnx::NodeProto& proto) {
  if (proto.output_size() != 1) throw Error("operation " + proto.name() + " has not exactly one output");
  Node node{proto.op_type(), {proto.input().begin(), proto.input().end()}, proto.output(0), {}};
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    if (attribute.type() == onnx::AttributeProto::INT) {
      node.attributes.push_back({attribute.name(), attribute.i()});
    } else {
      node.attributes.push_back(
          {attribute.name(), std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end())});
    }
  }
  return node;
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char letter : text) {
    const std::size_t digit = kBase64.find(letter);
    if (digit == std::string_view::npos) throw Error("the weights are no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

std::vector<Port> read_ports(const Json& all) {
  std::vector<Port> ports;
  for (const auto& [name, shape] : all.items()) {
    Port port{name, {}};
    for (const Json& size : shape) port.shape.push_back(size.is_string() ? kBatch : size.get<std::int64_t>());
    ports.push_back(std::move(port));
  }
  return ports;
}

Node read_json_node(const Json& json) {
  Node node{json.at("op"), json.at("inputs"), json.at("output"), {}};
  for (const auto& [name, value] : json.at("attributes").items()) {
    if (value.is_array()) {
      node.attributes.push_back({name, value.get<std::vector<std::int64_t>>()});
    } else {
      node.attributes.push_back({name, value.get<std::int64_t>()});
    }
  }
  return node;
}

nn::NamedTensor read_weight(const Json& json) {
  const std::string bytes = from_base64(json.at("data").get<std::string>());
  nn::NamedTensor tensor{json.at("name"), json.at("shape"), std::vector<float>(bytes.size() / sizeof(float))};
  std::memcpy(tensor.data.data(), bytes.data(), tensor.data.size() * sizeof(float));
  return tensor;
}

}  // namespace

Graph read_onnx(std::string_view bytes, Metadata* metadata) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw Error("this is no ONNX file, or a damaged one: export the checkpoint again");
  }
  Graph graph;
  for (const auto& input : model.graph().input()) graph.inputs.push_back(read_port(input));
  for (const auto& output : model.graph().output()) graph.outputs.push_back(read_port(output));
  for (const auto& node : model.graph().node()) graph.nodes.push_back(read_node(node));
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.data_type() == onnx::TensorProto::INT64) {
      graph.shapes.push_back({tensor.name(), data_of<std::int64_t>(tensor)});
    } else {
      graph.weights.push_back(
          {tensor.name(), {tensor.dims().begin(), tensor.dims().end()}, data_of<float>(tensor)});
    }
  }
  if (metadata != nullptr) {
    for (const auto& entry : model.metadata_props()) metadata->emplace_back(entry.key(), entry.value());
  }
  return graph;
}

Graph read_graph_json(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    Graph graph;
    graph.inputs = read_ports(json.at("inputs"));
    graph.outputs = read_ports(json.at("outputs"));
    for (const Json& node : json.at("nodes")) graph.nodes.push_back(read_json_node(node));
    for (const auto& [name, values] : json.at("shapes").items()) graph.shapes.push_back({name, values});
    for (const Json& weight : json.at("weights")) graph.weights.push_back(read_weight(weight));
    return graph;
  } catch (const Json::exception& error) {
    throw Error(std::string("this is no exported graph: ") + error.what());
  }
}

}  // namespace makzero::models
