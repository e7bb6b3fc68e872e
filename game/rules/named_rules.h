// Games with several named rulesets: the table of their rules, and the game that a name and options make.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"
#include "game/rule_features.h"
#include "game/rules/end_rules.h"

namespace makzero::game {

template <class Rules>
struct NamedRules {
  std::string name, title, summary;
  Rules rules;
};

// All that names and options can make of one game. Rules derive from Limits.
template <class Rules>
struct RulesTable {
  std::string source;
  std::vector<NamedRules<Rules>> rulesets;  // The game itself with its defaults first.
  std::vector<Option<Rules>> options;
  void (*add_features)(const Rules& rules, GameInfo* info) = nullptr;  // States them in rule_features.
};

template <class Rules>
std::vector<std::string> names_of(const RulesTable<Rules>& table) {
  std::vector<std::string> names;
  names.reserve(table.rulesets.size());
  for (const NamedRules<Rules>& ruleset : table.rulesets) names.push_back(ruleset.name);
  return names;
}

// The game of a named ruleset with options on top. REQUIRES: the ruleset is in the table.
template <class GameType, class Rules>
Parsed<GamePtr> make_named(const RulesTable<Rules>& table, std::string_view ruleset,
                           const OptionTexts& options) {
  const auto named = std::find_if(table.rulesets.begin(), table.rulesets.end(),
                                  [&](const NamedRules<Rules>& each) { return each.name == ruleset; });
  assert(named != table.rulesets.end());
  Rules rules = named->rules;
  std::vector<std::string> reasons;
  read_options(table.options, options, &rules, &reasons);
  check_rules(rules, &reasons);
  if (!reasons.empty()) return Parsed<GamePtr>::failure(std::move(reasons));
  GameInfo info;
  info.ruleset = ruleset_text(named->name, table.options, named->rules, rules);
  info.title = named->title;
  info.summary = named->summary;
  info.source = table.source;
  info.repetition = rules.repetition;
  info.no_progress = rules.no_progress;
  info.max_plies = rules.max_plies;
  info.options = describe_options(table.options, rules, table.rulesets.front().rules);
  set_family("custodial", table.rulesets.front().name, &info);
  table.add_features(rules, &info);
  return GamePtr(std::make_shared<GameType>(std::move(info), rules));
}

}  // namespace makzero::game
