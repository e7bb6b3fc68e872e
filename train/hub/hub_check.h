// What is wrong with a hub's server, and how to repair it: `makzero doctor --hub URL`.
#pragma once

#include <string>
#include <vector>

#include "train/hub/redis_hub.h"

namespace makzero::train {

struct HubFinding {
  std::string name;  // "memory", "password", ...
  std::string found;
  std::string repair = {};  // Empty: all is well.
};

// Connection, version, persistence, eviction, memory, password and time of an answer. What this user may not
// ask is said so. Throws nothing: a server that does not answer is the only finding.
std::vector<HubFinding> check_hub(RedisHub* hub);

}  // namespace makzero::train
