// A training in figures, for those who collect them.
#pragma once

#include "train/gauges.h"
#include "train/run/display.h"

namespace makzero::train {

// Totals, losses, rating and, with workers on other machines, the hub and each of them.
void show_figures(const DisplayState& state, Gauges* gauges);

}  // namespace makzero::train
