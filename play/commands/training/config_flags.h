// Keys of a training's configuration as flags of a subcommand: --self_play.simulations=32.
#pragma once

#include <CLI/CLI.hpp>

#include "train/config.h"

namespace makzero::play {

// The arguments that the subcommand itself did not take, as keys and values. REQUIRES: it allows extras.
// Throws UsageError for what is no key, naming the nearest.
train::Overrides read_overrides(const CLI::App& app);

}  // namespace makzero::play
