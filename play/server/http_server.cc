// The only source that sees Boost. One thread reads and writes for all connections; workers answer.
#include "play/server/http_server.h"

#define BOOST_ASIO_NO_DEPRECATED  // Functions that set an error do not return it as well.

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "game/plain_text.h"
#include "models/error.h"

namespace makzero::play {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using net::ip::tcp;
using std::chrono::milliseconds;

constexpr size_t kLongestTarget = 2048;
constexpr size_t kLongestField = 8192;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// Data of a refused client is read and thrown away after the reply, so that the refusal reaches it.
constexpr milliseconds kFarewell{500};
constexpr size_t kFarewellBytes = 1 << 20;

// A slow network has the time for a body once for each so many of its bytes.
constexpr size_t kSlowBytes = 256 << 10;

// How long a short reply may hold up the end of the server.
constexpr milliseconds kLastReplies{400};

// Pause after a connection could not be accepted, as without a free descriptor.
constexpr milliseconds kPause{100};

using Response = http::response<http::string_body>;

Response response_of(HttpReply reply) {
  Response response(static_cast<http::status>(reply.status), 11);
  response.set(http::field::connection, "close");
  response.set(http::field::content_type, reply.stream ? "text/event-stream" : reply.type);
  for (const auto& [name, value] : reply.headers) response.insert(name, value);
  response.body() = std::move(reply.body);
  reply.stream ? response.chunked(true) : response.prepare_payload();
  return response;
}

HttpReply too_long(size_t most) {
  return error_reply(413, message("the body is too long: at most {bytes} bytes",
                                  {{"bytes", static_cast<std::int64_t>(most)}}));
}

// The limit of a path's bodies.
size_t most_bytes(const HttpLimits& limits, const std::string& path) {
  const auto found = limits.body_bytes_of.find(path);
  return found == limits.body_bytes_of.end() ? limits.body_bytes : found->second;
}

// The limit of any body.
size_t most_bytes(const HttpLimits& limits) {
  size_t most = limits.body_bytes;
  for (const auto& [path, bytes] : limits.body_bytes_of) most = std::max(most, bytes);
  return most;
}

// The reply to a head that Beast refuses.
HttpReply misunderstood(error_code error, std::string_view head, const HttpLimits& limits) {
  if (error == http::error::body_limit) return too_long(limits.body_bytes);
  if (error != http::error::bad_content_length) return error_reply(400, "the request is not understood");
  // A length of more than 64 bits is malformed to Beast.
  const auto is_digit = [](char letter, char) { return letter >= '0' && letter <= '9'; };
  if (std::search_n(head.begin(), head.end(), 20, '0', is_digit) != head.end())
    return too_long(limits.body_bytes);
  return error_reply(400, "Content-Length must be one number of bytes");
}

// The reply to a request that cannot be served, whatever it asks for; none where it can.
std::optional<HttpReply> refuse_form(const HttpRequest& request, size_t target_size) {
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
    HttpReply refusal = error_reply(405, "only GET, HEAD and POST are known here");
    refusal.headers = {{"Allow", "GET, HEAD, POST"}};
    return refusal;
  }
  if (target_size > kLongestTarget)
    return error_reply(414,
                       "the address is too long: at most " + std::to_string(kLongestTarget) + " characters");
  for (const auto& [name, value] : request.headers) {
    if (name.size() + value.size() > kLongestField)
      return error_reply(431, "a header is too long: at most " + std::to_string(kLongestField) + " bytes");
  }
  if (request.method != "POST") return std::nullopt;
  if (request.headers.contains("transfer-encoding") || !request.headers.contains("content-length"))
    return error_reply(411, "a body needs one Content-Length, and no Transfer-Encoding");
  if (request.headers.contains("content-encoding"))
    return error_reply(415, "a body must not be compressed: leave out Content-Encoding");
  return std::nullopt;
}

class Connection;

