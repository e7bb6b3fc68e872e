#include "train/rating/rating_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace makzero::train {
namespace {

constexpr double kWidth = 960, kHeight = 600;
constexpr double kLeft = 80, kRight = 730, kTop = 56, kBottom = 540;  // Of the frame.
constexpr double kLabelHeight = 15;
constexpr int kMostTicks = 9;

constexpr const char* kStyle = R"css(
  svg { --page: #fdfcf9; --text: #23302c; --quiet: #5b6964; --line: #d9d8cf;
        --c0: #b04428; --c1: #2f7566; --c2: #3b6fa5; --c3: #8a5a9e; --c4: #8a6d1d; --c5: #4a4a4a; }
  @media (prefers-color-scheme: dark) {
    svg { --page: #131816; --text: #e4e9e4; --quiet: #9aa8a2; --line: #333e3a;
          --c0: #e07a52; --c1: #6fc2ad; --c2: #7fb2e6; --c3: #c79ad8; --c4: #d8b95c; --c5: #c8c8c8; }
  }
  text { font: 13px sans-serif; fill: var(--text); }
  .page { fill: var(--page); }
  .quiet { fill: var(--quiet); }
  .grid { stroke: var(--line); stroke-width: 1; }
  .axis { stroke: var(--quiet); stroke-width: 1; fill: none; }
  .ladder { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 5 4; }
  .leader { stroke: var(--quiet); stroke-width: 0.6; fill: none; }
  .curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
  .bar { stroke-width: 1.3; }
)css";
constexpr int kColours = 6;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// 1, 2 or 5 times a power of ten, so that about kMostTicks of them fill the range.
double tick_step(const Range& range) {
  const double power = std::pow(10, std::floor(std::log10((range.high - range.low) / kMostTicks)));
  for (const int factor : {1, 2, 5}) {
    if (factor * power * kMostTicks >= range.high - range.low) return factor * power;
  }
  return 10 * power;
}

// "250 k", "3 M".
std::string count_text(double count) {
  if (count >= 1e6) return fmt::format("{:g} M", count / 1e6);
  return count >= 1e3 ? fmt::format("{:g} k", count / 1e3) : fmt::format("{:g}", count);
}

class Svg {
 public:
  explicit Svg(const RatingPlot& plot) : plot_(plot) {
    for (const PlotCurve& curve : plot.curves) {
      for (const PlotPoint& point : curve.points) {
        spent_.include(std::log10(point.spent));
        elo_.include(point.low);
        elo_.include(point.high);
      }
    }
    for (const PlotLine& line : plot.lines) elo_.include(line.elo);
    widen(&spent_, 0.05, 1);
    widen(&elo_, 0.04, 100);
  }

  std::string text() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n<rect class=\"page\" width=\"{0}\" "
        "height=\"{1}\"/>\n",
        kWidth, kHeight, escaped(plot_.title), kStyle);
    label(kLeft, 26, "start", plot_.title, "");
    axes();
    ladder();
    for (size_t i = 0; i < plot_.curves.size(); ++i) curve(plot_.curves[i], static_cast<int>(i % kColours));
    legend();
    return out_ + "</svg>\n";
  }

 private:
  static void widen(Range* range, double share, double least) {
    if (range->low > range->high) *range = {0, 0};
    const double margin = range->high > range->low ? share * (range->high - range->low) : least / 2;
    range->low -= margin;
    range->high += margin;
  }

  double x(double spent) const {
    return kLeft + (kRight - kLeft) * (std::log10(spent) - spent_.low) / (spent_.high - spent_.low);
  }
  double y(double elo) const {
    return kBottom - (kBottom - kTop) * (elo - elo_.low) / (elo_.high - elo_.low);
  }

  void line(const char* of_class, double x1, double y1, double x2, double y2) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                        of_class, x1, y1, x2, y2);
  }
  void label(double at_x, double at_y, const char* anchor, const std::string& text, const char* of_class) {
    out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                        of_class, at_x, at_y, anchor, escaped(text));
  }

  void axes() {
    const double step = tick_step(elo_);
    for (auto tick = std::lround(std::ceil(elo_.low / step)); static_cast<double>(tick) * step <= elo_.high;
         ++tick) {
      const double elo = static_cast<double>(tick) * step;
      line("grid", kLeft, y(elo), kRight, y(elo));
      label(kLeft - 8, y(elo) + 4, "end", std::to_string(std::lround(elo)), "quiet");
    }
    for (int power = static_cast<int>(std::floor(spent_.low)); power <= spent_.high; ++power) {
      for (const int factor : {1, 2, 5}) {
        const double spent = factor * std::pow(10, power);
        if (x(spent) < kLeft || x(spent) > kRight) continue;
        line("grid", x(spent), kTop, x(spent), kBottom);
        label(x(spent), kBottom + 18, "middle", count_text(spent), "quiet");
      }
    }
    out_ += fmt::format("<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>\n", kLeft, kTop, kBottom, kRight);
    label((kLeft + kRight) / 2, kBottom + 44, "middle", plot_.spent_label, "");
    out_ +=
        fmt::format("<text transform=\"translate(24 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                    (kTop + kBottom) / 2, escaped(plot_.elo_label));
  }

  // Names that would overlap are moved apart, from the strongest down.
  void ladder() {
    std::vector<PlotLine> lines = plot_.lines;
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.elo > b.elo; });
    std::vector<double> places;
    places.reserve(lines.size());
    for (const PlotLine& each : lines)
      places.push_back(places.empty() ? y(each.elo) : std::max(y(each.elo), places.back() + kLabelHeight));
    double limit = kBottom + kLabelHeight;
    for (size_t i = places.size(); i-- > 0;) limit = places[i] = std::min(places[i], limit - kLabelHeight);
    for (size_t i = 0; i < lines.size(); ++i) {
      line("ladder", kLeft, y(lines[i].elo), kRight, y(lines[i].elo));
      line("leader", kRight, y(lines[i].elo), kRight + 14, places[i]);
      label(kRight + 18, places[i] + 4, "start", lines[i].name, "quiet");
    }
  }

  void curve(const PlotCurve& curve, int colour) {
    std::string path;
    out_ += fmt::format("<g style=\"stroke: var(--c{0}); fill: var(--c{0})\">\n", colour);
    for (const PlotPoint& point : curve.points) {
      const double at = x(point.spent);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', at, y(point.elo));
      line("bar", at, y(point.low), at, y(point.high));
      line("bar", at - 4, y(point.low), at + 4, y(point.low));
      line("bar", at - 4, y(point.high), at + 4, y(point.high));
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"/>\n", at, y(point.elo));
    }
    out_ += fmt::format("<path class=\"curve\" d=\"{}\"/>\n</g>\n", path);
  }

  void legend() {
    for (size_t i = 0; i < plot_.curves.size(); ++i) {
      const double at = kTop + 18 + 20 * static_cast<double>(i);
      out_ += fmt::format(
          "<line class=\"curve\" style=\"stroke: var(--c{})\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
          i % kColours, kLeft + 14, at - 4, kLeft + 42, at - 4);
      label(kLeft + 50, at, "start", plot_.curves[i].name, "");
    }
  }

  const RatingPlot& plot_;
  Range spent_, elo_;  // Logarithm to 10; Elo.
  std::string out_;
};

}  // namespace

std::string rating_svg(const RatingPlot& plot) { return Svg(plot).text(); }

}  // namespace makzero::train
