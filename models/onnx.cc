#include "models/onnx.h"

#include <bit>

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

}  // namespace makzero::models
