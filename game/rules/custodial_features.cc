#include "game/rules/custodial_features.h"

namespace makzero::game {

void add_capture_features(const CaptureRules& rules, GameInfo* info) {
  add_choice_feature(rules.custodian, {"custodian=single", "custodian=line", "custodian=none"}, info);
  add_choice_feature(rules.intervention, {"intervention=pair", "intervention=line", "intervention=none"},
                     info);
  add_choice_feature(rules.same_axis,
                     {"same_axis=union", "same_axis=intervention_only", "same_axis=custodian_only"}, info);
  add_feature("corner_capture", rules.corner_capture, info);
}

// The shorter a limit the greater its value, as no limit is 0.
void add_limit_features(const Limits& limits, GameInfo* info) {
  if (limits.repetition > 0) add_feature("repetition", 2.0f / limits.repetition, info);
  if (limits.no_progress > 0) add_feature("no_progress", 100.0f / (100.0f + limits.no_progress), info);
}

void add_no_move_feature(NoMove no_move, GameInfo* info) {
  add_choice_feature(no_move, {"no_move=loss", "no_move=draw", "no_move=pass"}, info);
}

void add_end_features(const EndRules& rules, GameInfo* info) {
  add_no_move_feature(rules.no_move, info);
  add_limit_features(rules, info);
  add_choice_feature(rules.limit_result, {"", "limit_result=material"}, info);
  add_choice_feature(rules.cap_result, {"", "cap_result=material"}, info);
}

}  // namespace makzero::game
