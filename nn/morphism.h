// What a network has learnt, put into another: a larger one that computes the same (net2net, Chen et al.
// 2016), so that a run may begin small and fast, or one that sees other planes or rule features.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "nn/learner.h"
#include "nn/network_architecture.h"
#include "nn/weights.h"

namespace makzero::nn {

// Whether a network of the first shape can grow to the second: more blocks or channels, all else equal.
bool can_morph(const NetworkArchitecture& from, const NetworkArchitecture& to);

// The state of a learner of the larger shape whose network computes what that of the smaller one does: added
// channels begin with the initial weights of `seed` and are not listened to yet, added blocks pass on what
// they get. REQUIRES: can_morph(from, to); the state is of the shape `from`.
LearnerState morph(const LearnerState& state, const NetworkArchitecture& from, const NetworkArchitecture& to,
                   std::uint64_t seed);

// The weights of a network that sees other planes, for another game or another way to see the same: planes of
// the same name keep theirs, new ones begin without a say. REQUIRES: the weights are of a network with the
// planes `from`.
Weights remap_planes(const Weights& weights, std::span<const std::string> from,
                     std::span<const std::string> to);

// Gives planes `to` of a network what those of the same name have to say in another, planes `from`; the
// networks are equal in all but their planes. REQUIRES: the weights are of networks with those planes.
void copy_planes(const Weights& other, std::span<const std::string> from, std::span<const std::string> to,
                 Weights* weights);

// The weights of a network that sees other rule features: those of the same name keep their columns, new ones
// begin with zeros. Either may be empty. REQUIRES: the weights (or moments of a learner's state) are of a
// network with the rule features `from`.
Weights with_rule_features(const Weights& weights, std::span<const std::string> from,
                           std::span<const std::string> to);

}  // namespace makzero::nn
