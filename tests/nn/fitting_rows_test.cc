// Batches larger than the memory of a device: run in parts that fit.
#include "nn/evaluators/fitting_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace makzero::nn {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Runs batches on a device with memory for so many rows.
class FittingRowsTest : public testing::Test {
 protected:
  // First row and size of the parts that were run.
  std::vector<std::pair<int, int>> parts_of(int count) {
    std::vector<std::pair<int, int>> parts;
    fitting_.run(count, [&](int first, int rows) {
      if (rows > memory_) throw DeviceMemoryError("full");
      parts.emplace_back(first, rows);
    });
    return parts;
  }

  int memory_ = 1000;
  FittingRows fitting_;
};

TEST_F(FittingRowsTest, ABatchThatFitsIsRunWhole) {
  EXPECT_THAT(parts_of(768), ElementsAre(Pair(0, 768)));
  EXPECT_EQ(fitting_.limit(), FittingRows::kAll);
}

TEST_F(FittingRowsTest, WhatDoesNotFitIsRunInHalvesFromThenOn) {
  memory_ = 400;
  EXPECT_THAT(parts_of(768), ElementsAre(Pair(0, 384), Pair(384, 384)));
  EXPECT_EQ(fitting_.limit(), 384);
  memory_ = 1000;  // It is not tried again.
  EXPECT_THAT(parts_of(500), ElementsAre(Pair(0, 384), Pair(384, 116)));
}

TEST_F(FittingRowsTest, MemoryThatBecomesShortOnTheWayLosesNoRow) {
  parts_of(768);
  memory_ = 100;
  EXPECT_THAT(parts_of(200), ElementsAre(Pair(0, 96), Pair(96, 96), Pair(192, 8)));
}

TEST_F(FittingRowsTest, PartsBeginWherePaddedRowsDo) {
  memory_ = 200;
  for (const auto& [first, rows] : parts_of(768 - 8)) EXPECT_EQ(first % 32, 0) << rows;
}

TEST_F(FittingRowsTest, ADeviceWithoutMemoryForTheSmallestPartIsAnError) {
  memory_ = 31;
  EXPECT_THROW(parts_of(768), DeviceMemoryError);
  EXPECT_THAT(parts_of(31), ElementsAre(Pair(0, 31)));
}

}  // namespace
}  // namespace makzero::nn
