#include "play/server/server.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace makzero::play {
namespace {

const std::string kClientCookie = "makzero_client";
constexpr size_t kClientDigits = 32;

void add_headers(HttpReply* reply) {
  const auto own = reply->headers;
  for (auto& header : Guard::headers()) {
    const bool said =
        std::any_of(own.begin(), own.end(), [&](const auto& one) { return one.first == header.first; });
    if (!said) reply->headers.push_back(std::move(header));
  }
}

}  // namespace

Server::Server(const ServerOptions& options, std::function<void(const std::string&)> log)
    : options_(options),
      http_(options.address, options.port, options.limits,
            {.refuse = [this](const HttpRequest& request) -> std::optional<HttpReply> {
               std::optional<HttpReply> refusal = guard_.refuse(request);
               if (refusal) add_headers(&*refusal);
               return refusal;
             },
             .answer = [this](const HttpRequest& request) { return answer(request); },
             .log = std::move(log)}),
      guard_({options.address, http_.port(), options.token, options.hosts}) {}

std::string Server::url() const {
  std::string host = options_.address;
  if (host == "0.0.0.0" || host == "::") host = "localhost";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  const std::string url = "http://" + host + ":" + std::to_string(port()) + "/";
  return options_.token.empty() ? url : url + "?token=" + options_.token;
}

std::string Server::client(const HttpRequest& request) const {
  const std::string cookie = guard_.cookie(request, kClientCookie);
  return cookie.size() == kClientDigits ? request.address + " " + cookie : request.address;
}

std::string Server::greeting(const HttpRequest& request) const {
  if (guard_.cookie(request, kClientCookie).size() == kClientDigits) return "";
  return guard_.set_cookie(kClientCookie, random_token());
}

HttpReply Server::answer(const HttpRequest& request) const {
  HttpReply reply = router_.answer(request);
  add_headers(&reply);
  return reply;
}

}  // namespace makzero::play
