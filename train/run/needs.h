// Forecast of a training: the memory and disk that it may fill, and what its first network takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nn/network.h"
#include "train/config.pb.h"

namespace makzero::train {

// Gigabytes, at most.
struct RunNeeds {
  double memory = 0;                       // Of the window.
  std::optional<double> games = {};        // On the disk; none: they grow without limit.
  double checkpoint = 0;                   // Of one.
  std::optional<double> checkpoints = {};  // Of those that stay; none: all do.
};

RunNeeds needs_of(const Config& config, const nn::Network& network);

// "up to 2.4 GB of memory ..., up to 40 GB of disk for games ...".
std::string needs_text(const RunNeeds& needs);

// Free on this machine, in gigabytes.
struct FreeSpace {
  double memory = 0, disk = 0;
};
FreeSpace free_space(const std::filesystem::path& folder);

// Shortages, each with the setting to lower; empty where all fits.
std::vector<std::string> shortages(const RunNeeds& needs, const FreeSpace& free);

// That a card learns in fp32 although mixed precision is asked for; empty where it does not.
std::string precision_note(const Config& config, bool in_bf16);

// Optimiser steps of a generation with so many new rows.
std::int64_t steps_for(const LearningConfig& config, std::int64_t rows);

// "first network in about 4m10s of self-play and after 313 steps of learning"; while the pace of self-play is
// not known, after so many rows.
std::string first_network_text(const LearningConfig& config, std::optional<double> seconds_left = {});

}  // namespace makzero::train
