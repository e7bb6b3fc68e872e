// Where a hub is, as the command line names it.
#pragma once

#include <string>
#include <string_view>

#include "game/parsed.h"

namespace makzero::train {

struct HubAddress {
  std::string host;  // Empty: a socket of this machine.
  int port = 6379;
  std::string socket;  // Path.
  int database = 0;
  std::string user, password;  // Empty: none.

  // For people, without the password: "redis://HOST:PORT/DB".
  std::string text() const;

  // Whether only this machine can reach it.
  bool is_local() const;
};

// "redis://[USER[:PASSWORD]@]HOST[:PORT][/DB]" or "unix://[USER[:PASSWORD]@]/PATH[?db=DB]". A password that
// the text leaves out is that of the environment variable MAKZERO_HUB_PASSWORD, so that no list of processes
// shows it.
game::Parsed<HubAddress> parse_hub_address(std::string_view text);

}  // namespace makzero::train
