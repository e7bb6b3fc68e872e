#include "train/gauges.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <string_view>

#include "train/run_state.h"

namespace makzero::train {
namespace {

using Type = FigureKind::Type;

// In a label's value a quote is escaped too.
std::string escaped(std::string_view text, bool is_label) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '"' && is_label) {
      result += "\\\"";
    } else {
      result += c;
    }
  }
  return result;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string labels_text(const Gauges::Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, escaped(value, true));
  return text.empty() ? text : text + "}";
}

// Bytes in memory, by the second number of /proc/self/statm.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void Gauges::set(const FigureKind& kind, std::vector<Sample> samples) {
  const std::lock_guard lock(mutex_);
  figures_[kind.name] = {kind, std::move(samples)};
}

void Gauges::set_process() {
  set({"process_cpu_seconds_total", Type::kCounter, "Processor time of the process, user and system."},
      processor_seconds());
  set({"process_resident_memory_bytes", Type::kGauge, "Memory of the process that is in use."},
      resident_bytes());
}

std::string Gauges::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [name, figure] : figures_) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(figure.kind.help, false), name,
                        figure.kind.type == Type::kCounter ? "counter" : "gauge");
    for (const Sample& sample : figure.samples)
      text += fmt::format("{}{} {}\n", name, labels_text(sample.labels), number_text(sample.value));
  }
  return text;
}

}  // namespace makzero::train
