// The processors that a process may use: affinity and control groups.
#include "nn/processors.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace makzero::nn {
namespace {

namespace fs = std::filesystem;

class ProcessorsTest : public testing::Test {
 protected:
  ~ProcessorsTest() override { fs::remove_all(folder_); }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text << "\n";
  }

  std::optional<double> limit() const {
    return control_group_limit(folder_ / "membership", folder_ / "groups");
  }

  fs::path folder_ = fs::temp_directory_path() / ("makzero_processors_" + std::to_string(getpid()));
};

TEST_F(ProcessorsTest, WithoutAControlGroupThereIsNoLimit) {
  EXPECT_FALSE(limit());
  write("membership", "0::/");
  EXPECT_FALSE(limit());
  write("groups/cpu.max", "max 100000");
  EXPECT_FALSE(limit());
}

TEST_F(ProcessorsTest, TheLimitOfAContainerCounts) {
  write("membership", "0::/");
  write("groups/cpu.max", "150000 100000");
  EXPECT_EQ(limit(), 1.5);
}

TEST_F(ProcessorsTest, TheSmallestLimitOfTheGroupsAboveCounts) {
  write("membership", "0::/user/job/step");
  write("groups/user/cpu.max", "800000 100000");
  write("groups/user/job/cpu.max", "300000 100000");
  write("groups/user/job/step/cpu.max", "max 100000");
  write("groups/other/cpu.max", "50000 100000");
  EXPECT_EQ(limit(), 3);
}

TEST_F(ProcessorsTest, ControlGroupsOfTheFirstVersionAreRead) {
  write("membership", "5:memory:/job\n4:cpu,cpuacct:/job\n0::/job");
  write("groups/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  write("groups/cpu,cpuacct/cpu.cfs_period_us", "100000");
  write("groups/memory/job/cpu.cfs_quota_us", "100000");
  write("groups/memory/job/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(limit());
  write("groups/cpu,cpuacct/job/cpu.cfs_quota_us", "400000");
  write("groups/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(limit(), 4);
}

TEST_F(ProcessorsTest, TheAffinityMaskCounts) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(usable_processors(), CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_processors(), 1);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace makzero::nn
