#include "nn/machine.h"

#include <cmath>

#include "nn/runtime.h"
#include "nn/system.h"

namespace makzero::nn {

std::string machine_text() {
  const Runtime environment = inspect_runtime();
  const auto gigabytes = std::llround(machine_memory().total / 1e9);
  std::string text = processor_name() + ", " + std::to_string(environment.cores) + " cores, " +
                     std::to_string(gigabytes) + " GB";
  if (!environment.libtorch_version.empty()) text += ", LibTorch " + environment.libtorch_version;
  if (environment.cuda_devices > 0) text += ", " + environment.cuda;
  return text;
}

}  // namespace makzero::nn
