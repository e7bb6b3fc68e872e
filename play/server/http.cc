#include "play/server/http.h"

#include <httplib.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>

#include "models/error.h"
#include "play/json/game_json.h"
#include "play/server/connection.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

constexpr size_t kLongestTarget = 2048;
constexpr size_t kLongestReason = 1000;
constexpr int kBacklog = 256;

// How long a short reply may hold up the end of the server.
constexpr milliseconds kLastReplies{400};

// For those who come when every place is taken: written without waiting.
std::string too_many() {
  const std::string body = error_reply(503, message("too many connections: try again soon")).body;
  return "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
         "Content-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Of "/path?game=makyek:jump=on&x=1" the parameters game, "makyek:jump=on", and x. The library would take
// what follows the last '=' for the value.
std::map<std::string, std::string> parameters_of(const std::string& target) {
  std::map<std::string, std::string> parameters;
  size_t at = target.find('?');
  while (at < target.size()) {
    const size_t end = std::min(target.find_first_of("&#", at + 1), target.size());
    const std::string pair = target.substr(at + 1, end - at - 1);
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto decoded = [](const std::string& text) { return httplib::detail::decode_url(text, true); };
    if (!pair.empty())
      parameters.emplace(decoded(pair.substr(0, equals)),
                         decoded(equals < pair.size() ? pair.substr(equals + 1) : ""));
    if (end < target.size() && target[end] == '#') break;
    at = end;
  }
  return parameters;
}

HttpRequest request_of(const httplib::Request& source) {
  HttpRequest request{.method = source.method,
                      .path = source.path,
                      .parameters = parameters_of(source.target),
                      .address = source.remote_addr};
  for (const auto& [name, value] : source.headers) {
    std::string small = name;
    for (char& letter : small) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    request.headers.emplace(small, value);
  }
  return request;
}

// The threads that answer. The accepting thread itself processes a connection that finds no place in the
// queue; whoever processes one there refuses it.
class Workers : public httplib::TaskQueue {
 public:
  Workers(int threads, int waiting) : waiting_(waiting) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      if (static_cast<int>(tasks_.size()) < waiting_ + idle_) {
        tasks_.push_back(std::move(task));
        task = nullptr;
      }
    }
    if (task) return task();
    changed_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      changed_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  int waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  int idle_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

class ConnectionStream : public EventStream {
 public:
  ConnectionStream(Connection* connection, httplib::DataSink* sink, milliseconds write_time)
      : connection_(connection), sink_(sink), write_time_(write_time) {}

  bool send(std::string_view name, std::string_view data) override {
    std::string text;
    if (!name.empty()) text.append("event: ").append(name).append("\n");
    return write(text.append("data: ").append(data).append("\n\n"));
  }
  bool send_heartbeat() override { return write(":\n\n"); }
  bool wait(milliseconds most) override { return connection_->wait(most); }
  void wake() override { connection_->wake(); }

 private:
  bool write(std::string_view text) {
    connection_->allow(write_time_);
    return sink_->write(text.data(), text.size());
  }

  Connection* connection_;
  httplib::DataSink* sink_;
  milliseconds write_time_;
};

// One of a bounded number of places, given back on destruction.
class Place {
 public:
  // Null where all are taken.
  static std::shared_ptr<Place> take(std::atomic<int>* taken, int most) {
    auto place = std::make_shared<Place>(taken);
    return taken->load() <= most ? place : nullptr;
  }

  explicit Place(std::atomic<int>* taken) : taken_(taken) { ++*taken_; }
  ~Place() { --*taken_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::atomic<int>* taken_;
};

// Why a body must not be read, if so: only those of a declared and small length are.
std::optional<HttpReply> refuse_body(const httplib::Request& request, size_t most) {
  if (request.method != "POST") return std::nullopt;
  if (request.has_header("Transfer-Encoding") || request.get_header_value_count("Content-Length") != 1)
    return error_reply(411, "a body needs one Content-Length, and no Transfer-Encoding");
  if (request.has_header("Content-Encoding"))
    return error_reply(415, "a body must not be compressed: leave out Content-Encoding");
  const std::string length = request.get_header_value("Content-Length");
  if (length.empty() || length.find_first_not_of("0123456789") != std::string::npos)
    return error_reply(400, "Content-Length must be a number of bytes");
  if (length.size() > 9 || std::stoul(length) > most)
    return error_reply(413, message("the body is too long: at most {bytes} bytes",
                                    {{"bytes", static_cast<std::int64_t>(most)}}));
  return std::nullopt;
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string HttpRequest::parameter(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? "" : found->second;
}

nlohmann::json error_json(const std::string& why) { return {{"error", why.substr(0, kLongestReason)}}; }

nlohmann::json error_json(const Message& why) {
  nlohmann::json error = error_json(why.english());
  if (why.english().size() <= kLongestReason)
    error["errorParts"] = message_json(why);  // Else its values are too long.
  return error;
}

HttpReply error_of(int status, const nlohmann::json& error) {
  return {.status = status,
          .body = error.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

HttpReply error_reply(int status, const std::string& why) { return error_of(status, error_json(why)); }

HttpReply error_reply(int status, const Message& why) { return error_of(status, error_json(why)); }

class HttpServer::Impl : public httplib::Server {
 public:
  Impl(const std::string& address, int port, const HttpLimits& limits, HttpHandlers handlers)
      : limits_(limits), handlers_(std::move(handlers)) {
    new_task_queue = [this] { return new Workers(limits_.threads, limits_.waiting); };
    set_socket_options([](socket_t socket) {
      const int yes = 1, seconds = 5;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      // Who connects and says nothing takes no place.
      setsockopt(socket, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
    });
    set_tcp_nodelay(true);
    set_payload_max_length(limits_.body_bytes);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return admit(request, &response) ? HandlerResponse::Unhandled : HandlerResponse::Handled;
    });
    Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
      answer(request_of(request), &response);
    });
    Post(".*", [this](const httplib::Request& request, httplib::Response& response,
                      const httplib::ContentReader& read) { answer_with_body(request, &response, read); });
    set_error_handler([this](const httplib::Request&, httplib::Response& response) { explain(&response); });
    set_exception_handler([this](const httplib::Request& request, httplib::Response& response,
                                 const std::exception_ptr& error) { fail(request, &response, error); });
    errno = 0;
    port_ = port == 0 ? bind_to_any_port(address) : bind_to_port(address, port) ? port : -1;
    if (port_ < 0) {
      throw models::Error("cannot listen on " + address + " port " + std::to_string(port) + ": " +
                          (errno == 0 ? "no such address of this machine" : std::strerror(errno)) +
                          "; choose others with --address and --port");
    }
    ::listen(svr_sock_, kBacklog);
  }

  int port() const { return port_; }

  void run() {
    accepting_ = std::this_thread::get_id();
    listen_after_bind();
  }

  void stop() {
    shutdown(svr_sock_, SHUT_RDWR);
    std::unique_lock lock(mutex_);
    stopped_ = true;
    for (const auto& [thread, connection] : connections_) connection->end_reading();
    ended_.wait_for(lock, kLastReplies, [this] { return connections_.empty(); });
    for (const auto& [thread, connection] : connections_) connection->end();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket);
    if (std::this_thread::get_id() == accepting_) {
      connection.allow(milliseconds(0));
      connection.write_all(too_many());
      std::array<char, 4096> unread;
      [[maybe_unused]] const ssize_t count = recv(socket, unread.data(), unread.size(), MSG_DONTWAIT);
      return true;
    }
    connection.allow_reading(limits_.head_bytes, limits_.read_time);
    enter(&connection);
    bool closed = false;
    process_request(connection, true, closed, [](httplib::Request& request) {
      request.ranges.clear();  // A thousand ranges would make a reply a thousand times as long.
      request.headers.erase(kAcceptedEncoding);
      const auto accepted = request.headers.find("Accept-Encoding");
      if (accepted == request.headers.end()) return;
      request.headers.emplace(kAcceptedEncoding, accepted->second);
      request.headers.erase("Accept-Encoding");  // Events must not wait in a compressor.
    });
    // Where not even the first line came there is no reply yet.
    if (!connection.written() && connection.refusal()) {
      connection.allow(limits_.write_time);
      const std::string status = connection.refusal() == 408 ? "408 Request Timeout" : "431 Too Long";
      connection.write_all("HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    }
    connection.finish();
    leave();
    return true;
  }

  // Runs before a body is read.
  bool admit(const httplib::Request& request, httplib::Response* response) {
    std::optional<HttpReply> refusal;
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
      refusal = error_reply(405, "only GET, HEAD and POST are known here");
      refusal->headers.emplace_back("Allow", "GET, HEAD, POST");
    } else if (request.target.size() > kLongestTarget) {
      refusal = error_reply(
          414, "the address is too long: at most " + std::to_string(kLongestTarget) + " characters");
    } else {
      refusal = refuse_body(request, limits_.body_bytes);
    }
    if (!refusal) refusal = handlers_.refuse(request_of(request));
    if (!refusal) return true;
    write(*refusal, response);
    return false;
  }

  void answer_with_body(const httplib::Request& source, httplib::Response* response,
                        const httplib::ContentReader& read) {
    HttpRequest request = request_of(source);
    Connection* connection = current();
    connection->allow_reading(limits_.body_bytes, limits_.read_time);
    const bool whole = read([&](const char* bytes, size_t count) {
      request.body.append(bytes, count);
      return true;
    });
    if (whole) return answer(request, response);
    if (connection->refusal()) return write(error_reply(408, "the body came too slowly"), response);
    write(error_reply(400, "the body ended before its Content-Length"), response);
  }

  void answer(const HttpRequest& request, httplib::Response* response) {
    write(handlers_.answer(request), response);
  }

  void write(const HttpReply& reply, httplib::Response* response) {
    if (reply.stream) return write_stream(reply, response);
    response->status = reply.status;
    response->set_content(reply.body, reply.type);
    for (const auto& [name, value] : reply.headers) response->set_header(name, value);
    current()->allow(limits_.write_time);
  }

  void write_stream(const HttpReply& reply, httplib::Response* response) {
    const std::shared_ptr<Place> place = Place::take(&streams_, limits_.streams);
    if (!place) {
      HttpReply busy =
          error_reply(503, message("too many streams are open: close a page, or try again soon"));
      busy.headers = {{"Retry-After", "5"}};
      return write(busy, response);
    }
    Connection* connection = current();
    for (const auto& [name, value] : reply.headers) response->set_header(name, value);
    response->set_chunked_content_provider(
        "text/event-stream",
        [this, connection, place, stream = reply.stream](size_t, httplib::DataSink& sink) {
          ConnectionStream events(connection, &sink, limits_.write_time);
          try {
            stream(events);
          } catch (const std::exception& error) {
            handlers_.log(std::string("stream error=") + error.what());
          }
          sink.done();
          return true;
        });
    connection->allow(limits_.write_time);
  }

  // Says what is wrong where httplib refuses by itself.
  void explain(httplib::Response* response) {
    if (!response->body.empty()) return;
    Connection* connection = current();
    if (connection->refusal()) response->status = connection->refusal();
    std::string why = "the request is not understood";
    if (response->status == 408) why = "the request came too slowly";
    if (response->status == 431)
      why = "the head of the request is too long: at most " + std::to_string(limits_.head_bytes) + " bytes";
    write(error_reply(response->status, why), response);
  }

  void fail(const httplib::Request& request, httplib::Response* response, const std::exception_ptr& error) {
    std::string why = "unknown";
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& exception) {
      why = exception.what();
    } catch (...) {  // NOLINT: has no text.
    }
    handlers_.log("failed path=" + request.path + " error=" + why);
    response->headers.clear();
    write(error_reply(500, "the server failed: its log says why"), response);
  }

  void enter(Connection* connection) {
    const std::lock_guard lock(mutex_);
    connections_[std::this_thread::get_id()] = connection;
    if (stopped_) connection->end_reading();
  }

  void leave() {
    {
      const std::lock_guard lock(mutex_);
      connections_.erase(std::this_thread::get_id());
    }
    ended_.notify_all();
  }

  Connection* current() {
    const std::lock_guard lock(mutex_);
    return connections_.at(std::this_thread::get_id());
  }

  HttpLimits limits_;
  HttpHandlers handlers_;
  int port_ = -1;
  std::thread::id accepting_;
  std::atomic<int> streams_{0};  // Counts; orders nothing.

  std::mutex mutex_;
  std::condition_variable ended_;
  std::unordered_map<std::thread::id, Connection*> connections_;  // Each is processed by one thread.
  bool stopped_ = false;
};

HttpServer::HttpServer(const std::string& address, int port, const HttpLimits& limits, HttpHandlers handlers)
    : impl_(std::make_unique<Impl>(address, port, limits, std::move(handlers))) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->port(); }
void HttpServer::run() { impl_->run(); }
void HttpServer::stop() { impl_->stop(); }

}  // namespace makzero::play
