// Where networks are evaluated, and in which precision.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace makzero::nn {

// kAuto: fp16 on CUDA, bf16 on CPUs that multiply it in hardware, else fp32.
enum class Precision { kAuto, kFp32, kBf16, kFp16 };

struct Backend {
  std::string device = "cpu";  // "cpu", "cuda", "cuda:1".
  Precision precision = Precision::kAuto;
};

// The single devices of a list, "cuda:0,cuda:1", as trainings take it.
std::vector<std::string> device_names(const std::string& list);

// What parse_precision() reads, for messages and help.
inline constexpr std::string_view kPrecisionNames = "auto, fp32, bf16 or fp16";

std::string_view precision_name(Precision precision);             // "auto", "fp32", "bf16", "fp16".
std::optional<Precision> parse_precision(std::string_view name);  // None: no such name.

}  // namespace makzero::nn
