#include "game/rule_features.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace makzero::game {
namespace {

constexpr std::string_view kCustodial[] = {
    "game=makyek",
    "game=apit",
    "game=rek",
    "game=minrekchanh",
    "game=gala",
    "game=hunt",
    "men_move=rook",
    "men_move=step",
    "men_move=step_forward_sideways",
    "jump",
    "custodian=single",
    "custodian=line",
    "custodian=none",
    "custodian_total=one",
    "intervention=pair",
    "intervention=line",
    "intervention=none",
    "same_axis=union",
    "same_axis=intervention_only",
    "same_axis=custodian_only",
    "corner_capture",
    "surround",
    "surround=single",
    "order=intervention_first",
    "order=simultaneous",
    "order=surround_first",
    "obligation=global",
    "obligation=transition",
    "king_move=immobile",
    "king_move=rook",
    "king_move=step",
    "middle_row=neutral",
    "cross=closed",
    "rest=pass",
    "rest=triple",
    "rest=black_moves",
    "early_moves",
    "sides=white10_black13",  // Who has the thirteen discs matters to objective=ludii.
    "objective=ludii",
    "hunter_move=rook",
    "hunter_move=step",
    "chain",
    "flying",
    "min_men",  // A sixteenth of the number.
    "no_move=loss",
    "no_move=draw",
    "no_move=pass",
    "repetition",   // 2 / limit, 0 without one.
    "no_progress",  // 100 / (100 + limit), 0 without one.
    "limit_result=material",
    "limit_result=hunter_wins",
    "cap_result=material",
};

constexpr std::string_view kChess[] = {
    "game=makruk",
    "game=makruk-sutra",
    "game=ok",
    "game=kaok",
    "game=low1839",
    "counting=makruk",
    "counting=seagames",
    "counting=low1839",
    "count.mode=manual",
    "count.snn=44",
    "count.keep_shorter",
    "repetition",     // 2 / limit, 0 without one.
    "king_leap",      // An unmoved king may leap like a knight,
    "king_leap=any",  // not to the row before it alone,
    "king_leap_in_check",
    "rook_aim",  // until a rook aims at it.
    "met_leap",  // An unmoved met may go two squares ahead,
    "met_leap_captures",
    "sut_met",
    "sut_ma",
    "captures_end_first_moves",
    "first_check_wins",
    "khoon=orthogonal",
    "met=forward",
    "khon=noback",
    "khon=first",
    "promotion=8",
    "count.who=any",
    "count.board=64",
};

}  // namespace

std::span<const std::string_view> rule_feature_names(std::string_view family) {
  if (family == "custodial") return kCustodial;
  if (family == "chess") return kChess;
  return {};
}

std::span<const std::string_view> rule_families() {
  static constexpr std::string_view kFamilies[] = {"custodial", "chess"};
  return kFamilies;
}

float rule_feature(const GameInfo& info, std::string_view name) {
  for (const RuleFeature& feature : info.rule_features) {
    if (feature.name == name) return feature.value;
  }
  return 0;
}

void set_family(std::string_view family, std::string_view game, GameInfo* info) {
  info->family = family;
  add_feature("game=" + std::string(game), 1, info);
}

void add_feature(std::string_view name, float value, GameInfo* info) {
  const std::span<const std::string_view> names = rule_feature_names(info->family);
  const auto listed = std::find(names.begin(), names.end(), name);
  assert(listed != names.end() && value >= 0 && value <= 1 && rule_feature(*info, name) == 0);
  if (listed != names.end() && value != 0) info->rule_features.push_back({*listed, value});
}

}  // namespace makzero::game
