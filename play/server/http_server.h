// HTTP server for a few clients at once, safe against all others: whatever a stranger can make it do has a
// limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "play/server/http.h"

namespace makzero::play {

struct HttpLimits {
  std::size_t head_bytes = 16 << 10;
  std::size_t body_bytes = 256 << 10;
  std::map<std::string, std::size_t> body_bytes_of = {};  // Paths whose bodies have another limit.
  std::chrono::milliseconds read_time{5'000};    // For the head of a request; its body: each 256 KiB.
  std::chrono::milliseconds write_time{10'000};  // For one event; a reply: each 256 KiB.
  int threads = 48;                              // Requests that are answered at the same time ...
  int streams = 24;                              // ... so many of them with streams.
  int waiting = 64;                              // Further connections; more are refused.
};

// Calls of the server to its owner.
struct HttpHandlers {
  // Before the body is read: a reply that refuses the request, or none. On the thread of run(): must not
  // wait.
  std::function<std::optional<HttpReply>(const HttpRequest&)> refuse;
  // On many threads at the same time, where it may take long.
  std::function<HttpReply(const HttpRequest&)> answer;
  // A line for the log, as when an answer threw. From any thread.
  std::function<void(const std::string&)> log;
};

// GET, HEAD and POST with bodies of a declared length, one request per connection.
class HttpServer {
 public:
  // Binds and listens; connections wait until run(). Port 0 = any free one. Throws models::Error.
  HttpServer(const std::string& address, int port, const HttpLimits& limits, HttpHandlers handlers);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;

  // Serves until stop(). To be called once.
  void run();

  // Ends all streams at once, lets short replies finish, and makes run() return. From any thread.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::play
