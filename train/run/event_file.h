// Reads TensorBoard event files back, to describe and to check them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "train/run/tensorboard.pb.h"

namespace makzero::train {

struct EventScan {
  std::uint64_t events = 0;
  std::uint64_t good_bytes = 0;  // Before the first damage.
  std::string damage;            // What is wrong and at which bytes; empty when the file is whole.
};

// Calls `visit` for every event up to the first damage. Throws models::Error when the file cannot be read.
EventScan scan_events(const std::filesystem::path& path,
                      const std::function<void(const tensorboard::Event&)>& visit);

// Whether these first bytes of a file are those of an event file.
bool is_event_file(std::string_view bytes);

}  // namespace makzero::train
