// A failed operation on files or devices: what went wrong, where, and how to repair it.
#pragma once

#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "game/parsed.h"

namespace makzero::models {

// The one exception of the project for failed operations; caught in main, in protocol loops and by the thread
// that joins workers.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  Error(const std::filesystem::path& path, const std::string& what)
      : std::runtime_error(path.string() + ": " + what) {}
};

// The value that was read. Throws Error with every reason where there is none, behind the path of its file.
template <class T>
T value_or_error(const game::Parsed<T>& parsed) {
  if (!parsed) throw Error(parsed.why());
  return *parsed;
}
template <class T>
T value_or_error(const std::filesystem::path& path, const game::Parsed<T>& parsed) {
  if (!parsed) throw Error(path, parsed.why());
  return *parsed;
}

// The meaning of an errno value and how to repair what has it: "No space left on device; free some space
// ...".
std::string system_text(int code);
std::string system_text(const std::error_code& error);

// An error as one sentence for people, also one that a library throws.
std::string explain(const std::exception& error);

}  // namespace makzero::models
