#include "game/options.h"

#include <algorithm>
#include <charconv>

#include "game/notation.h"

namespace makzero::game {

int read_option_value(const OptionInfo& option, const std::string& text, std::vector<std::string>* reasons) {
  if (option.values.empty()) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= option.minimum && number <= option.maximum)
      return number;
    reasons->push_back("option '" + option.name + "' is '" + text + "': give a number from " +
                       std::to_string(option.minimum) + " to " + std::to_string(option.maximum));
    return -1;
  }
  const auto found = std::find(option.values.begin(), option.values.end(), text);
  if (found != option.values.end()) return static_cast<int>(found - option.values.begin());
  std::string allowed;
  for (const std::string& value : option.values) allowed += (allowed.empty() ? "" : ", ") + value;
  reasons->push_back("option '" + option.name + "' is '" + text + "': give one of " + allowed);
  return -1;
}

std::string unknown_option(const std::string& name, const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const OptionInfo& option : options) names.push_back(option.name);
  std::string message = "unknown option '" + name + "'";
  if (const std::string near = did_you_mean(name, names); !near.empty()) return message + near;
  message += ": this game has ";
  for (size_t i = 0; i < names.size(); ++i) message += (i ? ", " : "") + names[i];
  return message;
}

}  // namespace makzero::game
