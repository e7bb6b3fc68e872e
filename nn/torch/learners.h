// The learner that the plugin makes. Private to the plugin.
#pragma once

#include <memory>

#include "nn/torch_plugin.h"

namespace makzero::nn {

std::unique_ptr<TorchLearner> make_learner(const NetworkArchitecture& shape, const LearnerOptions& options,
                                           std::uint64_t seed);

}  // namespace makzero::nn
