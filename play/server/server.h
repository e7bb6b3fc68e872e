// The web server: the page and the interface that it talks to, with a guard at the door.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "play/server/guard.h"
#include "play/server/http_server.h"
#include "play/server/router.h"

namespace makzero::play {

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 8600;                 // 0 = any free one.
  std::string token;               // Empty: none is needed.
  std::vector<std::string> hosts;  // Further names of this machine.
  HttpLimits limits;
};

class Server {
 public:
  // Binds. `log` takes lines for people, from any thread. Throws models::Error.
  Server(const ServerOptions& options, std::function<void(const std::string&)> log);

  // Routes are added before run().
  Router& router() { return router_; }

  int port() const { return http_.port(); }

  // The address for the browser, with the token if there is one.
  std::string url() const;

  // Who asks, for limits that hold per client: a browser by its cookie, other programs by their address.
  std::string client(const HttpRequest& request) const;

  // A cookie that makes a new browser a client; empty where it is one.
  std::string greeting(const HttpRequest& request) const;

  void run() { http_.run(); }
  void stop() { http_.stop(); }

 private:
  HttpReply answer(const HttpRequest& request) const;

  ServerOptions options_;
  Router router_;
  HttpServer http_;
  Guard guard_;
};

}  // namespace makzero::play
