// The rules of a game as the second input of a network, next to the planes of a position.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "game/game.h"

namespace makzero::nn {

// The rule features that a network sees, in its order. Thread-safe.
class RuleEncoder {
 public:
  // See game/rule_features.h. REQUIRES: the names differ.
  explicit RuleEncoder(std::span<const std::string> names);

  int count() const { return static_cast<int>(columns_.size()); }

  // Writes [count] floats in [0, 1]: 0 for features that the ruleset does not state. Features that the
  // network does not see are left out.
  void encode(const game::GameInfo& info, float* out) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, int, Hash, std::equal_to<>> columns_;  // By name.
};

// The first of the names that is no rule feature of any family; empty where all are known.
std::string unknown_rule_feature(std::span<const std::string> names);

}  // namespace makzero::nn
