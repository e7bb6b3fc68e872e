// A new network fitted to the stored games of a run: compares architectures and learning options on equal
// games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "nn/network.h"
#include "train/config.h"
#include "train/learning/small_trainer.h"
#include "train/run/display.h"

namespace makzero::train {

struct FitRequest {
  std::filesystem::path run;
  Overrides changes = {};       // Of the run's configuration: network, learning, replay, threads, seed.
  std::int64_t steps = 3000;    // Optimiser steps.
  double decay_share = 0.25;    // Share of the steps, the last, over which the learning rate falls to 0.
  int validation_rows = 16384;  // Held-out rows at the end.
  std::filesystem::path network = {};  // The checkpoint to write; empty = none.
};

struct FitResult {
  Config config;
  nn::NetworkArchitecture architecture;
  std::int64_t games = 0;           // In the window, held-out ones included.
  double seconds = 0;               // Of learning, wall clock.
  nn::Losses learning, validation;  // Mean over all steps; averaged weights on held-out games.
};

// Learns from the run's window with a network of random weights. Fits of the same run, seed, batch and steps
// see the same rows in the same order, whatever their architecture. Throws models::Error.
FitResult fit(const FitRequest& request, Display* display, const std::stop_token& stop);

struct SmallFitResult {
  Config config;
  double seconds = 0;  // Of learning, wall clock.
  SmallLosses losses;
};

// The same for the small networks and the games of alpha-beta of a run. Their rate falls to 0 over all steps.
SmallFitResult fit_small(const FitRequest& request, Display* display, const std::stop_token& stop);

}  // namespace makzero::train
