#include "nn/torch_plugin.h"

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "nn/system.h"

namespace makzero::nn {
namespace {

constexpr char kFile[] = "libmakzero_torch.so";  // In the program's DT_RPATH.

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error(
      "this needs LibTorch: install the package makzero-torch, or libtorch-dev before the program is "
      "built; " +
      std::string(kFile) + " is its plugin (" + why + "); small networks play without");
}

void* open_or_refuse(const char* file) try {
  return open_library(file);
} catch (const std::runtime_error& error) {
  refuse(error.what());
}

const TorchTable& open() {
  const char* named = std::getenv("MAKZERO_TORCH");
  if (named && !*named) refuse("MAKZERO_TORCH names no file");
  void* library = open_or_refuse(named ? named : kFile);
  const auto id = reinterpret_cast<TorchBuildId*>(find_function(library, kTorchBuildId));
  const auto entry = reinterpret_cast<TorchEntry*>(find_function(library, kTorchEntry));
  const std::string theirs = id ? id() : "unknown";
  if (!entry || theirs != build_id()) {
    throw std::runtime_error(std::string(named ? named : kFile) + " is of another build, " + theirs +
                             ", than this program, " + build_id() + ": install both from one build");
  }
  return *entry();
}

}  // namespace

const TorchTable& torch_plugin() {
  static const TorchTable& table = open();
  return table;
}

void require(const TorchStatus& status) {
  switch (status.code) {
    case TorchStatus::Code::kDone:
      return;
    case TorchStatus::Code::kOutOfMemory:
      throw std::bad_alloc();
    case TorchStatus::Code::kOutOfDeviceMemory:
      throw DeviceMemoryError(
          "the card's memory is full: end what else uses it (nvidia-smi), or lower self_play.max_batch, "
          "learning.batch (--max-batch of bench) or the size of the network");
    case TorchStatus::Code::kFailed:
      throw std::runtime_error(status.text);
  }
}

}  // namespace makzero::nn