// What all connections share. Only the server's thread uses what is neither constant nor atomic.
struct Shared {
  Shared(const HttpLimits& given, HttpHandlers calls)
      : limits(given), handlers(std::move(calls)), workers(static_cast<size_t>(given.threads)) {}

  const HttpLimits limits;
  const HttpHandlers handlers;
  std::unordered_set<Connection*> connections;
  bool stopped = false;
  std::atomic<int> streams{0};  // Counts; orders nothing.
  net::io_context context{1};
  net::thread_pool workers;  // Last: its tasks use the others.
};

// A client's connection: one request, one reply. It lives as long as something is to be done for it. The
// server's thread uses it, and the worker that answers: ask(), write_stream() and what they call.
class Connection final : public EventStream, public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared* shared)
      : shared_(shared),
        socket_(std::move(socket)),
        deadline_(shared->context),
        work_(shared->context.get_executor()) {
    shared_->connections.insert(this);
  }
  ~Connection() override { shared_->connections.erase(this); }

  void read_head() {
    error_code ignored;
    fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);
    socket_.set_option(tcp::no_delay(true), ignored);
    request_.address = socket_.remote_endpoint(ignored).address().to_string();
    allow(shared_->limits.read_time);
    net::async_read_until(
        socket_, net::dynamic_buffer(head_, shared_->limits.head_bytes), "\r\n\r\n",
        [self = shared_from_this()](error_code error, size_t size) { self->on_head(error, size); });
  }

  // Nothing more is read, which ends a stream; a short reply may be finished.
  void end() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_receive, ignored);
    allow(kLastReplies);
  }

  bool send(std::string_view name, std::string_view data) override {
    std::string text;
    if (!name.empty()) text.append("event: ").append(name).append("\n");
    return write_chunk(text.append("data: ").append(data).append("\n\n"));
  }

  bool send_heartbeat() override { return write_chunk(":\n\n"); }

  bool wait(milliseconds most) override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [this] { return woken_ || gone_; });
    woken_ = false;
    return !gone_;
  }

  void wake() override {
    change([this] { woken_ = true; });
  }

 private:
  // From now on the connection waits so long, and once more for each kSlowBytes, then what it waits for
  // fails.
  void allow(milliseconds time, size_t bytes = 0) {
    time *= 1 + bytes / kSlowBytes;
    deadline_.expires_after(shared_->stopped ? std::min(time, kLastReplies) : time);
    deadline_.async_wait([weak = weak_from_this()](error_code) {
      const std::shared_ptr<Connection> self = weak.lock();
      if (!self || self->deadline_.expiry() > net::steady_timer::clock_type::now()) return;
      self->too_slow_ = true;
      error_code ignored;
      self->socket_.cancel(ignored);
    });
  }

  void allow_forever() { deadline_.expires_at(net::steady_timer::time_point::max()); }

  void on_head(error_code error, size_t size) {
    // Browsers keep connections in reserve: one that said nothing is closed without a reply.
    if (head_.empty()) return;
    if (error == net::error::not_found)
      return reply(error_reply(431, "the head of the request is too long: at most " +
                                        std::to_string(shared_->limits.head_bytes) + " bytes"));
    if (error && too_slow_) return reply(error_reply(408, "the request came too slowly"));
    http::request_parser<http::empty_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(shared_->limits.head_bytes));
    parser.body_limit(most_bytes(shared_->limits));
    if (!error) parser.put(net::buffer(head_.data(), size), error);
    if (error) return reply(misunderstood(error, head_, shared_->limits));

    const auto text_of = [](const auto& view) { return std::string(view.data(), view.size()); };
    request_.method = text_of(parser.get().method_string());
    request_.read_target(text_of(parser.get().target()));
    for (const auto& field : parser.get()) {
      request_.headers.emplace(game::lowered(text_of(field.name_string())), text_of(field.value()));
    }
    std::optional<HttpReply> refusal = refuse_form(request_, parser.get().target().size());
    if (!refusal) refusal = shared_->handlers.refuse(request_);
    if (refusal) return reply(std::move(*refusal));
    if (request_.method != "POST") return answer();
    const size_t most = most_bytes(shared_->limits, request_.path);
    if (*parser.content_length() > most) return reply(too_long(most));
    read_body(size, *parser.content_length());
  }

  void read_body(size_t head_size, size_t body_size) {
    allow(shared_->limits.read_time, body_size);
    request_.body = head_.substr(head_size, body_size);
    const auto read = [self = shared_from_this(), body_size](error_code, size_t) {
      net::async_read(self->socket_, net::dynamic_buffer(self->request_.body, body_size),
                      [self](error_code error, size_t) { self->on_body(error); });
    };
    if (request_.header("expect") != "100-continue") return read({}, 0);
    net::async_write(socket_, net::buffer(kContinue), read);
  }

  void on_body(error_code error) {
    if (!error) return answer();
    reply(too_slow_ ? error_reply(408, "the body came too slowly")
                    : error_reply(400, "the body ended before its Content-Length"));
  }

  // Lets a worker answer. Its reference goes back to the server's thread, which so ends the connection.
  void answer() {
    allow_forever();
    net::post(shared_->workers, [shared = shared_, self = shared_from_this()]() mutable {
      HttpReply reply = self->ask();
      const bool streams = reply.stream && self->request_.method != "HEAD";
      if (streams && self->write_stream(&reply)) {
        net::post(shared->context, [self = std::move(self)] { self->finish(); });
      } else {
        net::post(shared->context, [self = std::move(self), reply = std::move(reply)]() mutable {
          self->reply(std::move(reply));
        });
      }
    });
  }

  HttpReply ask() {
    try {
      return shared_->handlers.answer(request_);
    } catch (const std::exception& error) {
      shared_->handlers.log("failed path=" + request_.path + " error=" + error.what());
      return error_reply(500, "the server failed: its log says why");
    }
  }

  // False where no more streams may be open: then the reply says so instead.
  bool write_stream(HttpReply* reply) {
    const bool is_free = ++shared_->streams <= shared_->limits.streams;
    if (is_free) {
      write_and_wait([&](auto done) {
        begin_reply(*reply);
        http::async_write_header(socket_, *serializer_, done);
      });
      try {
        reply->stream(*this);
      } catch (const std::exception& error) {
        shared_->handlers.log(std::string("stream error=") + error.what());
      }
      write_and_wait([&](auto done) { net::async_write(socket_, http::make_chunk_last(), done); });
    } else {
      *reply = error_reply(503, message("too many streams are open: close a page, or try again soon"));
      reply->headers = {{"Retry-After", "5"}};
    }
    --shared_->streams;
    return is_free;
  }

  bool write_chunk(std::string_view text) {
    return write_and_wait(
        [&](auto done) { net::async_write(socket_, http::make_chunk(net::buffer(text)), done); });
  }

  // Lets the server's thread begin a write, and waits for its end. False when the client has gone.
  template <class Begin>
  bool write_and_wait(const Begin& begin) {
    std::unique_lock lock(mutex_);
    writing_ = true;
    net::post(shared_->context, [this, &begin] {
      allow(shared_->limits.write_time);
      begin([this](error_code error, size_t) {
        allow_forever();
        error_code ignored;
        if (error) socket_.close(ignored);
        change([&] {
          writing_ = false;
          gone_ = gone_ || error;
        });
      });
    });
    changed_.wait(lock, [this] { return !writing_; });
    return !gone_;
  }

  void reply(HttpReply what) {
    begin_reply(std::move(what));
    allow(shared_->limits.write_time, response_.body().size());
    const auto done = [self = shared_from_this()](error_code, size_t) { self->finish(); };
    if (request_.method == "HEAD") {
      http::async_write_header(socket_, *serializer_, done);
    } else {
      http::async_write(socket_, *serializer_, done);
    }
  }

  void begin_reply(HttpReply reply) {
    response_ = response_of(std::move(reply));
    serializer_.emplace(response_);
    read_on();
  }

  // Reads and throws away what comes, until the client closes its side.
  void read_on() {
    socket_.async_read_some(net::buffer(unread_),
                            [self = shared_from_this()](error_code error, size_t count) {
                              self->unread_bytes_ += count;
                              if (!error && self->unread_bytes_ < kFarewellBytes) return self->read_on();
                              self->change([&] { self->gone_ = true; });
                            });
  }

  // Tells the client that the reply is complete and lets it read that before the socket closes.
  void finish() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    allow(kFarewell);
  }

  template <class Change>
  void change(const Change& change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }

  Shared* shared_;
  tcp::socket socket_;
  net::steady_timer deadline_;
  net::executor_work_guard<net::io_context::executor_type> work_;  // The server runs while a worker answers.
  bool too_slow_ = false;

  std::string head_;  // With what of the body came with it.
  HttpRequest request_;
  Response response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::array<char, 4096> unread_;
  size_t unread_bytes_ = 0;

  std::mutex mutex_;  // Of what follows.
  std::condition_variable changed_;
  bool woken_ = false, gone_ = false, writing_ = false;
};

