// The rule features that games of the custodial family share; see rule_features.h.
#pragma once

#include "game/rule_features.h"
#include "game/rules/custodial_capture.h"
#include "game/rules/end_rules.h"

namespace makzero::game {

void add_capture_features(const CaptureRules& rules, GameInfo* info);

void add_limit_features(const Limits& limits, GameInfo* info);

void add_no_move_feature(NoMove no_move, GameInfo* info);

// All of EndRules, its limits included.
void add_end_features(const EndRules& rules, GameInfo* info);

}  // namespace makzero::game
