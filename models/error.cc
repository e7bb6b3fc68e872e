#include "models/error.h"

#include <cerrno>
#include <new>
#include <string_view>
#include <system_error>

namespace makzero::models {
namespace {

// Repair for an error of the system.
std::string_view repair(int code) {
  switch (code) {
    case ENOSPC:
#ifdef EDQUOT  // Windows has none.
    case EDQUOT:
#endif
      return "; free some space and run the command again, what was written before is kept";
    case EACCES:
    case EPERM:
      return "; check the owner and the permissions of the file and its folder";
    case EROFS:
      return "; the disk is read-only, choose another folder";
    case ENOENT:
      return "; check the name and that its folder exists";
    case ENOTDIR:
    case ELOOP:
      return "; check each folder of the name";
    case EFBIG:
      return "; raise the limit on the size of files (ulimit -f)";
    case EMFILE:
      return "; raise the limit on open files (ulimit -n)";
    case EAGAIN:
      return "; raise the limits on memory and processes (ulimit -v, ulimit -u), or use fewer threads";
    case EBADF:
      return "; it is closed, redirect it to /dev/null to discard it";
    case EIO:
      return "; the disk fails, copy the folder to another one";
    default:
      return "";
  }
}

}  // namespace

std::string system_text(int code) {
  return std::generic_category().message(code) + std::string(repair(code));
}

std::string system_text(const std::error_code& error) {
  return system_text(error.default_error_condition().value());
}

std::string explain(const std::exception& error) {
  std::string text = error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error))
    return "not enough memory; free some, raise its limit (ulimit -v), or ask for less at once";
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return file->path1().string() + ": cannot be used: " + system_text(file->code());
  if (const auto* system = dynamic_cast<const std::system_error*>(&error))
    return text + std::string(repair(system->code().default_error_condition().value()));
  return text;
}

}  // namespace makzero::models
