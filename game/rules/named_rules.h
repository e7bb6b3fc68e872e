// Table of the named rulesets and options of one game, and the games that a name and options make of it.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/rules/end_rules.h"
#include "game/rules/games.h"

namespace makzero::game {

template <class Rules>
struct NamedRules {
  std::string name, title, summary;
  Rules rules;
};

template <class Rules>
struct RulesTable {
  std::string family, source;
  std::vector<NamedRules<Rules>> rulesets;  // The game itself with its defaults first.
  std::vector<Option> options;
  void (*add_features)(const Rules& rules, GameInfo* info) = nullptr;  // States them in rule_features.
};

// Texts, options and rules of a ruleset: by default, by its name, and with options on top.
struct RulesetParts {
  const std::string &family, &source, &game, &name, &title, &summary;
  const std::vector<Option>& options;
  const void *standard, *named, *rules;
};

// Information of the game that they make, but for its limits and further features.
GameInfo describe_ruleset(const RulesetParts& parts);

// GameType is made of its info, which it completes, and its rules.
template <class GameType, class Rules>
Parsed<GamePtr> make_named(const RulesTable<Rules>& table, std::string_view ruleset,
                           const OptionTexts& options) {
  const auto named = std::find_if(table.rulesets.begin(), table.rulesets.end(),
                                  [&](const NamedRules<Rules>& each) { return each.name == ruleset; });
  assert(named != table.rulesets.end());
  Rules rules = named->rules;
  std::vector<std::string> reasons;
  read_options(table.options, options, &rules, &reasons);
  if constexpr (std::derived_from<Rules, Limits>) check_rules(rules, &reasons);
  if (!reasons.empty()) return Parsed<GamePtr>::failure(std::move(reasons));
  GameInfo info =
      describe_ruleset({table.family, table.source, table.rulesets.front().name, named->name, named->title,
                        named->summary, table.options, &table.rulesets.front().rules, &named->rules, &rules});
  if constexpr (std::derived_from<Rules, Limits>) {
    info.repetition = rules.repetition;
    info.no_progress = rules.no_progress;
    info.max_plies = rules.max_plies;
  }
  table.add_features(rules, &info);
  return GamePtr(std::make_shared<GameType>(std::move(info), rules));
}

template <class GameType, class Rules>
Rulesets make_rulesets(RulesTable<Rules> table) {
  Rulesets rulesets;
  for (const NamedRules<Rules>& each : table.rulesets) rulesets.names.push_back(each.name);
  rulesets.make = [table = std::make_shared<const RulesTable<Rules>>(std::move(table))](
                      std::string_view ruleset, const OptionTexts& options) {
    return make_named<GameType>(*table, ruleset, options);
  };
  return rulesets;
}

}  // namespace makzero::game
