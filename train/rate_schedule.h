// Schedule of the learning rate: steps at numbers of rows of self-play.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "game/parsed.h"

namespace makzero::train {

// Constant between its steps, as the rates of KataGo and lc0 are. The factors are those of the peak, so that
// a schedule fits whatever learning_rate the preset has.
class RateSchedule {
 public:
  // Reads "20M:0.3,50M:0.1", rows with k, M or G or none and factors in (0, 1]; an empty text has no steps. A
  // failure names what is wrong with every step.
  static game::Parsed<RateSchedule> parse(std::string_view text);

  bool empty() const { return steps_.empty(); }

  // Factor of the peak once a run has so many rows; 1 before the first step.
  float factor(std::int64_t rows) const;

 private:
  struct Step {
    std::int64_t rows;
    float factor;
  };
  std::vector<Step> steps_;  // By rows, ascending.
};

// Factor of the rate after so much of a budget, in [0, 1]: half a cosine from 1 to a tenth over its second
// half.
float budget_decay(double done);

// Fall of the rate at the end of learning.
struct RateDecay {
  double share = 0;  // Of the steps, in [0, 1], over which it falls linearly to 0: the last ones.
  float peak = 1;    // Factor of the configured rate before.

  // Factor of the configured rate after so many of the steps.
  float factor(std::int64_t done, std::int64_t steps) const;
};

}  // namespace makzero::train
