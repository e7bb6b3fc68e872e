// GET /metrics of a running command, beside what it does.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "play/server/guard.h"
#include "play/server/http_server.h"

namespace makzero::play {

struct MetricsAddress {
  std::string address = "127.0.0.1";
  int port = 0;
};

// Serves on a thread of its own from construction to destruction.
class MetricsServer {
 public:
  // `text` is called by several threads at a time. Throws models::Error where the port is taken.
  MetricsServer(const MetricsAddress& address, std::function<std::string()> text);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  std::string url() const;

 private:
  HttpReply answer(const HttpRequest& request) const;

  MetricsAddress address_;
  std::function<std::string()> text_;
  HttpServer http_;
  Guard guard_;
  std::thread thread_;
};

}  // namespace makzero::play
