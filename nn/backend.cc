#include "nn/backend.h"

#include <sstream>

namespace makzero::nn {
namespace {

constexpr Precision kPrecisions[] = {Precision::kAuto, Precision::kFp32, Precision::kBf16, Precision::kFp16};

}  // namespace

std::vector<std::string> device_names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

std::string_view precision_name(Precision precision) {
  switch (precision) {
    case Precision::kAuto:
      return "auto";
    case Precision::kFp32:
      return "fp32";
    case Precision::kBf16:
      return "bf16";
    case Precision::kFp16:
      return "fp16";
  }
  return "";
}

std::optional<Precision> parse_precision(std::string_view name) {
  for (const Precision precision : kPrecisions) {
    if (precision_name(precision) == name) return precision;
  }
  return std::nullopt;
}

}  // namespace makzero::nn
