// Calls of the operating system for the machine and this process: system.cc for Linux, system_windows.cc for
// Windows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace makzero::nn {

// Processors of the affinity mask of this process; at least 1.
int affinity_processors();

// "AMD EPYC 7B13"; "unknown processor" where the system has no name for it.
std::string processor_name();

// Memory of the machine, in bytes; 0 where the system does not know it.
struct Memory {
  double total = 0, unused = 0;
};
Memory machine_memory();

// File that this process runs; empty where the system does not know it.
std::filesystem::path program_path();

// Whether a standard stream (0, 1 or 2) is a terminal.
bool is_terminal(int stream);

// Keeps the memory of activations in the process, and the idle threads of the tensor library asleep: call
// first in main().
void configure_process();

// Gives the memory that is free in all arenas back to the system: between the phases of a long run, whose
// large and small blocks would else spread over ever more of it (a Mak-yek training held 2.8 GB after 30
// minutes; a smaller one had 0.1 GB in use at most).
void release_unused_memory();

// Processor time that the calling thread has used: other programs on a busy machine do not count.
std::int64_t thread_cpu_nanoseconds();

// Opens a shared library, which stays open. Nothing else finds its functions by name: LibTorch brings copies
// of other libraries' functions. Throws std::runtime_error with the reason.
void* open_library(const char* file);

// Address of a function of the library; null: it has none of that name.
void* find_function(void* library, const char* name);

}  // namespace makzero::nn
