// A worker: plays with the newest network of a run on a hub and sends its games there.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "train/gauges.h"
#include "train/hub/hub_link.h"

namespace makzero::train {

struct WorkerRequest {
  HubOpener open;
  std::string account = {};      // Of the hub; empty: none.
  std::filesystem::path spools;  // Folder of the run's spools on this machine: SPOOLS/0, SPOOLS/1, ...
  int threads = 1;
  std::string device = "cpu";
  std::string precision = "auto";
  std::size_t spool_bytes = std::size_t{256} << 20;  // Above that it stops playing.
  std::size_t stream_limit = 1000;                   // Games in its stream above which it sends none.
  std::chrono::milliseconds fetch_span{2000};        // Over which the first network is fetched.
  std::optional<std::uint64_t> seed;                 // None: by the spool's name and start.
  std::function<void(const std::string&)> log;       // A line per event.
  Gauges* gauges = nullptr;                          // For those who collect figures.
};

// Takes the first spool of the folder that no other process has and plays until `stop` becomes true; then it
// sends what it can at once, and keeps the rest for the next start. While
// the hub is away it plays on until the spool is full. Throws models::Error where the run is of other games,
// rules, encoder or move index than this program's, naming both, and HubFault.
void run_worker(const WorkerRequest& request, const std::stop_token& stop);

// Sends what all spools of the folder hold that no other process has, and waits until it is durable. Returns
// whether they are empty: not where `stop` became true.
bool drain_spools(const WorkerRequest& request, const std::stop_token& stop);

}  // namespace makzero::train
