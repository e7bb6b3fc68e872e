// Finds what answers a request: a table of paths.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "play/server/http.h"

namespace makzero::play {

// The parts of the path that stand for "*", in order.
using PathParts = std::vector<std::string>;
using RouteHandler = std::function<HttpReply(const HttpRequest& request, const PathParts& parts)>;

// Filled before the server runs; thread-safe from then on.
class Router {
 public:
  // `path` like "/api/runs/*/events": "*" stands for one part, which is not empty. GET answers HEAD too.
  void add(const std::string& method, const std::string& path, RouteHandler handler);

  // 404 and 405 where there is no such route.
  HttpReply answer(const HttpRequest& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> parts;
    RouteHandler handler;
  };
  std::vector<Route> routes_;
};

HttpReply json_reply(const nlohmann::json& value);

// {"error": ..., "field": ...}, status 400; of a message with "errorParts".
HttpReply field_error(const std::string& why, const std::string& field);
HttpReply field_error(const Message& why, const std::string& field);

// The JSON object of a body. A failure says where it is broken; deep nesting is one.
game::Parsed<nlohmann::json> read_object(std::string_view text);

}  // namespace makzero::play
