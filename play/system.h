// Calls of the operating system for standard streams, text and the folders of a person: system.cc for Linux,
// system_windows.cc for Windows.
#pragma once

#include <filesystem>
#include <string_view>

namespace makzero::play {

// While it lives an interrupt ends a call that waits for input; afterwards it does not: what is being written
// would be lost.
class EndsAtInterrupt {
 public:
  EndsAtInterrupt();
  ~EndsAtInterrupt();
  EndsAtInterrupt(const EndsAtInterrupt&) = delete;
  EndsAtInterrupt& operator=(const EndsAtInterrupt&) = delete;
};

// Makes an errno value of the limit on the size of files, and standard streams that are closed unusable, lest
// a file takes their place. Terminals take UTF-8 and colours. Call it first.
void prepare_streams();

// Writes all of it. Returns 0 or an errno; ends the program by SIGPIPE where nobody reads.
int write_standard_output(std::string_view text);

// Columns of a terminal that a UTF-8 text takes: vowels above and below a letter take none.
int display_width(std::string_view text);

// Folder in which programs keep the state of this person; empty where the system names none.
std::filesystem::path state_folder();

}  // namespace makzero::play
