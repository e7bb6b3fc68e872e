#include "nn/processors.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "nn/system.h"

namespace makzero::nn {
namespace {

namespace fs = std::filesystem;

void lower(double limit, std::optional<double>* least) {
  if (limit > 0) *least = std::min(least->value_or(limit), limit);
}

// Of one group: "200000 100000" microseconds of every period, "max 100000" without a limit; in the first
// version two files, and -1 without a limit.
void read_group(const fs::path& group, std::optional<double>* least) {
  double quota = 0, period = 0;
  if (std::ifstream second(group / "cpu.max"); second >> quota >> period && period > 0) {
    lower(quota / period, least);
  }
  std::ifstream quota_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
  if (quota_file >> quota && period_file >> period && period > 0) lower(quota / period, least);
}

// "0::/a/b" of the second version, "4:cpu,cpuacct:/a/b" of the first: the folder of its controller and the
// path of the group; none: of another controller.
std::optional<std::pair<std::string, std::string>> group_of(const std::string& line) {
  const size_t first = line.find(':');
  const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const bool of_cpu = ("," + controllers + ",").find(",cpu,") != std::string::npos;
  if (!controllers.empty() && !of_cpu) return std::nullopt;
  return std::pair(controllers, line.substr(second + 1));
}

}  // namespace

std::optional<double> control_group_limit(const fs::path& membership, const fs::path& mount) {
  std::optional<double> least;
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) {
    const auto group = group_of(line);
    if (!group) continue;
    const fs::path top = group->first.empty() ? mount : mount / group->first;
    read_group(top, &least);  // A container often sees its own group as the top.
    fs::path path = top;
    for (const fs::path& part : fs::path(group->second).relative_path()) read_group(path /= part, &least);
  }
  return least;
}

int usable_processors() {
  const int processors = affinity_processors();
  const std::optional<double> limit = control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup");
  return std::max(1, limit ? std::min(processors, static_cast<int>(std::ceil(*limit))) : processors);
}

}  // namespace makzero::nn
