// Tests of the picture of learning curves.
#include "train/rating/rating_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace makzero::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The numbers that an expression's first group catches, in order.
std::vector<double> numbers(const std::string& svg, const std::string& expression) {
  std::vector<double> found;
  const std::regex pattern(expression);
  for (std::sregex_iterator match(svg.begin(), svg.end(), pattern), end; match != end; ++match)
    found.push_back(std::stod((*match)[1]));
  return found;
}

RatingPlot two_curves() {
  return {"Mak-yek: strength",
          "network evaluations",
          "Elo",
          {{"quick", {{1e4, 0, -50, 50}, {1e5, 300, 250, 350}, {1e6, 600, 500, 700}}},
           {"plain", {{1e5, 100, 50, 150}}}},
          {{"random", 0}, {"alphabeta:2", 500}, {"alphabeta:3", 505}}};
}

TEST(RatingPlotTest, EqualFactorsAreEquallyFarApart) {
  const std::vector<double> x = numbers(rating_svg(two_curves()), "<circle cx=\"([0-9.]+)\"");
  ASSERT_EQ(x.size(), 4u);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
  EXPECT_GT(x[1], x[0]);
  EXPECT_EQ(x[3], x[1]);
}

TEST(RatingPlotTest, MoreEloIsHigher) {
  const std::vector<double> y = numbers(rating_svg(two_curves()), "<circle cx=\"[0-9.]+\" cy=\"([0-9.]+)\"");
  ASSERT_EQ(y.size(), 4u);
  EXPECT_NEAR(y[0] - y[1], y[1] - y[2], 0.2);
  EXPECT_GT(y[0], y[3]);
}

TEST(RatingPlotTest, NamesOfTheLadderDoNotOverlap) {
  const std::vector<double> y =
      numbers(rating_svg(two_curves()), "y=\"([0-9.]+)\" text-anchor=\"start\">alphabeta");
  ASSERT_EQ(y.size(), 2u);
  EXPECT_GE(std::abs(y[0] - y[1]), 14);
}

TEST(RatingPlotTest, AxesAreNamedAndNumbered) {
  const std::string svg = rating_svg(two_curves());
  for (const char* text : {">10 k<", ">100 k<", ">1 M<", ">network evaluations<", ">Elo<", ">quick<"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(RatingPlotTest, NeedsNoOtherFileAndSuitsDarkPages) {
  const std::string svg = rating_svg(two_curves());
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("url(")));
}

TEST(RatingPlotTest, NamesAreEscapedAndNothingIsAPictureToo) {
  RatingPlot plot;
  plot.curves = {{"a<b & \"c\"", {}}};
  const std::string svg = rating_svg(plot);
  EXPECT_THAT(svg, HasSubstr("a&lt;b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace makzero::train
