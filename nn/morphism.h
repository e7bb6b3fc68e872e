// What a network has learnt, put into another: a larger one that computes the same (net2net, Chen et al.
// 2016), so that a run may begin small and fast, or one that sees other planes or rule features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::nn {

// Whether a network of the first shape can grow to the second: more blocks or channels, all else equal.
bool can_morph(const NetworkArchitecture& from, const NetworkArchitecture& to);

// The state of a learner of the larger shape whose network computes what that of the smaller one does: added
// channels begin with the initial weights of `seed` and are not used yet, added blocks pass on what they get.
// REQUIRES: can_morph(state.architecture, to).
LearnerState morph(const LearnerState& state, const NetworkArchitecture& to, std::uint64_t seed);

// A network that sees other planes, for another game or another way to see the same: planes of the same name
// keep their weights, those of new ones are 0.
Network remap_planes(const Network& network, std::vector<std::string> planes);

// A network that sees other rule features: those of the same name keep their columns, those of new ones are
// 0. Either may have none. The weights may be the moments of a learner's state.
Network with_rule_features(const Network& network, std::vector<std::string> features);

}  // namespace makzero::nn
