#include "nn/morphism.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace makzero::nn {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Copies the old outputs of a tensor into the new one, where added inputs count nothing for them. Shapes are
// [outputs, inputs, ...] or [outputs]. The outputs come in `parts` equal parts, each of which has grown.
void copy_outputs(const NamedTensor& old, int parts, NamedTensor* grown) {
  const auto row_of = [](const NamedTensor& tensor) {
    return tensor.data.size() / static_cast<size_t>(tensor.shape[0]);
  };
  const size_t old_row = row_of(old), row = row_of(*grown);
  const size_t old_part = old.shape[0] / parts, part = grown->shape[0] / parts;
  for (size_t output = 0; output < static_cast<size_t>(old.shape[0]); ++output) {
    const size_t place = output / old_part * part + output % old_part;
    const auto from = old.data.begin() + static_cast<std::ptrdiff_t>(output * old_row);
    const auto to = grown->data.begin() + static_cast<std::ptrdiff_t>(place * row);
    std::fill(std::copy_n(from, old_row, to), to + static_cast<std::ptrdiff_t>(row), 0.0f);
  }
}

// What the second half of an added block must be for the block to pass on what it gets: its normalisation
// gives nothing, and squeeze and excite raises nothing.
void silence(NamedTensor* tensor) {
  const bool normalised = ends_with(tensor->name, ".second.norm.weight");
  const bool excited = tensor->name.find(".squeeze_excite.excite.") != std::string::npos;
  if (normalised || excited) std::fill(tensor->data.begin(), tensor->data.end(), 0.0f);
}

// Puts what is known of the smaller network into the larger one.
Weights put_into(Weights larger, const Weights& smaller) {
  std::unordered_map<std::string, const NamedTensor*> known;
  for (const NamedTensor& tensor : smaller) known.emplace(tensor.name, &tensor);
  for (NamedTensor& tensor : larger) {
    const auto old = known.find(tensor.name);
    if (old == known.end()) {
      silence(&tensor);
    } else {
      const bool gate_and_offset = tensor.name.find(".squeeze_excite.excite.") != std::string::npos;
      copy_outputs(*old->second, gate_and_offset ? 2 : 1, &tensor);
    }
  }
  return larger;
}

// Of every parameter; the statistics of batch norms have no moments.
Weights no_moments(Weights weights) {
  std::erase_if(weights, [](const NamedTensor& tensor) {
    return ends_with(tensor.name, ".running_mean") || ends_with(tensor.name, ".running_var");
  });
  for (NamedTensor& tensor : weights) std::fill(tensor.data.begin(), tensor.data.end(), 0.0f);
  return weights;
}

// The convolution that sees the planes, [channels, planes, height, width]; of Weights or const Weights.
auto& input_of(auto* weights) {
  const auto input = std::find_if(weights->begin(), weights->end(), [](const NamedTensor& tensor) {
    return tensor.name == "input.conv.weight";
  });
  assert(input != weights->end());
  return *input;
}

// Weights of one plane for one channel.
size_t kernel_size(const NamedTensor& convolution) {
  return static_cast<size_t>(convolution.shape[2] * convolution.shape[3]);
}

}  // namespace

bool can_morph(const NetworkArchitecture& from, const NetworkArchitecture& to) {
  NetworkArchitecture same_size = to;
  same_size.blocks = from.blocks;
  same_size.channels = from.channels;
  return same_size == from && from.blocks <= to.blocks && from.channels <= to.channels && !(from == to);
}

LearnerState morph(const LearnerState& state, const NetworkArchitecture& to, std::uint64_t seed) {
  assert(can_morph(state.architecture, to));
  const Weights fresh = initial_weights(to, seed), still = no_moments(fresh);
  return {to,
          state.steps,
          put_into(fresh, state.weights),
          put_into(fresh, state.ema_weights),
          put_into(still, state.first_moment),
          put_into(still, state.second_moment),
          state.moment_steps};
}

Network remap_planes(const Network& network, std::vector<std::string> planes) {
  Network adapted = network;
  const std::vector<std::string>& from = network.architecture.planes;
  const std::vector<std::string>& to = adapted.architecture.planes = std::move(planes);
  const NamedTensor& source = input_of(&network.weights);
  NamedTensor& input = input_of(&adapted.weights);
  assert(source.shape[1] == static_cast<std::int64_t>(from.size()));
  const size_t kernel = kernel_size(input);
  const auto outputs = static_cast<size_t>(input.shape[0]);
  input.shape[1] = static_cast<std::int64_t>(to.size());
  input.data.assign(outputs * to.size() * kernel, 0);
  for (size_t plane = 0; plane < to.size(); ++plane) {
    const auto known = std::find(from.begin(), from.end(), to[plane]);
    if (known == from.end()) continue;
    const auto place = static_cast<size_t>(known - from.begin());
    for (size_t output = 0; output < outputs; ++output) {
      std::copy_n(&source.data[(output * from.size() + place) * kernel], kernel,
                  &input.data[(output * to.size() + plane) * kernel]);
    }
  }
  return adapted;
}

Network with_rule_features(const Network& network, std::vector<std::string> features) {
  Network result = network;
  Weights& adapted = result.weights;
  const std::vector<std::string>& from = network.architecture.rule_features;
  const std::vector<std::string>& to = result.architecture.rule_features = std::move(features);
  const auto named = [&](std::string_view name) {
    return std::find_if(adapted.begin(), adapted.end(),
                        [&](const NamedTensor& tensor) { return tensor.name == name; });
  };
  NamedTensor old{std::string(kRulesWeight), {0, 0}, {}};
  if (const auto found = named(kRulesWeight); found != adapted.end()) {
    old = std::move(*found);
    adapted.erase(found);
  }
  assert(old.shape[1] == static_cast<std::int64_t>(from.size()));
  if (to.empty()) return result;

  const auto before = named("input.norm.bias");  // Its place is behind it, as the modules are registered.
  assert(before != adapted.end());
  const auto channels = static_cast<size_t>(before->shape[0]);
  NamedTensor rules{old.name, {before->shape[0], static_cast<std::int64_t>(to.size())}, {}};
  rules.data.assign(channels * to.size(), 0);
  for (size_t feature = 0; feature < to.size(); ++feature) {
    const auto known = std::find(from.begin(), from.end(), to[feature]);
    if (known == from.end()) continue;
    const auto column = static_cast<size_t>(known - from.begin());
    for (size_t channel = 0; channel < channels; ++channel)
      rules.data[channel * to.size() + feature] = old.data[channel * from.size() + column];
  }
  adapted.insert(before + 1, std::move(rules));
  return result;
}

}  // namespace makzero::nn
