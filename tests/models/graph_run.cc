#include "tests/models/graph_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "models/error.h"

namespace makzero::models {
namespace {

using Shape = std::vector<std::int64_t>;

struct Tensor {
  Shape shape;
  std::vector<float> data;
};

std::int64_t size_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void require(bool condition, const char* what) {
  if (!condition) throw Error(std::string("the exported graph is not one of ours: ") + what);
}

// An operation with what it reads.
struct Step {
  const Node& node;
  std::vector<const Tensor*> inputs;
  const Shape* wanted = nullptr;  // Of Reshape.

  const Tensor& input(std::size_t i) const {
    require(i < inputs.size() && inputs[i] != nullptr, "an input is missing");
    return *inputs[i];
  }

  template <class Value>
  Value attribute(const char* name, Value otherwise) const {
    for (const Attribute& attribute : node.attributes) {
      if (attribute.name == name) return std::get<Value>(attribute.value);
    }
    return otherwise;
  }
};

template <class Function>
Tensor each(const Tensor& x, const Function& function) {
  Tensor y = x;
  for (float& value : y.data) value = function(value);
  return y;
}

// b may hold one number for all of a or one for each of its rows: [N, C, 8, 8] with [N, C, 1, 1].
template <class Function>
Tensor each_pair(const Tensor& a, const Tensor& b, const Function& function) {
  require(!b.data.empty() && a.data.size() % b.data.size() == 0, "sizes do not go together");
  Tensor y = a;
  const std::size_t repeat = a.data.size() / b.data.size();
  for (std::size_t i = 0; i < y.data.size(); ++i) y.data[i] = function(a.data[i], b.data[i / repeat]);
  return y;
}

// Adds weight * (the plane `in` shifted by (rank, file)) to the plane `out`.
void add_shifted(const float* in, double weight, std::int64_t rank, std::int64_t file, std::int64_t height,
                 std::int64_t width, double* out) {
  for (std::int64_t y = std::max<std::int64_t>(0, -rank); y < std::min(height, height - rank); ++y) {
    for (std::int64_t x = std::max<std::int64_t>(0, -file); x < std::min(width, width - file); ++x) {
      out[y * width + x] += weight * in[(y + rank) * width + x + file];
    }
  }
}

// [N, I, H, W] * [O, I, K, K] + [O] -> [N, O, H, W]; zeros around the board.
Tensor convolution(const Step& step) {
  const Tensor &x = step.input(0), &weight = step.input(1), &bias = step.input(2);
  require(x.shape.size() == 4 && weight.shape.size() == 4 && x.shape[1] == weight.shape[1], "Conv");
  const std::int64_t inputs = weight.shape[1], outputs = weight.shape[0], kernel = weight.shape[2];
  const std::int64_t height = x.shape[2], width = x.shape[3], pad = kernel / 2;
  require(step.attribute("pads", Shape(4)) == Shape(4, pad), "Conv changes the size of the board");
  require(size_of(bias.shape) == outputs, "Conv");
  Tensor y{{x.shape[0], outputs, height, width}, {}};
  std::vector<double> plane(height * width);
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      std::fill(plane.begin(), plane.end(), bias.data[o]);
      for (std::int64_t tap = 0; tap < inputs * kernel * kernel; ++tap) {
        const std::int64_t i = tap / (kernel * kernel), rank = tap / kernel % kernel, file = tap % kernel;
        add_shifted(&x.data[(n * inputs + i) * height * width],
                    weight.data[o * inputs * kernel * kernel + tap], rank - pad, file - pad, height, width,
                    plane.data());
      }
      y.data.insert(y.data.end(), plane.begin(), plane.end());
    }
  }
  return y;
}

Tensor global_average(const Step& step) {
  const Tensor& x = step.input(0);
  require(x.shape.size() == 4, "GlobalAveragePool");
  const std::int64_t squares = x.shape[2] * x.shape[3];
  Tensor y{{x.shape[0], x.shape[1], 1, 1}, {}};
  for (auto at = x.data.begin(); at != x.data.end(); at += squares) {
    y.data.push_back(
        static_cast<float>(std::accumulate(at, at + squares, 0.0) / static_cast<double>(squares)));
  }
  return y;
}

// [N, I] * [O, I] transposed + [O] -> [N, O]
Tensor linear(const Step& step) {
  const Tensor &x = step.input(0), &weight = step.input(1), &bias = step.input(2);
  require(step.attribute("transB", std::int64_t{0}) == 1, "Gemm");
  require(x.shape.size() == 2 && weight.shape.size() == 2 && x.shape[1] == weight.shape[1], "Gemm");
  const std::int64_t inputs = weight.shape[1], outputs = weight.shape[0];
  require(size_of(bias.shape) == outputs, "Gemm");
  Tensor y{{x.shape[0], outputs}, {}};
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      const float* row = &weight.data[o * inputs];
      y.data.push_back(static_cast<float>(
          std::inner_product(row, row + inputs, &x.data[n * inputs], static_cast<double>(bias.data[o]))));
    }
  }
  return y;
}

// [N, A, D] * [N, D, B] -> [N, A, B]
Tensor matrix_product(const Step& step) {
  const Tensor &a = step.input(0), &b = step.input(1);
  require(a.shape.size() == 3 && b.shape.size() == 3 && a.shape[2] == b.shape[1], "MatMul");
  const std::int64_t rows = a.shape[1], size = a.shape[2], columns = b.shape[2];
  Tensor y{{a.shape[0], rows, columns}, {}};
  for (std::int64_t i = 0; i < a.shape[0] * rows * columns; ++i) {
    const std::int64_t n = i / (rows * columns), column = i % columns;
    double sum = 0;
    for (std::int64_t d = 0; d < size; ++d) {
      sum += static_cast<double>(a.data[i / columns * size + d]) * b.data[(n * size + d) * columns + column];
    }
    y.data.push_back(static_cast<float>(sum));
  }
  return y;
}

