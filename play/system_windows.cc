#include "play/system.h"

#include <io.h>
#include <windows.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

namespace makzero::play {
namespace {

constexpr int kStandardOutput = 1;

}  // namespace

// An interrupt ends a call that waits for the console by itself.
EndsAtInterrupt::EndsAtInterrupt() = default;
EndsAtInterrupt::~EndsAtInterrupt() = default;

void prepare_streams() {
  SetConsoleCP(CP_UTF8);
  SetConsoleOutputCP(CP_UTF8);
  const HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  if (GetConsoleMode(console, &mode)) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int write_standard_output(std::string_view text) {
  while (!text.empty()) {
    const int put = _write(kStandardOutput, text.data(), static_cast<unsigned>(text.size()));
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

int display_width(std::string_view text) {
  const auto size = static_cast<int>(text.size());
  std::wstring letters(text.size(), L'\0');
  letters.resize(
      static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, letters.data(), size)));
  std::vector<WORD> types(letters.size());
  GetStringTypeW(CT_CTYPE3, letters.data(), static_cast<int>(letters.size()), types.data());
  int columns = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool second_half = letters[i] >= 0xDC00 && letters[i] <= 0xDFFF;  // Of a letter beyond 16 bits.
    columns += (types[i] & C3_NONSPACING) == 0 && !second_half;
  }
  return columns;
}

std::filesystem::path state_folder() {
  const char* folder = std::getenv("LOCALAPPDATA");
  return folder ? folder : "";
}

}  // namespace makzero::play
