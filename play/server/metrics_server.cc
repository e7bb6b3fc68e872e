#include "play/server/metrics_server.h"

#include <utility>

namespace makzero::play {
namespace {

constexpr const char* kType = "text/plain; version=0.0.4; charset=utf-8";

const HttpLimits kFewClients = {.body_bytes = 0, .threads = 4, .streams = 0, .waiting = 16};

}  // namespace

// On loopback a browser's foreign pages are kept out; who opens another address lets everybody there read.
MetricsServer::MetricsServer(const MetricsAddress& address, std::function<std::string()> text)
    : address_(address),
      text_(std::move(text)),
      http_(address.address, address.port, kFewClients,
            {.refuse = [this](const HttpRequest& request) -> std::optional<HttpReply> {
               if (!is_loopback(address_.address)) return std::nullopt;
               return guard_.refuse(request);
             },
             .answer = [this](const HttpRequest& request) { return answer(request); },
             .log = [](const std::string&) {}}),
      guard_({address.address, http_.port(), "", {}}),
      thread_([this] { http_.run(); }) {}

MetricsServer::~MetricsServer() {
  http_.stop();
  thread_.join();
}

std::string MetricsServer::url() const {
  const bool is_v6 = address_.address.find(':') != std::string::npos;
  const std::string host = is_v6 ? "[" + address_.address + "]" : address_.address;
  return "http://" + host + ":" + std::to_string(http_.port()) + "/metrics";
}

HttpReply MetricsServer::answer(const HttpRequest& request) const {
  if (request.path != "/metrics") return error_reply(404, "there is /metrics and nothing else");
  if (request.method != "GET" && request.method != "HEAD") return error_reply(405, "/metrics is to be read");
  return {.type = kType, .body = text_()};
}

}  // namespace makzero::play
