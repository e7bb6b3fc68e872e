#include "nn/cuda_fault.h"

#include <array>
#include <cstdlib>
#include <regex>

namespace makzero::nn {
namespace {

// NVIDIA's tables of compatibility: the oldest driver of each CUDA, and the index of PyTorch's wheels for it.
struct CudaRelease {
  int major;
  int driver;
  const char* wheels;
};
constexpr std::array<CudaRelease, 3> kReleases = {
    {{13, 580, "cu130"}, {12, 525, "cu126"}, {11, 450, "cu118"}}};

const CudaRelease& release_of(int cuda_version) {
  for (const CudaRelease& release : kReleases)
    if (cuda_version >= 1000 * release.major) return release;
  return kReleases.back();
}

// The newest that the driver serves; null: none.
const CudaRelease* newest_for(int driver) {
  for (const CudaRelease& release : kReleases)
    if (driver >= release.driver) return &release;
  return nullptr;
}

}  // namespace

std::string driver_version(const std::string& text) {
  static const std::regex kNumber(R"(\b\d{3,}\.\d+(\.\d+)?\b)");
  std::smatch match;
  return std::regex_search(text, match, kNumber) ? match.str() : "";
}

std::string cuda_fault(const CudaFacts& facts) {
  const std::string libtorch = "LibTorch " + facts.libtorch_version;
  if (facts.cuda_version == 0)
    return libtorch + " is built for CPUs alone: use a program that is built with PyTorch for CUDA";
  if (facts.driver.empty()) return "no NVIDIA driver is loaded: install it; nvidia-smi must list the card";
  const CudaRelease& release = release_of(facts.cuda_version);
  const int driver = std::atoi(facts.driver.c_str());
  if (driver >= release.driver)
    return "no card is visible: see whether nvidia-smi lists one, and what CUDA_VISIBLE_DEVICES says";
  const CudaRelease* served = newest_for(driver);
  return "driver " + facts.driver + " is too old for CUDA " + std::to_string(release.major) + ", which " +
         libtorch + " is built for: install driver " + std::to_string(release.driver) + " or newer" +
         (served ? ", or build with PyTorch's wheel " + std::string(served->wheels) + ", which it serves"
                 : "");
}

}  // namespace makzero::nn
