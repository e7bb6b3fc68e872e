#include "game/options.h"

#include <algorithm>

#include "game/notation.h"
#include "game/plain_text.h"

namespace makzero::game {

int read_option_value(const OptionInfo& option, const std::string& text, std::vector<std::string>* reasons) {
  if (option.values.empty()) {
    const std::optional<int> number = parse_number<int>(text);
    if (number && *number >= option.minimum && *number <= option.maximum) return *number;
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

std::vector<OptionInfo> describe_options(const std::vector<Option>& table, const void* rules) {
  std::vector<OptionInfo> infos;
  for (const Option& option : table) {
    const int value = option.get(rules);
    infos.push_back({option.name, option.values, option.minimum, option.maximum,
                     option.values.empty() ? std::to_string(value) : option.values[value]});
  }
  return infos;
}

std::vector<OptionInfo> describe_options(const std::vector<Option>& table, const void* rules,
                                         const void* defaults) {
  std::vector<OptionInfo> infos = describe_options(table, rules);
  for (size_t i = 0; i < table.size(); ++i) {
    if (infos[i].values.empty()) continue;
    const auto first = infos[i].values.begin(), standard = first + table[i].get(defaults);
    std::rotate(first, standard, standard + 1);
  }
  return infos;
}

std::string ruleset_text(std::string_view name, const std::vector<Option>& table, const void* named,
                         const void* rules) {
  const std::vector<OptionInfo> values = describe_options(table, rules);
  std::string text(name);
  char separator = ':';
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].get(named) == table[i].get(rules)) continue;
    text += separator + values[i].name + "=" + values[i].value;
    separator = ',';
  }
  return text;
}

void read_options(const std::vector<Option>& table, const OptionTexts& texts, void* rules,
                  std::vector<std::string>* reasons) {
  const std::vector<OptionInfo> infos = describe_options(table, rules);
  for (const auto& [name, text] : texts) {
    bool known = false;
    for (size_t i = 0; i < table.size(); ++i) {
      if (table[i].name != name) continue;
      known = true;
      const int value = read_option_value(infos[i], text, reasons);
      if (value >= 0) table[i].set(rules, value);
    }
    if (!known) reasons->push_back(unknown_option(name, infos));
  }
}

}  // namespace makzero::game
