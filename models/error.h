// A failed operation on files or devices: what went wrong, where, and how to repair it.
#pragma once

#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace makzero::models {

// The one exception of the project for failed operations; caught in main, in protocol loops and by the thread
// that joins workers.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  Error(const std::filesystem::path& path, const std::string& what)
      : std::runtime_error(path.string() + ": " + what) {}
};

// The meaning of an errno value and how to repair what has it: "No space left on device; free some space
// ...".
std::string system_text(int code);
std::string system_text(const std::error_code& error);

// An error as one sentence for people, also one that a library throws.
std::string explain(const std::exception& error);

}  // namespace makzero::models
