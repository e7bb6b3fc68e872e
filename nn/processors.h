// How many processors this process may use.
#pragma once

#include <filesystem>
#include <optional>

namespace makzero::nn {

// The processors of its affinity mask, or fewer where a control group limits its processor time, as in a
// container: a limit of 1.5 processors counts as 2. At least 1.
int usable_processors();

// The smallest limit of processor time, in processors, that a control group of a process or one above it
// has; none: no limit. `membership` is the process's /proc/self/cgroup, `mount` the folder of the groups,
// /sys/fs/cgroup: their second version, or the first's controller `cpu`.
std::optional<double> control_group_limit(const std::filesystem::path& membership,
                                          const std::filesystem::path& mount);

}  // namespace makzero::nn
