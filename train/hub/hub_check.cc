#include "train/hub/hub_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace makzero::train {
namespace {

constexpr int kLeastVersion = 7;
constexpr double kSlowMilliseconds = 50;
constexpr double kMegabyte = 1 << 20;

std::string value_or(const std::map<std::string, std::string>& values, const std::string& name,
                     const std::string& otherwise) {
  const auto found = values.find(name);
  return found == values.end() || found->second.empty() ? otherwise : found->second;
}

HubFinding check_answer(RedisHub* hub) {
  static constexpr int kCalls = 20;
  std::vector<double> times;
  for (int i = 0; i < kCalls; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    hub->newest_network();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  return {"answer", fmt::format("{:.2f} ms, at most {:.2f} ms", median, times.back()),
          median > kSlowMilliseconds
              ? "a nearer hub, or more threads per worker: each asks four times a second"
              : ""};
}

HubFinding check_version(RedisHub* hub) {
  const std::string version = value_or(hub->server_info("server"), "redis_version", "unknown");
  return {"version", version,
          std::atoi(version.c_str()) < kLeastVersion
              ? "Redis 7 or newer knows the users of users.acl; Debian 12 brings it"
              : ""};
}

HubFinding check_memory(RedisHub* hub) {
  const auto memory = hub->server_info("memory");
  const double most = std::atof(value_or(memory, "maxmemory", "0").c_str());
  const double used = std::atof(value_or(memory, "used_memory", "0").c_str());
  const std::string found =
      fmt::format("{:.0f} MB used of {}", used / kMegabyte,
                  most > 0 ? fmt::format("{:.0f} MB", most / kMegabyte) : "whatever there is");
  if (most == 0)
    return {"memory", found, "set maxmemory: a full machine kills Redis, a full Redis only waits"};
  return {"memory", found, used > 0.9 * most ? "nearly full: is the trainer running? raise maxmemory" : ""};
}

HubFinding check_eviction(RedisHub* hub) {
  const std::string policy = value_or(hub->server_info("memory"), "maxmemory_policy", "unknown");
  return {"eviction", policy,
          policy == "noeviction" ? "" : "maxmemory-policy noeviction: else it forgets games without a word"};
}

HubFinding check_persistence(RedisHub* hub) {
  const auto state = hub->server_info("persistence");
  const bool appends = value_or(state, "aof_enabled", "0") == "1";
  const bool is_well = value_or(state, "aof_last_write_status", "ok") == "ok";
  if (!is_well) return {"log", "the last write failed", "free the disk of the hub"};
  return {"log", appends ? "append-only file" : "none",
          appends ? "" : "appendonly yes: a restart without it sends all games of all spools again"};
}

HubFinding check_password(const RedisHub& hub) {
  if (!hub.address().password.empty()) return {"password", "asked for"};
  return {"password", "none",
          hub.address().is_local()
              ? ""
              : "an account for each run and role (train/hub/users.acl): anybody can reach this hub"};
}

}  // namespace

std::vector<HubFinding> check_hub(RedisHub* hub) {
  std::vector<HubFinding> findings;
  try {
    findings.push_back(check_answer(hub));
  } catch (const models::Error& error) {
    return {{"hub", error.what(), "start it, or check address and password"}};
  }
  findings.push_back(check_password(*hub));
  for (const auto check : {check_version, check_memory, check_eviction, check_persistence}) {
    try {
      findings.push_back(check(hub));
    } catch (const models::Error& error) {
      findings.push_back({"server", std::string("may not be asked: ") + error.what()});
    }
  }
  return findings;
}

}  // namespace makzero::train
