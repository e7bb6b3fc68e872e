// Who may ask the server for what: foreign pages, rebound names and strangers without the token are refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/server/http.h"

namespace makzero::play {

struct GuardOptions {
  std::string address = "127.0.0.1";  // That the server listens on.
  int port = 8600;
  std::string token;               // Every request must bring it; empty: none is needed.
  std::vector<std::string> hosts;  // Further names that browsers may call the server by.
};

// Immutable, so thread-safe.
class Guard {
 public:
  explicit Guard(GuardOptions options);

  // The reply to a request that may not come in; none where it may. Asked before the body is read.
  std::optional<HttpReply> refuse(const HttpRequest& request) const;

  // Headers of every reply: what a browser may do with it.
  static std::vector<std::pair<std::string, std::string>> headers();

  // A cookie of this server: cookies are shared by all ports of a host, so that its port is in their names.
  std::string cookie(const HttpRequest& request, const std::string& name) const;
  std::string set_cookie(const std::string& name, const std::string& value) const;

 private:
  bool knows_host(const HttpRequest& request) const;
  bool has_token(const HttpRequest& request) const;

  GuardOptions options_;
};

// Whether only this machine can reach a server on that address: "127.0.0.1", "::1", "localhost".
bool is_loopback(const std::string& address);

// 32 hexadecimal digits at random.
std::string random_token();

// Whether two texts are equal, in a time that says nothing about where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace makzero::play