// [N, A, B] -> [N, B, A]
Tensor transpose(const Step& step) {
  const Tensor& x = step.input(0);
  require(x.shape.size() == 3 && step.attribute("perm", Shape()) == Shape{0, 2, 1}, "Transpose");
  const std::int64_t rows = x.shape[1], columns = x.shape[2];
  Tensor y{{x.shape[0], columns, rows}, std::vector<float>(x.data.size())};
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const std::int64_t n = index / (rows * columns), row = index / columns % rows, column = index % columns;
    y.data[(n * columns + column) * rows + row] = x.data[i];
  }
  return y;
}

Tensor reshape(const Step& step) {
  Tensor y = step.input(0);
  require(step.wanted != nullptr, "Reshape");
  const auto total = static_cast<std::int64_t>(y.data.size());
  Shape shape = *step.wanted;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && i < y.shape.size()) shape[i] = y.shape[i];
    if (shape[i] > 0) known *= shape[i];
  }
  std::replace(shape.begin(), shape.end(), std::int64_t{-1}, total / known);
  require(size_of(shape) == total, "Reshape");
  y.shape = shape;
  return y;
}

// [N, A], [N, B] ... -> [N, A + B + ...]
Tensor concatenation(const Step& step) {
  require(step.attribute("axis", std::int64_t{0}) == 1, "Concat");
  Tensor y{{step.input(0).shape.at(0), 0}, {}};
  for (const Tensor* part : step.inputs) {
    require(part->shape.size() == 2 && part->shape[0] == y.shape[0], "Concat");
    y.shape[1] += part->shape[1];
  }
  for (std::int64_t n = 0; n < y.shape[0]; ++n) {
    for (const Tensor* part : step.inputs) {
      const auto row = part->data.begin() + n * part->shape[1];
      y.data.insert(y.data.end(), row, row + part->shape[1]);
    }
  }
  return y;
}

Tensor softmax(const Step& step) {
  Tensor y = step.input(0);
  require(y.shape.size() == 2 && step.attribute("axis", std::int64_t{-1}) == 1, "Softmax");
  for (auto row = y.data.begin(); row != y.data.end(); row += y.shape[1]) {
    const float largest = *std::max_element(row, row + y.shape[1]);
    std::transform(row, row + y.shape[1], row, [largest](float value) { return std::exp(value - largest); });
    const double sum = std::accumulate(row, row + y.shape[1], 0.0);
    std::transform(row, row + y.shape[1], row,
                   [sum](float value) { return static_cast<float>(value / sum); });
  }
  return y;
}

Tensor run(const Step& step) {
  static const std::map<std::string, Tensor (*)(const Step&)> kOperations = {
      {"Conv", convolution},
      {"GlobalAveragePool", global_average},
      {"Gemm", linear},
      {"MatMul", matrix_product},
      {"Transpose", transpose},
      {"Reshape", reshape},
      {"Concat", concatenation},
      {"Softmax", softmax},
      {"Add", [](const Step& s) { return each_pair(s.input(0), s.input(1), std::plus<float>()); }},
      {"Mul", [](const Step& s) { return each_pair(s.input(0), s.input(1), std::multiplies<float>()); }},
      {"Relu", [](const Step& s) { return each(s.input(0), [](float x) { return std::max(x, 0.0f); }); }},
      {"Sigmoid",
       [](const Step& s) { return each(s.input(0), [](float x) { return 1 / (1 + std::exp(-x)); }); }},
      {"Softplus",
       [](const Step& s) {
         return each(s.input(0),
                     [](float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); });
       }},
  };
  const auto operation = kOperations.find(step.node.op);
  require(operation != kOperations.end(), ("operation " + step.node.op).c_str());
  return operation->second(step);
}

}  // namespace

std::vector<std::vector<float>> run_graph(const Graph& graph, const std::vector<float>& planes, int batch) {
  std::map<std::string, Tensor> values;
  std::map<std::string, const Shape*> shapes;
  for (const nn::NamedTensor& weight : graph.weights) values[weight.name] = {weight.shape, weight.data};
  for (const ShapeConstant& shape : graph.shapes) shapes[shape.name] = &shape.values;
  for (const auto& [name, value] : values) {
    require(size_of(value.shape) == static_cast<std::int64_t>(value.data.size()), name.c_str());
  }

  require(graph.inputs.size() == 1, "inputs");
  Shape shape = graph.inputs[0].shape;
  std::replace(shape.begin(), shape.end(), kBatch, std::int64_t{batch});
  require(size_of(shape) == static_cast<std::int64_t>(planes.size()),
          "the planes are not as many as its input's");
  values[graph.inputs[0].name] = {shape, planes};

  for (const Node& node : graph.nodes) {
    Step step{node, {}};
    for (const std::string& name : node.inputs) {
      if (const auto wanted = shapes.find(name); wanted != shapes.end()) step.wanted = wanted->second;
      const auto value = values.find(name);
      step.inputs.push_back(value == values.end() ? nullptr : &value->second);
    }
    Tensor output = run(step);
    values[node.output] = std::move(output);
  }

  std::vector<std::vector<float>> outputs;
  for (const Port& port : graph.outputs) {
    require(values.contains(port.name), port.name.c_str());
    outputs.push_back(values[port.name].data);
  }
  return outputs;
}

}  // namespace makzero::models
