// What doctor and bench are told of the machine.
#include "nn/runtime.h"

#include <gtest/gtest.h>

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
