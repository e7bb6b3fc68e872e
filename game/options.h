// Rule options: "custodian=line,jump=on" read into a rules struct by the table of its game.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/game.h"

namespace makzero::game {

// Names and values as written, in the order of the text.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// One row of a game's table. A choice stores the index of its value, a number itself. Rows of all games have
// one type, which keeps the page small: `rules` points to the struct that choice_of() or number_of() names.
struct Option {
  std::string name;
  std::vector<std::string> values = {};  // Allowed values of a choice; empty for a number.
  int minimum = 0, maximum = 0;          // The range of a number.
  int (*get)(const void* rules) = nullptr;
  void (*set)(void* rules, int value) = nullptr;
};

// A row for a field of Rules whose numbers are stored as they are.
template <auto Field, class Rules>
Option field_of(const std::string& name) {
  return {.name = name,
          .get = [](const void* rules) { return static_cast<int>(static_cast<const Rules*>(rules)->*Field); },
          .set =
              [](void* rules, int value) {
                auto& field = static_cast<Rules*>(rules)->*Field;
                field = static_cast<std::remove_reference_t<decltype(field)>>(value);
              }};
}

// A row for a choice: choice_of<&Rules::custodian, Rules>("custodian", {"single", "line", "none"}); the field
// is an enumeration or bool whose values follow that order.
template <auto Field, class Rules>
Option choice_of(const std::string& name, std::vector<std::string> values) {
  Option option = field_of<Field, Rules>(name);
  option.values = std::move(values);
  return option;
}

// A row for a number in [minimum, maximum].
template <auto Field, class Rules>
Option number_of(const std::string& name, int minimum, int maximum) {
  Option option = field_of<Field, Rules>(name);
  option.minimum = minimum;
  option.maximum = maximum;
  return option;
}

// The index of `text` in the values, or the number within the range; -1 with a reason added where it is
// neither.
int read_option_value(const OptionInfo& option, const std::string& text, std::vector<std::string>* reasons);

// "unknown option 'x' (did you mean 'y'?); options: ...".
std::string unknown_option(const std::string& name, const std::vector<OptionInfo>& options);

// The table with the values that `rules` holds.
std::vector<OptionInfo> describe_options(const std::vector<Option>& table, const void* rules);

// The same for GameInfo::options, the values of the game's default rules first.
std::vector<OptionInfo> describe_options(const std::vector<Option>& table, const void* rules,
                                         const void* defaults);

// The name with every option that differs from the named ruleset's own:
// "makruk:count.mode=manual,max_plies=300".
std::string ruleset_text(std::string_view name, const std::vector<Option>& table, const void* named,
                         const void* rules);

// Stores every option text in the rules; adds a reason for each that cannot be.
void read_options(const std::vector<Option>& table, const OptionTexts& texts, void* rules,
                  std::vector<std::string>* reasons);

}  // namespace makzero::game
