#include "play/server/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <utility>

#include "game/plain_text.h"

namespace makzero::play {
namespace {

const std::string kTokenCookie = "makzero_token";
constexpr std::string_view kBearer = "Bearer ";

// "localhost:8600" -> "localhost", "[::1]:8600" -> "::1".
std::string host_name(std::string host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end == std::string::npos ? "" : host.substr(1, end - 1);
  }
  host.resize(std::min(host.find(':'), host.size()));
  return game::lowered(host);
}

bool is_ip_address(const std::string& name) {
  in6_addr address;
  return inet_pton(AF_INET, name.c_str(), &address) == 1 || inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

std::string machine_name() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string shown(std::string text) {
  if (text.size() > 100) text = text.substr(0, 100) + "...";
  return text;
}

}  // namespace

Guard::Guard(GuardOptions options) : options_(std::move(options)) {
  for (std::string& host : options_.hosts) host = host_name(host);
  options_.hosts.emplace_back("localhost");
  if (!is_loopback(options_.address)) options_.hosts.push_back(host_name(machine_name()));
}

std::optional<HttpReply> Guard::refuse(const HttpRequest& request) const {
  const std::string host = request.header("host");
  if (!knows_host(request)) {
    return error_reply(403, "the host '" + shown(host) + "' is not this server: call it by its address" +
                                (is_loopback(options_.address) ? "" : ", or name the host with --host"));
  }
  const std::string origin = request.header("origin");
  if (!origin.empty() && origin != "http://" + host && origin != "https://" + host)
    return error_reply(403, "pages of '" + shown(origin) + "' may not use this server");
  // Browsers say so also where they send no origin, as for pictures. A link to the page itself is welcome.
  const std::string site = request.header("sec-fetch-site");
  if (request.path.starts_with("/api/") && (site == "cross-site" || site == "same-site"))
    return error_reply(403, "pages of other sites may not use this server");

  if (!has_token(request)) {
    // The address with the token: from now on a cookie brings it, and it is out of sight.
    if (request.path == "/" && equal_in_constant_time(request.parameter("token"), options_.token)) {
      HttpReply welcome{.status = 303, .type = "text/plain"};
      welcome.headers = {{"Location", "/"}, {"Set-Cookie", set_cookie(kTokenCookie, options_.token)}};
      return welcome;
    }
    HttpReply refusal = error_reply(
        401,
        "the token is missing or wrong: open the address that `makzero serve` printed, or send it as "
        "'Authorization: Bearer TOKEN'");
    refusal.headers = {{"WWW-Authenticate", "Bearer"}};
    return refusal;
  }

  // Forms of foreign pages can send anything but this type.
  if (request.method == "POST") {
    std::string type = request.header("content-type");
    type.resize(std::min(type.find(';'), type.size()));
    if (type != "application/json")
      return error_reply(415, "a body must be JSON: send 'Content-Type: application/json'");
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Guard::headers() {
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
       "img-src 'self' data:; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors "
       "'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
}

std::string Guard::cookie(const HttpRequest& request, const std::string& name) const {
  const std::string key = name + "_" + std::to_string(options_.port) + "=";
  const std::string cookies = request.header("cookie");
  for (size_t at = 0; at < cookies.size();) {
    const size_t end = std::min(cookies.find(';', at), cookies.size());
    if (cookies.compare(at, key.size(), key) == 0)
      return cookies.substr(at + key.size(), end - at - key.size());
    at = cookies.find_first_not_of("; ", end);
  }
  return "";
}

std::string Guard::set_cookie(const std::string& name, const std::string& value) const {
  return name + "_" + std::to_string(options_.port) + "=" + value + "; Path=/; HttpOnly; SameSite=Strict";
}

// A foreign page whose name was made to point here still calls the server by that name. It cannot do that
// with an address.
bool Guard::knows_host(const HttpRequest& request) const {
  const std::string name = host_name(request.header("host"));
  if (is_ip_address(name)) return !is_loopback(options_.address) || is_loopback(name);
  return !name.empty() &&
         std::find(options_.hosts.begin(), options_.hosts.end(), name) != options_.hosts.end();
}

bool Guard::has_token(const HttpRequest& request) const {
  if (options_.token.empty()) return true;
  const std::string header = request.header("authorization");
  if (header.starts_with(kBearer) &&
      equal_in_constant_time(std::string_view(header).substr(kBearer.size()), options_.token))
    return true;
  return equal_in_constant_time(cookie(request, kTokenCookie), options_.token);
}

bool is_loopback(const std::string& address) {
  in6_addr v6;
  if (inet_pton(AF_INET6, address.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  in_addr v4;
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  return address == "localhost";
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> digits = {};
    std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(device()));
    token += digits.data();
  }
  return token;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  volatile unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference = difference | static_cast<unsigned char>(a[i] ^ other);
  }
  return difference == 0;
}

}  // namespace makzero::play
