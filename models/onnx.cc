#include "models/onnx.h"

#include <bit>
#include <cstring>

#include "models/error.h"
#include "models/onnx.pb.h"

namespace makzero::models {
namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

constexpr int kIrVersion = 8;
constexpr int kOperatorSet = 17;
constexpr const char* kBatchName = "N";

template <class Number>
void add_tensor(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<Number>& data, onnx::TensorProto::DataType type, onnx::GraphProto* graph) {
  onnx::TensorProto* tensor = graph->add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(type);
  for (const std::int64_t size : shape) tensor->add_dims(size);
  tensor->set_raw_data(data.data(), data.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> data_of(const onnx::TensorProto& tensor) {
  std::vector<Number> data(tensor.raw_data().size() / sizeof(Number));
  std::memcpy(data.data(), tensor.raw_data().data(), data.size() * sizeof(Number));
  return data;
}

void write_port(const Port& port, onnx::ValueInfoProto* info) {
  info->set_name(port.name);
  onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t size : port.shape) {
    onnx::TensorShapeProto::Dimension* dimension = type->mutable_shape()->add_dim();
    if (size == kBatch) {
      dimension->set_dim_param(kBatchName);
    } else {
      dimension->set_dim_value(size);
    }
  }
}

Port read_port(const onnx::ValueInfoProto& info) {
  Port port{info.name(), {}};
  for (const auto& dimension : info.type().tensor_type().shape().dim()) {
    port.shape.push_back(dimension.has_dim_param() ? kBatch : dimension.dim_value());
  }
  return port;
}

void write_node(const Node& node, onnx::NodeProto* proto) {
  proto->set_name(node.output);
  proto->set_op_type(node.op);
  for (const std::string& input : node.inputs) proto->add_input(input);
  proto->add_output(node.output);
  for (const Attribute& attribute : node.attributes) {
    onnx::AttributeProto* out = proto->add_attribute();
    out->set_name(attribute.name);
    if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) {
      out->set_type(onnx::AttributeProto::INT);
      out->set_i(*number);
    } else {
      out->set_type(onnx::AttributeProto::INTS);
      for (const std::int64_t value : std::get<1>(attribute.value)) out->add_ints(value);
    }
  }
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

}  // namespace

std::string onnx_bytes(const Graph& graph, const Metadata& metadata) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("makzero");
  onnx::OperatorSetIdProto* operators = model.add_opset_import();
  operators->set_domain("");
  operators->set_version(kOperatorSet);
  onnx::GraphProto* proto = model.mutable_graph();
  proto->set_name("makzero");
  for (const Port& port : graph.inputs) write_port(port, proto->add_input());
  for (const Port& port : graph.outputs) write_port(port, proto->add_output());
  for (const Node& node : graph.nodes) write_node(node, proto->add_node());
  for (const nn::NamedTensor& weight : graph.weights) {
    add_tensor(weight.name, weight.shape, weight.data, onnx::TensorProto::FLOAT, proto);
  }
  for (const ShapeConstant& shape : graph.shapes) {
    add_tensor(shape.name, {static_cast<std::int64_t>(shape.values.size())}, shape.values,
               onnx::TensorProto::INT64, proto);
  }
  for (const auto& [key, value] : metadata) {
    onnx::StringStringEntryProto* entry = model.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
  return model.SerializeAsString();
}

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

}  // namespace makzero::models
