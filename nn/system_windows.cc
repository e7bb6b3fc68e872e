#include "nn/system.h"

#include <io.h>
#include <windows.h>

#include <cstdlib>
#include <stdexcept>

namespace makzero::nn {

int affinity_processors() {
  DWORD_PTR process = 0, machine = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &machine)) return 1;
  const int count = __builtin_popcountll(process);
  return count > 0 ? count : 1;
}

std::string processor_name() {
  const char* name = std::getenv("PROCESSOR_IDENTIFIER");
  return name ? name : "unknown processor";
}

Memory machine_memory() {
  MEMORYSTATUSEX memory = {};
  memory.dwLength = sizeof memory;
  if (!GlobalMemoryStatusEx(&memory)) return {};
  return {.total = static_cast<double>(memory.ullTotalPhys),
          .unused = static_cast<double>(memory.ullAvailPhys)};
}

std::filesystem::path program_path() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD size = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (size == 0) return {};
    if (size < path.size()) return path.substr(0, size);
    path.resize(2 * path.size());
  }
}

bool is_terminal(int stream) { return _isatty(stream) != 0; }

// Both are for the tensor library, which has no plugin here.
void configure_process() {}
void release_unused_memory() {}

std::int64_t thread_cpu_nanoseconds() {
  static constexpr std::int64_t kTick = 100;  // Nanoseconds.
  FILETIME created, ended, kernel, user;
  if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
  const auto ticks = [](const FILETIME& time) {
    return static_cast<std::int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime;
  };
  return kTick * (ticks(kernel) + ticks(user));
}

void* open_library(const char*) { throw std::runtime_error("there is none for Windows"); }

void* find_function(void*, const char*) { return nullptr; }

}  // namespace makzero::nn
