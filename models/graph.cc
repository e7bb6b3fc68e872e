// From the weights of a checkpoint to the operations of play; nn/torch/network_module.cc is the
// architecture's truth.
#include "models/graph.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "game/move.h"
#include "models/error.h"
#include "nn/rule_encoder.h"

namespace makzero::models {
namespace {

using Shape = std::vector<std::int64_t>;

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

// Adds operations one by one. Functions return the name of what they compute, which is that of the network's
// part that computes it.
class GraphWriter {
 public:
  explicit GraphWriter(const nn::Weights& trained) : trained_(trained) {}

  Graph finish(std::vector<Port> inputs, std::vector<Port> outputs) {
    graph_.inputs = std::move(inputs);
    graph_.outputs = std::move(outputs);
    return std::move(graph_);
  }

  std::string add(std::string op, std::vector<std::string> inputs, std::string output,
                  std::vector<Attribute> attributes = {}) {
    graph_.nodes.push_back({std::move(op), std::move(inputs), output, std::move(attributes)});
    return output;
  }

  std::string relu(const std::string& x) { return add("Relu", {x}, x + ".relu"); }

  std::string reshape(const std::string& x, Shape shape, const std::string& output) {
    graph_.shapes.push_back({output + ".shape", std::move(shape)});
    return add("Reshape", {x, output + ".shape"}, output);
  }

  std::string convolution(const std::string& x, nn::NamedTensor weight, nn::NamedTensor bias,
                          const std::string& output) {
    const std::int64_t pad = weight.shape[2] / 2;
    return add("Conv", {x, constant(std::move(weight)), constant(std::move(bias))}, output,
               {{"pads", Shape(4, pad)}});
  }

  // A trained convolution without bias, then batch norm:
  // (y - mean) / sqrt(variance + eps) * gain + offset is linear in y. `added`: one number for each channel,
  // added behind the norm; empty: nothing.
  std::string conv_norm(const std::string& x, const std::string& part, const Shape& shape,
                        const std::vector<double>& added = {}) {
    const Shape channels = {shape[0]};
    nn::NamedTensor weight = trained(part + ".conv.weight", shape);
    nn::NamedTensor bias = trained(part + ".norm.bias", channels);
    const std::vector<float> gain = trained(part + ".norm.weight", channels).data;
    const std::vector<float> mean = trained(part + ".norm.running_mean", channels).data;
    const std::vector<float> variance = trained(part + ".norm.running_var", channels).data;
    const std::size_t row = weight.data.size() / gain.size();
    for (std::size_t i = 0; i < gain.size(); ++i) {
      const double factor = gain[i] / std::sqrt(variance[i] + nn::kNormEpsilon);
      for (std::size_t j = 0; j < row; ++j) {
        weight.data[i * row + j] = static_cast<float>(weight.data[i * row + j] * factor);
      }
      bias.data[i] = static_cast<float>(bias.data[i] - mean[i] * factor + (added.empty() ? 0 : added[i]));
    }
    bias.name = part + ".bias";
    return convolution(x, std::move(weight), std::move(bias), part);
  }

  // A trained linear layer: [N, inputs] -> [N, outputs].
  std::string linear(const std::string& x, const std::string& part, std::int64_t inputs,
                     std::int64_t outputs) {
    return linear(x, trained(part + ".weight", {outputs, inputs}), part);
  }
  std::string linear(const std::string& x, nn::NamedTensor weight, const std::string& part) {
    nn::NamedTensor bias = trained(part + ".bias", {weight.shape[0]});
    return add("Gemm", {x, constant(std::move(weight)), constant(std::move(bias))}, part + ".linear",
               {{"transB", std::int64_t{1}}});
  }

  std::string constant(nn::NamedTensor tensor) {
    std::string name = tensor.name;
    graph_.weights.push_back(std::move(tensor));
    return name;
  }

  // The tensor of the checkpoint. Throws Error.
  nn::NamedTensor trained(const std::string& name, const Shape& shape) const {
    for (const nn::NamedTensor& tensor : trained_) {
      if (tensor.name != name) continue;
      if (tensor.shape == shape) return tensor;
      throw Error("tensor " + name + " has the shape " + shape_text(tensor.shape) + ", the network needs " +
                  shape_text(shape));
    }
    throw Error("the checkpoint has no tensor " + name);
  }

