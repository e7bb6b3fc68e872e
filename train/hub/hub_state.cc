#include "train/hub/hub_state.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr std::size_t kMostReportBytes = 4096;

template <class T>
T value_of(const nlohmann::json& report, const char* name) {
  const auto found = report.find(name);
  if (found == report.end()) return {};
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() && is_worker_name(found->get<std::string>()) ? found->get<std::string>() : "";
  } else {
    const double value = found->is_number() ? found->get<double>() : 0;
    static constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max()) / 2;
    return static_cast<T>(std::isfinite(value) && value >= 0 && value <= kMost ? value : 0);
  }
}

std::optional<WorkerState> read_report(const std::string& name, const std::string& text) {
  if (text.size() > kMostReportBytes) return std::nullopt;
  const nlohmann::json report = nlohmann::json::parse(text, nullptr, false);
  if (!report.is_object()) return std::nullopt;
  WorkerState worker;
  worker.name = name;
  worker.threads = value_of<int>(report, "threads");
  worker.network = value_of<std::string>(report, "network");
  worker.generation = value_of<std::int64_t>(report, "generation");
  worker.games = value_of<std::int64_t>(report, "games");
  worker.resends = value_of<std::int64_t>(report, "resends");
  worker.games_per_second = value_of<double>(report, "games_per_second");
  worker.spooled = value_of<std::int64_t>(report, "spooled");
  return worker;
}

}  // namespace

void WorkerWatch::update(const std::map<std::string, std::string>& reports, Clock::time_point now) {
  std::erase_if(reports_, [&](const auto& known) { return !reports.contains(known.first); });
  for (const auto& [name, text] : reports) {
    if (!is_worker_name(name)) continue;
    const auto [known, is_new] = reports_.try_emplace(name, Report{text, std::nullopt, now});
    if (is_new || known->second.text == text) continue;
    known->second = {text, read_report(name, text), now, true};
  }
}

std::vector<WorkerState> WorkerWatch::workers(Clock::time_point now) const {
  std::vector<WorkerState> workers;
  for (const auto& [name, report] : reports_) {
    if (!report.has_changed || now - report.changed > kSilence) continue;
    if (!report.state) continue;
    workers.push_back(*report.state);
    workers.back().silent_seconds = std::chrono::duration<double>(now - report.changed).count();
  }
  return workers;
}

}  // namespace makzero::train
