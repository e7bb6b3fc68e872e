#include "train/hub/hub_address.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "game/plain_text.h"

namespace makzero::train {
namespace {

using Parsed = game::Parsed<HubAddress>;

constexpr std::string_view kHelp = "write redis://[USER[:PASSWORD]@]HOST[:PORT][/DB] or unix:///PATH[?db=DB]";

std::optional<int> read_number(std::string_view text, int most) {
  const auto number = game::parse_number<int>(text);
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

// Cuts the text off at the first of these letters; what is behind it, or nothing.
std::string_view split_off(char letter, std::string_view* text) {
  const std::size_t at = text->find(letter);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text->substr(at + 1);
  *text = text->substr(0, at);
  return rest;
}

void read_user(std::string_view* text, HubAddress* address) {
  const std::size_t at = text->rfind('@');
  if (at != std::string_view::npos) {
    std::string_view user = text->substr(0, at);
    *text = text->substr(at + 1);
    address->password = split_off(':', &user);
    address->user = user;
  }
  const char* password = std::getenv("MAKZERO_HUB_PASSWORD");
  if (address->password.empty() && password != nullptr) address->password = password;
}

Parsed read_host(std::string_view text, HubAddress address) {
  static constexpr int kMostPort = 65535, kMostDatabase = 1 << 20;
  const std::string_view database = split_off('/', &text);
  if (!database.empty()) {
    const auto number = read_number(database, kMostDatabase);
    if (!number) return Parsed::failure({fmt::format("'{}' is no number of a database", database)});
    address.database = *number;
  }
  if (text.starts_with('[')) {  // An IPv6 address.
    text.remove_prefix(1);
    if (text.find(']') == std::string_view::npos)
      return Parsed::failure({fmt::format("'[' without ']'; {}", kHelp)});
    std::string_view rest = split_off(']', &text);
    address.host = text;
    if (!rest.empty() && rest[0] != ':')
      return Parsed::failure({fmt::format("'{}' is no port; {}", rest, kHelp)});
    text = rest.empty() ? rest : rest.substr(1);
  } else {
    const std::string_view port = split_off(':', &text);
    address.host = text;
    text = port;
  }
  if (address.host.empty()) return Parsed::failure({fmt::format("no host; {}", kHelp)});
  if (text.empty()) return address;
  const auto port = read_number(text, kMostPort);
  if (!port || *port == 0) return Parsed::failure({fmt::format("'{}' is no port; {}", text, kHelp)});
  address.port = *port;
  return address;
}

Parsed read_socket(std::string_view text, HubAddress address) {
  const std::string_view query = split_off('?', &text);
  if (!text.starts_with('/')) return Parsed::failure({fmt::format("'{}' is no path from the root", text)});
  address.socket = text;
  if (query.empty()) return address;
  const auto database = query.starts_with("db=") ? read_number(query.substr(3), 1 << 20) : std::nullopt;
  if (!database) return Parsed::failure({fmt::format("'{}' is not db=NUMBER", query)});
  address.database = *database;
  return address;
}

}  // namespace

std::string HubAddress::text() const {
  if (!socket.empty())
    return fmt::format("unix://{}{}", socket, database ? fmt::format("?db={}", database) : "");
  return fmt::format("redis://{}:{}/{}", host.find(':') == std::string::npos ? host : "[" + host + "]", port,
                     database);
}

bool HubAddress::is_local() const {
  return !socket.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
}

Parsed parse_hub_address(std::string_view text) {
  HubAddress address;
  const bool is_socket = text.starts_with("unix://");
  if (!is_socket && !text.starts_with("redis://"))
    return Parsed::failure({fmt::format("'{}' is no address of a hub: {}", text, kHelp)});
  text.remove_prefix(text.find("://") + 3);
  read_user(&text, &address);
  return is_socket ? read_socket(text, std::move(address)) : read_host(text, std::move(address));
}

}  // namespace makzero::train
