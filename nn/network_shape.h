// The size of a network: all that is needed, beside its weights, to build it again.
#pragma once

namespace makzero::nn {

struct NetworkShape {
  int planes = 0;      // Input planes; given by the encoder.
  int blocks = 4;      // Residual blocks.
  int channels = 48;   // Of the tower.
  int attention = 32;  // Dimensions of a policy query and key.
  int hidden = 64;     // Width of the value head's hidden layer.

  bool operator==(const NetworkShape&) const = default;
};

// Floating-point operations of one evaluation: two per multiplication in the convolutions and linear layers
// of play.
double forward_flops(const NetworkShape& shape);

}  // namespace makzero::nn
