// What `makzero tune` has found best on this machine, where training and play look it up.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "nn/backend.h"

namespace makzero::models {

// For networks of one size on one device of one machine.
struct TunedSettings {
  std::string machine;  // nn::machine_text(): the file may have come from another one.
  std::string device;   // As Backend::device.
  std::string network;  // network_size().
  nn::Precision precision = nn::Precision::kAuto;
  int threads = 0;                    // Workers of self-play.
  int games = 0;                      // Of self-play in flight.
  int max_batch = 0;                  // Rows of a batch on a card.
  double evaluations_per_second = 0;  // Of self-play with them.
};

// $MAKZERO_TUNED, else makzero/tuned.json in $XDG_CONFIG_HOME or in ~/.config.
std::filesystem::path tuned_settings_path();

// Keeps them in the place of those for the same machine, device and size. Throws models::Error.
void keep_tuned_settings(const TunedSettings& settings);

// Those of this machine; none were measured, or not there. Throws models::Error for a file that cannot be
// read.
std::optional<TunedSettings> tuned_settings(const std::string& device, const std::string& network);

}  // namespace makzero::models
