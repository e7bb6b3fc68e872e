// Rule options: "custodian=line,jump=on" read into a rules struct by the table of its game.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/game.h"

namespace makzero::game {

// Names and values as written, in the order of the text.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// One row of a game's table. A choice stores the index of its value, a number itself.
template <class Rules>
struct Option {
  std::string name;
  std::vector<std::string> values;  // Allowed values of a choice; empty for a number.
  int minimum = 0, maximum = 0;     // The range of a number.
  int (*get)(const Rules&);
  void (*set)(Rules*, int);
};

// A row for a choice: choice<&Rules::custodian>("custodian", {"single", "line", "none"}); the field is an
// enumeration or bool whose values follow that order.
template <auto Field, class Rules>
Option<Rules> choice_of(std::string name, std::vector<std::string> values) {
  return {std::move(name),
          std::move(values),
          0,
          0,
          [](const Rules& rules) { return static_cast<int>(rules.*Field); },
          [](Rules* rules, int value) {
            using Type = std::remove_reference_t<decltype(rules->*Field)>;
            rules->*Field = static_cast<Type>(value);
          }};
}

// A row for a number in [minimum, maximum].
template <auto Field, class Rules>
Option<Rules> number_of(std::string name, int minimum, int maximum) {
  return {std::move(name),
          {},
          minimum,
          maximum,
          [](const Rules& rules) { return static_cast<int>(rules.*Field); },
          [](Rules* rules, int value) { rules->*Field = value; }};
}

// The index of `text` in the values, or the number within the range; -1 with a reason added where it is
// neither.
int read_option_value(const OptionInfo& option, const std::string& text, std::vector<std::string>* reasons);

// "unknown option 'x' (did you mean 'y'?); options: ...".
std::string unknown_option(const std::string& name, const std::vector<OptionInfo>& options);

// The table with the values that `rules` holds.
template <class Rules>
std::vector<OptionInfo> describe_options(const std::vector<Option<Rules>>& table, const Rules& rules) {
  std::vector<OptionInfo> infos;
  for (const Option<Rules>& option : table) {
    const int value = option.get(rules);
    infos.push_back({option.name, option.values, option.minimum, option.maximum,
                     option.values.empty() ? std::to_string(value) : option.values[value]});
  }
  return infos;
}

// The same for GameInfo::options, the values of the game's default rules first.
template <class Rules>
std::vector<OptionInfo> describe_options(const std::vector<Option<Rules>>& table, const Rules& rules,
                                         const Rules& defaults) {
  std::vector<OptionInfo> infos = describe_options(table, rules);
  for (size_t i = 0; i < table.size(); ++i) {
    if (infos[i].values.empty()) continue;
    const auto first = infos[i].values.begin(), standard = first + table[i].get(defaults);
    std::rotate(first, standard, standard + 1);
  }
  return infos;
}

// The name with every option that differs from the named ruleset's own:
// "makruk:count.mode=manual,max_plies=300".
template <class Rules>
std::string ruleset_text(std::string_view name, const std::vector<Option<Rules>>& table, const Rules& named,
                         const Rules& rules) {
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

// Stores every option text in the rules; adds a reason for each that cannot be.
template <class Rules>
void read_options(const std::vector<Option<Rules>>& table, const OptionTexts& texts, Rules* rules,
                  std::vector<std::string>* reasons) {
  const std::vector<OptionInfo> infos = describe_options(table, *rules);
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
