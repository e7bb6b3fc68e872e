// A network as a value, without any tensor library: what it sees, its size and its weights.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace makzero::nn {

// All that is needed, beside its weights, to build a network again.
struct NetworkArchitecture {
  std::vector<std::string> planes = {};  // Names of the input planes, in order (planes.h).
  int blocks = 4;                        // Residual blocks.
  int channels = 48;                     // Of the tower.
  int attention = 32;                    // Dimensions of a policy query and key.
  int hidden = 64;                       // Width of the value head's hidden layer.
  // Names of the rule features that it sees, in order (rule_encoder.h); empty: it does not see the rules.
  std::vector<std::string> rule_features = {};

  int plane_count() const { return static_cast<int>(planes.size()); }
  int rule_feature_count() const { return static_cast<int>(rule_features.size()); }

  bool operator==(const NetworkArchitecture&) const = default;
};

struct NamedTensor {
  std::string name;  // "blocks.0.first.conv.weight"
  std::vector<std::int64_t> shape;
  std::vector<float> data;  // Row-major; as many as the product of the shape.

  bool operator==(const NamedTensor&) const = default;
};

using Weights = std::vector<NamedTensor>;

// What the rule features add to the channels of the input convolution: [channels, features]. Networks that do
// not see the rules have no such tensor.
inline constexpr std::string_view kRulesWeight = "rules.weight";

// What evaluators play, checkpoints store and exports write.
struct Network {
  NetworkArchitecture architecture;
  Weights weights = {};

  bool operator==(const Network&) const = default;
};

// The weights of an untrained network: parameters and batch-norm statistics in a fixed order. The same on
// every machine and with every version of the tensor library for the same seed.
Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed);

// What batch norm adds to a variance.
inline constexpr double kNormEpsilon = 1e-5;

// One unit of the moves-left head in plies.
inline constexpr float kMovesLeftScale = 32;

// What the products of policy queries and keys are multiplied by, so that their variance does not grow with
// their dimensions.
inline float attention_scale(int attention) { return 1 / std::sqrt(static_cast<float>(attention)); }

// Channels of the value head's view of the board.
inline constexpr int kValueChannels = 16;

// Floating-point operations of one evaluation: two per multiplication in the convolutions and linear layers
// of play.
double forward_flops(const NetworkArchitecture& shape);

}  // namespace makzero::nn
