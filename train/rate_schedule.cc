#include "train/rate_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace makzero::train {
namespace {

constexpr double kMostRows = 1e15;

struct Unit {
  char suffix;
  double rows;
};

constexpr Unit kUnits[] = {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}};

// The number that is the whole text: digits and a decimal point.
std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A whole number of rows, at least 1.
std::optional<std::int64_t> parse_rows(std::string_view text) {
  double unit = 1;
  for (const auto& [suffix, rows] : kUnits) {
    if (!text.ends_with(suffix)) continue;
    unit = rows;
    text.remove_suffix(1);
    break;
  }
  const double rows = parse_number(text).value_or(0) * unit;
  if (!(rows >= 1 && rows <= kMostRows) || rows != std::floor(rows)) return std::nullopt;
  return static_cast<std::int64_t>(rows);
}

}  // namespace

game::Parsed<RateSchedule> RateSchedule::parse(std::string_view text) {
  RateSchedule schedule;
  std::vector<std::string> reasons;
  for (bool more = !text.empty(); more;) {
    const std::size_t comma = text.find(',');
    const std::string_view step = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const auto refuse = [&](std::string_view why) {
      reasons.push_back(fmt::format("learning.schedule, step '{}': {}", step, why));
    };
    const std::size_t colon = step.find(':');
    if (colon == std::string_view::npos) {
      refuse("give ROWS:FACTOR, as 20M:0.3");
      continue;
    }
    const std::optional<std::int64_t> rows = parse_rows(step.substr(0, colon));
    const double factor = parse_number(step.substr(colon + 1)).value_or(0);
    if (!rows) refuse("the rows are no whole number: give them as 20000000, 20000k, 20M or 0.02G");
    if (!(factor > 0 && factor <= 1)) refuse("the factor of the peak must lie above 0 and be at most 1");
    if (rows && !schedule.empty() && *rows <= schedule.steps_.back().rows)
      refuse("its rows are not above those of the step before");
    if (rows) schedule.steps_.push_back({*rows, static_cast<float>(factor)});
  }
  if (!reasons.empty()) return game::Parsed<RateSchedule>::failure(std::move(reasons));
  return schedule;
}

float RateSchedule::factor(std::int64_t rows) const {
  float factor = 1;
  for (const Step& step : steps_) {
    if (rows >= step.rows) factor = step.factor;
  }
  return factor;
}

float budget_decay(double done) {
  static constexpr double kBegin = 0.5;
  static constexpr double kFinal = 0.1;
  const double fall = std::clamp((done - kBegin) / (1 - kBegin), 0.0, 1.0);
  return static_cast<float>(kFinal + (1 - kFinal) * 0.5 * (1 + std::cos(std::numbers::pi * fall)));
}

float RateDecay::factor(std::int64_t done, std::int64_t steps) const {
  const double left = 1 - static_cast<double>(done) / static_cast<double>(steps);
  return peak * (share > 0 ? static_cast<float>(std::min(1.0, left / share)) : 1);
}

}  // namespace makzero::train
