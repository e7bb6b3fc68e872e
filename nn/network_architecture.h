// The size of a network: all that is needed, beside its weights, to build it again.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace makzero::nn {

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

// What batch norm adds to a variance.
inline constexpr double kNormEpsilon = 1e-5;

// One unit of the moves-left head in plies.
inline constexpr float kMovesLeftScale = 32;

// What the products of policy queries and keys are multiplied by, so that their variance does not grow with
// their dimensions.
inline float attention_scale(int attention) { return 1 / std::sqrt(static_cast<float>(attention)); }

// Floating-point operations of one evaluation: two per multiplication in the convolutions and linear layers
// of play.
double forward_flops(const NetworkArchitecture& shape);

}  // namespace makzero::nn
