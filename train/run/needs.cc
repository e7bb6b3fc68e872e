#include "train/run/needs.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "train/config.h"
#include "train/run/progress_line.h"

namespace makzero::train {
namespace {

constexpr double kGigabyte = 1e9;
constexpr double kRowBytes = 400;  // Of a row in memory.

std::string gigabytes(double size) { return fmt::format("{:.{}f} GB", size, size < 10 ? 1 : 0); }

std::string megabytes(double size) { return fmt::format("{:.{}f} MB", 1e3 * size, size < 0.01 ? 1 : 0); }

// By "MemAvailable:  123 kB" of /proc/meminfo, which counts what the system would give up of its caches.
double available_memory() {
  std::ifstream file("/proc/meminfo");
  double kilobytes = 0;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> kilobytes) return 1024 * kilobytes / kGigabyte;
  return std::numeric_limits<double>::infinity();
}

}  // namespace

RunNeeds needs_of(const Config& config, const nn::Network& network) {
  RunNeeds needs;
  const int windows = trains_tower(config) && small_row_share(config) > 0 ? 2 : 1;
  needs.memory = windows * static_cast<double>(config.replay().maximum_window()) * kRowBytes / kGigabyte;
  const int stores = trains_tower(config) && config.self_play().small_share() > 0 ? 2 : 1;
  if (config.replay().gigabytes() > 0) needs.games = stores * config.replay().gigabytes();
  std::size_t numbers = 0;
  for (const nn::NamedTensor& tensor : network.weights) numbers += tensor.data.size();
  needs.checkpoint = static_cast<double>(numbers * sizeof(float)) / kGigabyte;
  if (config.checkpoints().keep() > 0) needs.checkpoints = config.checkpoints().keep() * needs.checkpoint;
  return needs;
}

std::string needs_text(const RunNeeds& needs) {
  const std::string games = needs.games ? "up to " + gigabytes(*needs.games) + " of disk for games"
                                        : "disk for all games (replay.gigabytes limits it)";
  const std::string checkpoints = needs.checkpoints
                                      ? "up to " + gigabytes(*needs.checkpoints) + " for checkpoints"
                                      : megabytes(needs.checkpoint) + " for every checkpoint";
  return fmt::format("needs up to {} of memory for games, {} and {}", gigabytes(needs.memory), games,
                     checkpoints);
}

FreeSpace free_space(const std::filesystem::path& folder) {
  return {.memory = available_memory(),
          .disk = static_cast<double>(std::filesystem::space(folder).available) / kGigabyte};
}

std::vector<std::string> shortages(const RunNeeds& needs, const FreeSpace& free) {
  std::vector<std::string> lines;
  if (needs.memory > free.memory)
    lines.push_back(
        fmt::format("{} of memory are free, and the window may take {}: lower replay.maximum_window",
                    gigabytes(free.memory), gigabytes(needs.memory)));
  const double disk = needs.games.value_or(0) + needs.checkpoints.value_or(0);
  if (disk > free.disk)
    lines.push_back(fmt::format("{} of disk are free, and the run may take {}: lower replay.gigabytes",
                                gigabytes(free.disk), gigabytes(disk)));
  return lines;
}

std::string precision_note(const Config& config, bool in_bf16) {
  const bool wanted = config.learning().mixed_precision() && config.device() != "cpu";
  if (!wanted || in_bf16) return "";
  return fmt::format("{} does not compute in bf16, as cards from Ampere on do: the network learns in fp32",
                     config.device());
}

std::int64_t steps_for(const LearningConfig& config, std::int64_t rows) {
  return static_cast<std::int64_t>(
      std::ceil(static_cast<double>(rows) * config.replay_ratio() / config.batch()));
}

std::string first_network_text(const LearningConfig& config, std::optional<double> seconds_left) {
  const std::int64_t steps = steps_for(config, config.bootstrap_rows());
  if (seconds_left)
    return fmt::format("first network in about {} of self-play and after {} steps of learning",
                       duration_text(*seconds_left), steps);
  return fmt::format("first network after {} rows of self-play and {} steps of learning",
                     config.bootstrap_rows(), steps);
}

}  // namespace makzero::train
