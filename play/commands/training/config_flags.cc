#include "play/commands/training/config_flags.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "play/commands/command.h"

namespace makzero::play {
namespace {

// "--self_play.simulations=32" as key and value.
std::pair<std::string, std::string> read_override(const std::string& argument, const CLI::App& app) {
  if (!argument.starts_with("--")) throw UsageError("unknown argument '" + argument + "'");
  const size_t equals = argument.find('=');
  const std::string key = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
  std::vector<std::string> known = train::config_keys();
  if (const std::string present = train::present_key(key); present != key)
    throw UsageError("flag '--" + key + "' is called '--" + present + "' now");
  if (std::find(known.begin(), known.end(), key) == known.end()) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back(name);
    }
    const std::string near = game::nearest_name(key, known);
    throw UsageError("unknown flag '--" + key + "'" +
                     (near.empty() ? "" : ": did you mean '--" + near + "'?"));
  }
  if (equals == std::string::npos)
    throw UsageError("flag '--" + key + "' has no value: write --" + key + "=VALUE");
  return {key, argument.substr(equals + 1)};
}

}  // namespace

train::Overrides read_overrides(const CLI::App& app) {
  train::Overrides overrides;
  for (const std::string& argument : app.remaining()) {
    const auto flag = read_override(argument, app);
    if (std::ranges::count(overrides, flag.first, &train::Overrides::value_type::first) > 0)
      throw UsageError("flag '--" + flag.first + "' is given more than once: give it once");
    overrides.push_back(flag);
  }
  return overrides;
}

}  // namespace makzero::play
