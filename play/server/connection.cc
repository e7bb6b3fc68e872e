#include "play/server/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What a refused client may still be sending is read and thrown away, so that the refusal reaches it.
constexpr milliseconds kFarewell{500};
constexpr size_t kFarewellBytes = 1 << 20;

int milliseconds_until(steady_clock::time_point time) {
  const auto left = std::chrono::ceil<milliseconds>(time - steady_clock::now());
  return static_cast<int>(std::max(left, milliseconds(0)).count());
}

using NameFunction = int (*)(int, sockaddr*, socklen_t*);

void read_address(NameFunction name, socket_t socket, std::string* address, int* port) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  if (name(socket, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return;
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (storage.ss_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&storage);
    inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
    *port = ntohs(v6->sin6_port);
  } else {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&storage);
    inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
    *port = ntohs(v4->sin_port);
  }
  *address = text.data();
}

}  // namespace

Connection::Connection(socket_t socket) : socket_(socket), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Connection::~Connection() {
  close(socket_);
  if (wake_ >= 0) close(wake_);
}

void Connection::allow_reading(std::size_t bytes, milliseconds time) {
  left_ = bytes;
  allow(time);
}

void Connection::allow(milliseconds time) { deadline_ = steady_clock::now() + time; }

bool Connection::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(text.data(), text.size());
    if (count <= 0) return false;
    text.remove_prefix(count);
  }
  return true;
}

bool Connection::wait(milliseconds most) {
  std::array<pollfd, 2> sources = {{{socket_, POLLRDHUP, 0}, {wake_, POLLIN, 0}}};
  const auto end = steady_clock::now() + most;
  while (poll(sources.data(), sources.size(), milliseconds_until(end)) < 0) {
    if (errno != EINTR) return false;
  }
  if (sources[0].revents) return false;
  std::uint64_t count;
  if (sources[1].revents) [[maybe_unused]]
    const ssize_t drained = ::read(wake_, &count, sizeof count);
  return true;
}

void Connection::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

void Connection::end_reading() { shutdown(socket_, SHUT_RD); }
void Connection::end() { shutdown(socket_, SHUT_RDWR); }

void Connection::finish() {
  shutdown(socket_, SHUT_WR);
  allow_reading(kFarewellBytes, kFarewell);
  while (fill_buffer()) begin_ = end_;
}

bool Connection::is_readable() const { return begin_ < end_ || poll_until_deadline(POLLIN); }
bool Connection::is_writable() const { return poll_until_deadline(POLLOUT); }

ssize_t Connection::read(char* out, size_t size) {
  if (begin_ == end_ && !fill_buffer()) return refusal_ ? -1 : 0;
  const size_t count = std::min(size, end_ - begin_);
  std::memcpy(out, buffer_.data() + begin_, count);
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* bytes, size_t size) {
  written_ = true;
  while (poll_until_deadline(POLLOUT)) {
    const ssize_t count = send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) return count;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) break;
  }
  return -1;
}

void Connection::get_remote_ip_and_port(std::string& address, int& port) const {
  read_address(getpeername, socket_, &address, &port);
}

void Connection::get_local_ip_and_port(std::string& address, int& port) const {
  read_address(getsockname, socket_, &address, &port);
}

bool Connection::fill_buffer() {
  if (left_ == 0) {
    refusal_ = 431;
    return false;
  }
  while (poll_until_deadline(POLLIN)) {
    const ssize_t count = recv(socket_, buffer_.data(), std::min(buffer_.size(), left_), MSG_DONTWAIT);
    if (count > 0) {
      begin_ = 0;
      end_ = static_cast<size_t>(count);
      left_ -= end_;
      heard_ = true;
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return false;
  }
  // Browsers keep connections in reserve: one that said nothing is closed without a reply, and asked again
  // elsewhere.
  if (heard_ && steady_clock::now() >= deadline_) refusal_ = 408;
  return false;
}

bool Connection::poll_until_deadline(short events) const {
  while (true) {
    pollfd source = {socket_, events, 0};
    const int ready = poll(&source, 1, milliseconds_until(deadline_));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace makzero::play
