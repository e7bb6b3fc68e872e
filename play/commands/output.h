// Checked standard output, and a message for every error that ends the program.
#pragma once

#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>

namespace makzero::play {

// The buffer of std::cout while it lives: it writes every line at once. Where that fails the program ends
// with exit status 1 and the reason on stderr, where nobody reads by SIGPIPE. Thread-safe.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;

 private:
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  std::streambuf* former_;
  std::mutex mutex_;
  std::string line_;  // Not written yet.
};

// printf to a stream.
[[gnu::format(printf, 2, 3)]] void print(std::ostream& out, const char* format, ...);

// Whether standard output is a terminal whose person wants colours.
bool shows_color();

// Prepares the standard streams, and makes a sentence and exit status 1 of what no thread catches. Call it
// first.
void prepare_process();

}  // namespace makzero::play
