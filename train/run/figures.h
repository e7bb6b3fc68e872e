// The figures of a run, one table: metrics.jsonl, TensorBoard, log, display and Prometheus follow from it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "train/gauges.h"
#include "train/run/metrics.h"

namespace makzero::train {

struct DisplayState;

// Where a figure stands in the log's line of a generation.
struct LogColumn {
  std::string key = {};  // Empty: it does not.
  int digits = 0;        // Behind the point.
};

// Where it stands in the display.
struct DisplayColumn {
  std::string_view line = {};  // Empty: it does not. "losses", ...
  std::string text = {};       // For fmt, with what parts it from the column before: "  value {:.3f}".
  double factor = 1;           // 100 for shares.
};

struct Figure {
  std::string name;                                                      // In metrics.jsonl and TensorBoard.
  std::function<std::optional<double>(const GenerationMetrics&)> value;  // None: the run has no such thing.
  LogColumn log = {};
  DisplayColumn shown = {};
  FigureKind gauge = {};  // Without a name: Prometheus does not get it.
};

// In the order in which all of them tell it. To add a figure: a row there; its curve is a row of
// play/web/src/board/diagrams.ts.
const std::vector<Figure>& figures();

// Names with their numbers: "self_play/games_per_second", "loss/policy", ...
std::vector<std::pair<std::string, double>> scalars(const GenerationMetrics& metrics);

// The line of metrics.jsonl: all scalars, and the results by reason.
std::string metrics_json(const GenerationMetrics& metrics);

// " games=12 policy=2.1034 ...".
std::string log_columns(const GenerationMetrics& metrics);

// A line of the display; empty where none of its figures is there.
std::string display_columns(std::string_view line, const GenerationMetrics& metrics);

// Shows them for those who collect figures: of self-play those of now, of the rest those of the last
// generation; and the phase, and the hub with each of its workers.
void show_figures(const DisplayState& state, Gauges* gauges);

}  // namespace makzero::train
