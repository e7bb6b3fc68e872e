#include "nn/system.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace makzero::nn {
namespace {

// One set is 128 bytes for 1,024 processors; larger machines need a larger one.
constexpr int kMostProcessors = 8192;

}  // namespace

int affinity_processors() {
  cpu_set_t* set = CPU_ALLOC(kMostProcessors);
  const size_t size = CPU_ALLOC_SIZE(kMostProcessors);
  const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 1;
  CPU_FREE(set);
  return count;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

Memory machine_memory() {
  struct sysinfo memory = {};
  if (sysinfo(&memory) != 0) return {};
  const double unit = memory.mem_unit;
  return {.total = unit * static_cast<double>(memory.totalram),
          .unused = unit * static_cast<double>(memory.freeram + memory.bufferram)};
}

std::filesystem::path program_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

bool is_terminal(int stream) { return isatty(stream) == 1; }

void configure_process() {
  // Memory of activations is kept, not handed back to the kernel and faulted in again at every batch.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // The largest that malloc accepts.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  setenv("OMP_WAIT_POLICY", "passive", 0);  // OpenMP reads it when the plugin is opened.
}

void release_unused_memory() { malloc_trim(0); }

std::int64_t thread_cpu_nanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void* open_library(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(dlerror());
  return library;
}

void* find_function(void* library, const char* name) { return dlsym(library, name); }

}  // namespace makzero::nn
