// HTTP for a few clients at once, safe against all others: whatever a stranger can make it do has a limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "play/message.h"

namespace makzero::play {

// The header under which a request keeps its Accept-Encoding: the library must not compress events.
inline constexpr char kAcceptedEncoding[] = "x-accepted-encoding";

struct HttpRequest {
  std::string method = {}, path = {};                  // The path decoded, without the query.
  std::map<std::string, std::string> parameters = {};  // Of the query; of equal names the first.
  std::map<std::string, std::string> headers = {};     // Names in small letters; of equal names the first.
  std::string body = {};
  std::string address = {};  // Of the client.

  // Empty where there is none.
  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

// A reply that goes on: server-sent events, written by the thread that answers.
class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  // Sends an event; one without a name is a "message". False when the client has gone. REQUIRES: one line.
  virtual bool send(std::string_view name, std::string_view data) = 0;

  // Sends a comment, which clients ignore: it keeps proxies from closing the connection.
  virtual bool send_heartbeat() = 0;

  // Returns after wake() or `most`; false when the client has gone or the server ends.
  virtual bool wait(std::chrono::milliseconds most) = 0;

  // Ends a wait(), also one that begins later. From any thread.
  virtual void wake() = 0;
};

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  // If set this is the reply: events until it returns. It runs on the connection's thread.
  std::function<void(EventStream&)> stream = nullptr;
};

// {"error": why} with this status; a long text, as it may quote what was sent, is cut.
HttpReply error_reply(int status, const std::string& why);

// The same with "errorParts", as message_json() writes them, where it is not cut: an error that people meet
// by ordinary use of the page.
HttpReply error_reply(int status, const Message& why);

// The JSON of such errors, and the reply of it.
nlohmann::json error_json(const std::string& why);
nlohmann::json error_json(const Message& why);
HttpReply error_of(int status, const nlohmann::json& error);

struct HttpLimits {
  std::size_t head_bytes = 16 << 10;
  std::size_t body_bytes = 256 << 10;
  std::chrono::milliseconds read_time{5'000};    // From accepting a connection to the end of its request.
  std::chrono::milliseconds write_time{10'000};  // For a reply, or for one event.
  int threads = 48;                              // Requests that are answered at the same time ...
  int streams = 24;                              // ... so many of them with streams.
  int waiting = 64;                              // Connections that wait for a thread; more are refused.
};

// What the server asks its owner; both are called on many threads at the same time.
struct HttpHandlers {
  // Before the body is read: a reply that refuses the request, or none.
  std::function<std::optional<HttpReply>(const HttpRequest&)> refuse;
  std::function<HttpReply(const HttpRequest&)> answer;
  // A line for the log, as when an answer threw.
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

  // Serves until stop().
  void run();

  // Ends all streams at once, lets short replies finish, and makes run() return. From any thread.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::play
