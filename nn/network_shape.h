// The size of a network: all that is needed, beside its weights, to build it again.
#pragma once

#include <cmath>

namespace makzero::nn {

// What the encoder shows besides the position itself: what the next plies can take. Learning without it takes
// far longer.
struct TacticalPlanes {
  bool captures = true;   // What either side could take now.
  bool exposure = false;  // Where either side can go, and where its pieces could be taken there.

  bool operator==(const TacticalPlanes&) const = default;
};

struct NetworkShape {
  int planes = 0;               // Input planes; given by the encoder.
  int blocks = 4;               // Residual blocks.
  int channels = 48;            // Of the tower.
  int attention = 32;           // Dimensions of a policy query and key.
  int hidden = 64;              // Width of the value head's hidden layer.
  TacticalPlanes tactics = {};  // Among the input planes.

  bool operator==(const NetworkShape&) const = default;
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
double forward_flops(const NetworkShape& shape);

}  // namespace makzero::nn
