// Lets the learning rate of a copy of a run fall to 0, so that its network is worth what it has learnt.
#pragma once

#include <filesystem>
#include <stop_token>

#include "train/run/display.h"

namespace makzero::train {

struct AnnealRequest {
  std::filesystem::path run;
  double share = 0.15;                 // Optimiser steps, as a share of those of the run so far.
  std::filesystem::path network = {};  // What is written; empty = RUN/annealed/GENERATION.mzc.
};

struct AnnealResult {
  std::filesystem::path network;
  std::int64_t steps = 0;
  nn::Losses learning;       // Of the steps.
  nn::Losses before, after;  // On held-out games.
};

// Learns from the run's window with a learning rate that falls linearly to 0 and writes the averaged weights
// as a checkpoint. It falls from where the run's schedule has it. The run itself is only read and may go on
// meanwhile: its learning rate stays constant, so it has no end. Nothing is written when `stop` becomes true.
// Throws models::Error.
AnnealResult anneal(const AnnealRequest& request, Display* display, const std::stop_token& stop);

}  // namespace makzero::train
