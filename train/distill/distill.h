// A small network learnt from the evaluations of large ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "mcts/small_network.h"

namespace makzero::train {

struct DistillRequest {
  std::string game;                         // Whose rulesets the network will play.
  std::vector<std::filesystem::path> runs;  // With leaf logs, the newest first.
  std::int64_t steps = 20'000;              // Optimiser steps.
  int batch = 4096;                         // Leaves of a step.
  float learning_rate = 2e-3f;              // Falls to 0 along a cosine.
  std::size_t most_leaves = 60'000'000;     // 36 bytes of memory each.
  std::uint64_t seed = 1;
};

struct DistillProgress {
  std::int64_t step = 0, steps = 0;
  std::size_t leaves = 0;
  double loss = 0;          // Mean since the last call [nats].
  double seconds_left = 0;  // 0 = not known yet.
};

struct DistillResult {
  mcts::SmallNetwork network;
  std::size_t leaves = 0, held_out = 0;
  double loss = 0, held_out_loss = 0;  // Of the last twentieth of the steps; of held-out leaves [nats].
  double entropy = 0;                  // Of their targets: what no network goes below.
  double seconds = 0;
};

// Throws models::Error: no leaves of the game, or `stop` was requested.
DistillResult distill(const DistillRequest& request,
                      const std::function<void(const DistillProgress&)>& progress,
                      const std::stop_token& stop);

}  // namespace makzero::train