// Writes without waiting to a client that comes when every place is taken.
void turn_away(tcp::socket socket) {
  HttpReply busy = error_reply(503, message("too many connections: try again soon"));
  busy.headers = {{"Retry-After", "1"}};
  error_code ignored;
  socket.non_blocking(true, ignored);
  http::write(socket, response_of(std::move(busy)), ignored);
  std::array<char, 4096> unread;
  socket.read_some(net::buffer(unread), ignored);
}

}  // namespace

class HttpServer::Impl : public Shared {
 public:
  Impl(const std::string& address, int port, const HttpLimits& limits, HttpHandlers handlers)
      : Shared(limits, std::move(handlers)) {
    error_code error;
    for (const auto& found :
         tcp::resolver(context).resolve(address, std::to_string(port), tcp::resolver::passive, error)) {
      try {
        acceptor_ = tcp::acceptor(context, found.endpoint());
        break;
      } catch (const boost::system::system_error& failure) {
        error = failure.code();
      }
    }
    if (!acceptor_.is_open()) {
      const bool is_known = error.category() == boost::system::system_category();
      throw models::Error("cannot listen on " + address + " port " + std::to_string(port) + ": " +
                          (is_known ? error.message() : "no such address of this machine") +
                          "; choose another address or port");
    }
    port_ = acceptor_.local_endpoint().port();
    fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
    const int seconds = 5;  // A client that connects and says nothing takes no place.
    setsockopt(acceptor_.native_handle(), IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
  }

  int port() const { return port_; }

  void run() {
    accept();
    while (true) {
      try {
        context.run();
        break;
      } catch (const std::exception& error) {
        handlers.log(std::string("connection error=") + error.what());
      }
    }
    workers.join();
  }

  void end() {
    net::post(context, [this] {
      stopped = true;
      acceptor_.close();
      pause_.cancel();
      for (Connection* connection : connections) connection->end();
    });
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (stopped) return;
      if (error) {
        pause_.expires_after(kPause);
        return pause_.async_wait([this](error_code) { accept(); });
      }
      if (static_cast<int>(connections.size()) < limits.threads + limits.waiting) {
        std::make_shared<Connection>(std::move(socket), this)->read_head();
      } else {
        turn_away(std::move(socket));
      }
      accept();
    });
  }

  tcp::acceptor acceptor_{context};
  net::steady_timer pause_{context};
  int port_ = 0;
};

HttpServer::HttpServer(const std::string& address, int port, const HttpLimits& limits, HttpHandlers handlers)
    : impl_(std::make_unique<Impl>(address, port, limits, std::move(handlers))) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->port(); }
void HttpServer::run() { impl_->run(); }
void HttpServer::stop() { impl_->end(); }

}  // namespace makzero::play
