#include "nn/rule_encoder.h"

#include <algorithm>
#include <cassert>

#include "game/rule_features.h"

namespace makzero::nn {

RuleEncoder::RuleEncoder(std::span<const std::string> names) {
  for (const std::string& name : names) columns_.emplace(name, static_cast<int>(columns_.size()));
  assert(columns_.size() == names.size());
}

void RuleEncoder::encode(const game::GameInfo& info, float* out) const {
  std::fill_n(out, columns_.size(), 0.0f);
  for (const game::RuleFeature& feature : info.rule_features) {
    const auto column = columns_.find(feature.name);
    if (column != columns_.end()) out[column->second] = feature.value;
  }
}

std::string unknown_rule_feature(std::span<const std::string> names) {
  const auto unknown = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return std::ranges::none_of(game::rule_families(), [&](std::string_view family) {
      const std::span<const std::string_view> known = game::rule_feature_names(family);
      return std::find(known.begin(), known.end(), name) != known.end();
    });
  });
  return unknown == names.end() ? "" : *unknown;
}

}  // namespace makzero::nn
