// Figures of a running process for those who collect them: Prometheus' text format.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace makzero::train {

// What a figure is: a counter only rises, a gauge does as it likes.
struct FigureKind {
  std::string name;  // "makzero_games_total": letters, digits and '_'.
  enum class Type { kGauge, kCounter } type = Type::kGauge;
  std::string help;  // A sentence.
};

// Thread-safe.
class Gauges {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;  // Values are any text.
  struct Sample {
    Labels labels;
    double value = 0;
  };

  void set(const FigureKind& kind, double value) { set(kind, std::vector<Sample>{{{}, value}}); }

  // All samples of the figure: those of before are gone.
  void set(const FigureKind& kind, std::vector<Sample> samples);

  // Memory and processor time of this process, as Prometheus' own libraries name them.
  void set_process();

  // Version 0.0.4 of the format, figures in the order of their names.
  std::string text() const;

 private:
  struct Figure {
    FigureKind kind;
    std::vector<Sample> samples;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Figure> figures_;
};

}  // namespace makzero::train
