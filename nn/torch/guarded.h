// No exception leaves the plugin. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include <new>
#include <stdexcept>

#include "nn/torch_plugin.h"

namespace makzero::nn {

// The status of the exception that is being handled.
TorchStatus status_of_exception() noexcept;

template <class Work>
TorchStatus guarded(const Work& work) noexcept {
  try {
    work();
    return {};
  } catch (...) {
    return status_of_exception();
  }
}

}  // namespace makzero::nn
