#include "play/server/http.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "play/json/game_json.h"

namespace makzero::play {
namespace {

constexpr size_t kLongestReason = 1000;

// "a%20b" -> "a b"; a '%' without two digits stays.
std::string decoded(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string value_of(const std::map<std::string, std::string>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

}  // namespace

void HttpRequest::read_target(std::string_view target) {
  const size_t mark = std::min(target.find('?'), target.size());
  path = decoded(target.substr(0, mark));
  std::string query(target.substr(mark));
  std::replace(query.begin(), query.end(), '+', ' ');
  for (size_t at = 0; at < query.size();) {
    const size_t end = std::min(query.find('&', at + 1), query.size());
    const std::string_view pair = std::string_view(query).substr(at + 1, end - at - 1);
    const size_t equals = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      parameters.emplace(decoded(pair.substr(0, equals)),
                         decoded(pair.substr(std::min(equals + 1, pair.size()))));
    at = end;
  }
}

std::string HttpRequest::header(const std::string& name) const { return value_of(headers, name); }

std::string HttpRequest::parameter(const std::string& name) const { return value_of(parameters, name); }

nlohmann::json error_json(const std::string& why) { return {{"error", why.substr(0, kLongestReason)}}; }

nlohmann::json error_json(const Message& why) {
  nlohmann::json error = error_json(why.english());
  if (why.english().size() <= kLongestReason)
    error["errorParts"] = message_json(why);  // Else its values are too long.
  return error;
}

HttpReply error_of(int status, const nlohmann::json& error) {
  return {.status = status, .body = json_text(error) + "\n"};
}

HttpReply error_reply(int status, const std::string& why) { return error_of(status, error_json(why)); }

HttpReply error_reply(int status, const Message& why) { return error_of(status, error_json(why)); }

}  // namespace makzero::play
