#include "game/rules/named_rules.h"

#include "game/rule_features.h"

namespace makzero::game {

GameInfo describe_ruleset(const RulesetParts& parts) {
  GameInfo info;
  info.ruleset = ruleset_text(parts.name, parts.options, parts.named, parts.rules);
  info.title = parts.title;
  info.summary = parts.summary;
  info.source = parts.source;
  info.options = describe_options(parts.options, parts.rules, parts.standard);
  set_family(parts.family, parts.game, &info);
  return info;
}

}  // namespace makzero::game
