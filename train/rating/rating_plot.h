// Learning curves as a picture: Elo over what a run has spent, written as SVG that needs no other file.
#pragma once

#include <string>
#include <vector>

namespace makzero::train {

// A network of a curve.
struct PlotPoint {
  double spent = 0;                   // Evaluations or time, by the plot's label; > 0.
  double elo = 0, low = 0, high = 0;  // 95 % interval.
};

struct PlotCurve {
  std::string name;
  std::vector<PlotPoint> points;  // By what was spent.
};

// A player whose strength does not change.
struct PlotLine {
  std::string name;
  double elo = 0;
};

struct RatingPlot {
  std::string title, spent_label, elo_label;
  std::vector<PlotCurve> curves;
  std::vector<PlotLine> lines;
};

// What was spent has a logarithmic axis, intervals are error bars, lines are dashed and named at the right.
// Legible on light and dark pages.
std::string rating_svg(const RatingPlot& plot);

}  // namespace makzero::train
