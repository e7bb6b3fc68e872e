#include "play/server/router.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "play/json/game_json.h"

namespace makzero::play {
namespace {

using nlohmann::json;

constexpr size_t kLongestQuote = 200;

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at + 1), path.size());
    parts.push_back(path.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

// What the path has where the route has "*"; none where it is another path.
std::optional<PathParts> match(const std::vector<std::string>& route, const std::vector<std::string>& path) {
  if (route.size() != path.size()) return std::nullopt;
  PathParts parts;
  for (size_t i = 0; i < route.size(); ++i) {
    if (route[i] == "*" && !path[i].empty()) {
      parts.push_back(path[i]);
    } else if (route[i] != path[i]) {
      return std::nullopt;
    }
  }
  return parts;
}

}  // namespace

void Router::add(const std::string& method, const std::string& path, RouteHandler handler) {
  routes_.push_back({method, split_path(path), std::move(handler)});
}

HttpReply Router::answer(const HttpRequest& request) const {
  const std::vector<std::string> path = split_path(request.path);
  if (!request.path.starts_with('/')) return error_reply(404, "a path begins with '/'");
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (const Route& route : routes_) {
    const std::optional<PathParts> parts = match(route.parts, path);
    if (parts && route.method == method) return route.handler(request, *parts);
    if (parts) allowed += (allowed.empty() ? "" : ", ") + route.method;
  }
  if (allowed.empty()) return error_reply(404, "nothing is here: play/README.md lists what there is");
  HttpReply reply = error_reply(405, "this path is for " + allowed);
  reply.headers = {{"Allow", allowed}};
  return reply;
}

HttpReply json_reply(const json& value) { return {.body = json_text(value) + "\n"}; }

HttpReply field_error(const std::string& why, const std::string& field) {
  json error = error_json(why);
  error["field"] = field;
  return error_of(400, error);
}

HttpReply field_error(const Message& why, const std::string& field) {
  json error = error_json(why);
  error["field"] = field;
  return error_of(400, error);
}

game::Parsed<json> read_object(std::string_view text) {
  using Failure = game::Parsed<json>;
  const auto check_depth = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepestJson) throw std::length_error("too many levels of nesting");
    return true;
  };
  try {
    json value = json::parse(text, check_depth);
    if (!value.is_object()) return Failure::failure({"the body must be a JSON object: {...}"});
    return value;
  } catch (const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ...".
    const std::string what = error.what();
    return Failure::failure({"the body is not JSON: " + what.substr(what.find("] ") + 2, kLongestQuote)});
  } catch (const std::length_error& error) {
    return Failure::failure({std::string("the body is not what is asked for: ") + error.what()});
  }
}

}  // namespace makzero::play
