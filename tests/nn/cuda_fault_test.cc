// Messages of a machine without a usable card, and how to repair it.
#include "nn/cuda_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace makzero::nn {
namespace {

using testing::HasSubstr;

CudaFacts facts(int cuda_version, const std::string& driver) { return {"2.11.0", cuda_version, driver}; }

// Texts of /proc/driver/nvidia/version.
TEST(DriverVersionTest, IsReadFromWhatBothKernelModulesWrite) {
  EXPECT_EQ(driver_version(
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024\n"
                "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
            "550.54.14");
  EXPECT_EQ(
      driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n"),
      "580.159.04");
  EXPECT_EQ(driver_version(""), "");
  EXPECT_EQ(driver_version("something else"), "");
}

TEST(CudaFaultTest, ALibraryForCpusIsNamed) {
  EXPECT_THAT(cuda_fault(facts(0, "580.159.04")), HasSubstr("LibTorch 2.11.0 is built for CPUs alone"));
}

TEST(CudaFaultTest, AMissingDriverIsNamed) {
  EXPECT_THAT(cuda_fault(facts(13000, "")), HasSubstr("no NVIDIA driver is loaded"));
}

TEST(CudaFaultTest, ADriverThatIsTooOldIsNamedWithTheWheelThatItServes) {
  EXPECT_EQ(cuda_fault(facts(13000, "550.54.14")),
            "driver 550.54.14 is too old for CUDA 13, which LibTorch 2.11.0 is built for: install driver 580 "
            "or newer, "
            "or build with PyTorch's wheel cu126, which it serves");
  EXPECT_THAT(cuda_fault(facts(12080, "470.256.02")),
              HasSubstr("install driver 525 or newer, or build with PyTorch's "
                        "wheel cu118"));
  EXPECT_THAT(cuda_fault(facts(13000, "390.157")), testing::EndsWith("install driver 580 or newer"));
}

TEST(CudaFaultTest, ADriverThatIsNewEnoughLeavesTheCard) {
  EXPECT_THAT(cuda_fault(facts(13000, "580.159.04")), HasSubstr("no card is visible"));
  EXPECT_THAT(cuda_fault(facts(12060, "550.54.14")), HasSubstr("CUDA_VISIBLE_DEVICES"));
}

}  // namespace
}  // namespace makzero::nn
