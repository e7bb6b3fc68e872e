// What doctor and bench are told of the machine.
#include "nn/runtime.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "nn/bf16.h"
#include "nn/network.h"

namespace makzero::nn {
namespace {

TEST(RuntimeTest, TheMachineIsDescribed) {
  const Runtime environment = inspect_runtime();
  EXPECT_EQ(environment.libtorch_version.find_first_not_of("0123456789."), std::string::npos);
  EXPECT_FALSE(environment.blas.empty());
  EXPECT_GE(environment.cores, 1);
  EXPECT_FALSE(environment.cuda.empty());
}

// Found by a training under ONEDNN_MAX_CPU_ISA=AVX2: oneDNN had no convolution for what the processor has.
TEST(RuntimeTest, ALimitOfOneDnnLeavesBf16Out) {
  const auto allowed_under = [](const char* limit) {
    setenv("ONEDNN_MAX_CPU_ISA", limit, 1);
    const bool allowed = onednn_allows_bf16();
    unsetenv("ONEDNN_MAX_CPU_ISA");
    return allowed;
  };
  for (const char* limit : {"AVX2", "AVX512_CORE", "SSE41"}) EXPECT_FALSE(allowed_under(limit)) << limit;
  for (const char* limit : {"", "DEFAULT", "ALL", "AVX512_CORE_BF16", "AVX512_CORE_AMX"})
    EXPECT_TRUE(allowed_under(limit)) << limit;
}

TEST(RuntimeTest, TheMatrixProductIsMeasured) {
  EXPECT_GT(matrix_product_peak({"cpu", Precision::kFp32}), 0.1);
}

TEST(RuntimeTest, ForwardFlopsCountTwoPerWeightOfTheTowerAndSquare) {
  NetworkArchitecture shape;
  shape.planes.resize(10);
  const NetworkArchitecture deeper = {.planes = shape.planes, .blocks = shape.blocks + 2};
  const double two_blocks = forward_flops(deeper) - forward_flops(shape);
  const double convolutions = 2.0 * 64 * 4 * 9 * shape.channels * shape.channels;
  EXPECT_GE(two_blocks, convolutions);
  EXPECT_LE(two_blocks, 1.001 * convolutions);
}

}  // namespace
}  // namespace makzero::nn
