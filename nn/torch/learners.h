// The learners that the plugin makes. Private to the plugin.
#pragma once

#include <memory>

#include "nn/torch_plugin.h"

namespace makzero::nn {

std::unique_ptr<TorchLearner> make_learner(const NetworkArchitecture& shape, const LearnerOptions& options,
                                           std::uint64_t seed);
std::unique_ptr<TorchSmallLearner> make_small_learner(const mcts::SmallNetwork& empty,
                                                      const SmallLearnerOptions& options);

}  // namespace makzero::nn