  // The first dimension of that tensor, where the shape does not say it.
  std::int64_t rows_of(const std::string& name) const {
    for (const nn::NamedTensor& tensor : trained_) {
      if (tensor.name == name && !tensor.shape.empty()) return tensor.shape[0];
    }
    throw Error("the checkpoint has no tensor " + name);
  }

 private:
  const nn::Weights& trained_;
  Graph graph_;
};

// Rows [begin, begin + count) of a tensor, times `factor`.
nn::NamedTensor rows(const nn::NamedTensor& tensor, std::int64_t begin, std::int64_t count,
                     const std::string& name, float factor = 1) {
  nn::NamedTensor part{name, tensor.shape, {}};
  part.shape[0] = count;
  const auto row = static_cast<std::int64_t>(tensor.data.size()) / tensor.shape[0];
  part.data.assign(tensor.data.begin() + begin * row, tensor.data.begin() + (begin + count) * row);
  for (float& value : part.data) value *= factor;
  return part;
}

// A linear layer over channels as a convolution with a 1 x 1 kernel.
nn::NamedTensor as_kernel(nn::NamedTensor weight) {
  weight.shape.insert(weight.shape.end(), {1, 1});
  return weight;
}

// What the rules add to the channels of the input convolution; empty where the network does not see them.
std::vector<double> rule_offsets(const GraphWriter& graph, const game::GameInfo& info,
                                 const nn::NetworkArchitecture& shape) {
  if (shape.rule_features.empty()) return {};
  const nn::RuleEncoder encoder(shape.rule_features);
  std::vector<float> rules(encoder.count());
  encoder.encode(info, rules.data());
  const nn::NamedTensor weight =
      graph.trained(std::string(nn::kRulesWeight), {shape.channels, encoder.count()});
  std::vector<double> offsets;
  for (auto row = weight.data.begin(); row != weight.data.end(); row += encoder.count())
    offsets.push_back(std::inner_product(rules.begin(), rules.end(), row, 0.0));
  return offsets;
}

// Squeeze and excite: gate * y + offset per channel, both from the means of the channels over the board.
std::string squeeze_excite(GraphWriter* graph, const std::string& y, const std::string& part,
                           std::int64_t channels) {
  const std::int64_t narrow = graph->rows_of(part + ".squeeze.bias");
  const std::string mean = graph->add("GlobalAveragePool", {y}, part + ".mean");
  const std::string squeezed = graph->relu(
      graph->convolution(mean, as_kernel(graph->trained(part + ".squeeze.weight", {narrow, channels})),
                         graph->trained(part + ".squeeze.bias", {narrow}), part + ".squeeze"));
  const nn::NamedTensor weight = graph->trained(part + ".excite.weight", {2 * channels, narrow});
  const nn::NamedTensor bias = graph->trained(part + ".excite.bias", {2 * channels});
  const auto excite = [&](const std::string& name, std::int64_t begin) {
    return graph->convolution(squeezed, as_kernel(rows(weight, begin, channels, name + ".weight")),
                              rows(bias, begin, channels, name + ".bias"), name);
  };
  const std::string gate = graph->add("Sigmoid", {excite(part + ".gate", 0)}, part + ".gate.sigmoid");
  const std::string offset = excite(part + ".offset", channels);
  return graph->add("Add", {graph->add("Mul", {y, gate}, part + ".gated"), offset}, part);
}

std::string block(GraphWriter* graph, const std::string& x, const std::string& part, std::int64_t channels,
                  bool with_squeeze_excite) {
  const Shape shape = {channels, channels, 3, 3};
  std::string y = graph->conv_norm(x, part + ".first", shape);
  y = graph->conv_norm(graph->relu(y), part + ".second", shape);
  if (with_squeeze_excite) y = squeeze_excite(graph, y, part + ".squeeze_excite", channels);
  return graph->relu(graph->add("Add", {y, x}, part));
}

// Attention from origins to destinations; the query of the hand and the scale are folded into convolutions.
void policy_head(GraphWriter* graph, const std::string& tower, const std::string& summary,
                 const nn::NetworkArchitecture& shape) {
  const std::int64_t channels = shape.channels, size = shape.attention;
  const float scale = nn::attention_scale(shape.attention);
  const std::string embedded =
      graph->relu(graph->conv_norm(tower, "policy.embed", {channels, channels, 1, 1}));
  const nn::NamedTensor weight = graph->trained("policy.project.weight", {2 * size, channels, 1, 1});
  const nn::NamedTensor bias = graph->trained("policy.project.bias", {2 * size});
  const std::string query =
      graph->convolution(embedded, rows(weight, 0, size, "policy.query.weight", scale),
                         rows(bias, 0, size, "policy.query.bias", scale), "policy.query");
  const std::string key = graph->convolution(embedded, rows(weight, size, size, "policy.key.weight"),
                                             rows(bias, size, size, "policy.key.bias"), "policy.key");
  nn::NamedTensor hand = rows(graph->trained("policy.hand", {size}), 0, size, "policy.hand.weight", scale);
  hand.shape = {1, size, 1, 1};
  const std::string drops =
      graph->convolution(key, std::move(hand), {"policy.hand.bias", {1}, {0}}, "policy.hand");

  const std::string origins =
      graph->add("Transpose", {graph->reshape(query, {0, size, game::kSquares}, "policy.queries")},
                 "policy.origins", {{"perm", Shape{0, 2, 1}}});
  const std::string destinations = graph->reshape(key, {0, size, game::kSquares}, "policy.destinations");
  const std::string moves = graph->add("MatMul", {origins, destinations}, "policy.attention");
  graph->add("Concat",
             {graph->reshape(moves, {0, game::kSquares * game::kSquares}, "policy.moves"),
              graph->reshape(drops, {0, game::kSquares}, "policy.drops"),
              graph->linear(summary, "policy.pass", shape.hidden, 1)},
             "policy", {{"axis", std::int64_t{1}}});
}

// LibTorch's network flattens the value head's view as [square, channel], ONNX's layout as [channel, square].
nn::NamedTensor by_channel(nn::NamedTensor weight, std::int64_t channels) {
  const std::vector<float> by_square = weight.data;
  for (std::size_t i = 0; i < by_square.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const std::int64_t channel = index % channels, square = index / channels % game::kSquares;
    const std::int64_t row = index / (channels * game::kSquares);
    weight.data[(row * channels + channel) * game::kSquares + square] = by_square[i];
  }
  return weight;
}

}  // namespace

Graph make_graph(const game::GameInfo& info, const nn::Network& network) {
  const nn::NetworkArchitecture& shape = network.architecture;
  GraphWriter graph(network.weights);
  const std::int64_t channels = shape.channels;
  std::string tower = graph.relu(graph.conv_norm("planes", "input", {channels, shape.plane_count(), 3, 3},
                                                 rule_offsets(graph, info, shape)));
  for (int i = 0; i < shape.blocks; ++i) {
    tower = block(&graph, tower, "blocks." + std::to_string(i), channels, i % 2 == 1);
  }

  const std::int64_t view = graph.rows_of("value.conv.weight");
  const std::string seen = graph.relu(graph.conv_norm(tower, "value", {view, channels, 1, 1}));
  const std::string flat = graph.reshape(seen, {0, view * game::kSquares}, "value.flat");
  const std::string summary = graph.relu(graph.linear(
      flat, by_channel(graph.trained("hidden.weight", {shape.hidden, view * game::kSquares}), view),
      "hidden"));

  policy_head(&graph, tower, summary, shape);
  graph.add("Softmax", {graph.linear(summary, "wdl", shape.hidden, 3)}, "wdl", {{"axis", std::int64_t{1}}});
  const std::string scale = graph.constant({"moves_left.scale", {1}, {nn::kMovesLeftScale}});
  const std::string units =
      graph.add("Softplus", {graph.linear(summary, "moves_left", shape.hidden, 1)}, "moves_left.units");
  graph.reshape(graph.add("Mul", {units, scale}, "moves_left.plies"), {-1}, "moves_left");
  return graph.finish(
      {{"planes", {kBatch, shape.plane_count(), 8, 8}}},
      {{"policy", {kBatch, game::kPolicySize}}, {"wdl", {kBatch, 3}}, {"moves_left", {kBatch}}});
}

}  // namespace makzero::models
