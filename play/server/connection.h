// A client's connection: a socket with deadlines and a limit to what is read from it.
#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace makzero::play {

// One thread reads, writes and waits; wake() and the two ends may come from any other.
class Connection : public httplib::Stream {
 public:
  // Owns the socket.
  explicit Connection(socket_t socket);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // How much may be read and how long what comes next may take, from now on. Nothing before the first call.
  void allow_reading(std::size_t bytes, std::chrono::milliseconds time);
  void allow(std::chrono::milliseconds time);

  // Why reading ended too early: 408 too slow, 431 too long, 0 it did not.
  int refusal() const { return refusal_; }
  bool written() const { return written_; }

  // Writes all of it; false when the client has gone or is too slow.
  bool write_all(std::string_view text);

  // As EventStream::wait.
  bool wait(std::chrono::milliseconds most);
  void wake();

  // No more is read: a wait() returns false. What is being written may be finished.
  void end_reading();
  void end();

  // Tells the client that the reply is complete and lets it read that before the socket closes.
  void finish();

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* out, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  void get_remote_ip_and_port(std::string& address, int& port) const override;
  void get_local_ip_and_port(std::string& address, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool fill_buffer();
  bool poll_until_deadline(short events) const;

  socket_t socket_;
  int wake_ = -1;         // An eventfd.
  std::size_t left_ = 0;  // Bytes that may still be read.
  std::chrono::steady_clock::time_point deadline_;
  bool heard_ = false;  // Something was read.
  int refusal_ = 0;
  bool written_ = false;

  std::array<char, 4096> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // What of the buffer has not been asked for yet.
};

}  // namespace makzero::play
