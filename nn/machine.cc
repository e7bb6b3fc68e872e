#include "nn/machine.h"

#include <sys/sysinfo.h>

#include <cmath>
#include <fstream>

#include "nn/runtime.h"

namespace makzero::nn {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string machine_text() {
  const Runtime environment = inspect_runtime();
  struct sysinfo memory = {};
  sysinfo(&memory);
  const auto gigabytes = std::llround(static_cast<double>(memory.totalram) * memory.mem_unit / 1e9);
  std::string text = processor_name() + ", " + std::to_string(environment.cores) + " cores, " +
                     std::to_string(gigabytes) + " GB";
  if (!environment.libtorch_version.empty()) text += ", LibTorch " + environment.libtorch_version;
  if (environment.cuda_devices > 0) text += ", " + environment.cuda;
  return text;
}

}  // namespace makzero::nn
