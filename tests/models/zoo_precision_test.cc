// The towers of the zoo (MAKZERO_TEST_ZOO, or the source tree's) in every precision of the device
// (MAKZERO_TEST_DEVICE, or the CPU), against fp32 on a CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "game/catalog.h"
#include "models/model.h"
#include "models/zoo.h"
#include "tests/nn/nn_samples.h"

namespace makzero::models {
namespace {

constexpr int kPositions = 32;  // Of each game that the network was trained on.

// The largest differences that are accepted. Measured on a CPU: 0.0037 and 0.0091 in bf16; fp16 has 3 bits
// more.
struct Bound {
  nn::Precision precision;
  double mean_value, prior;  // Of win - loss in [-1, 1], on average; of a move's probability.
};

constexpr Bound kBounds[] = {{nn::Precision::kFp32, 1e-4, 1e-3},
                             {nn::Precision::kBf16, 0.01, 0.03},
                             {nn::Precision::kFp16, 0.00125, 0.004}};

struct Difference {
  double values = 0, value = 0, prior = 0;  // Sum and largest of win - loss; largest of a probability.
  int positions = 0;

  void add(const mcts::Evaluation& a, const mcts::Evaluation& b) {
    const double apart = std::abs((a.value.win - a.value.loss) - (b.value.win - b.value.loss));
    values += apart;
    value = std::max(value, apart);
    for (size_t i = 0; i < a.priors.size(); ++i)
      prior = std::max(prior, std::abs(static_cast<double>(a.priors[i]) - b.priors[i]));
    ++positions;
  }

  double mean_value() const { return values / positions; }
};

Zoo tested_zoo() {
  const char* named = std::getenv("MAKZERO_TEST_ZOO");
  return Zoo(named ? named : MAKZERO_TEST_DATA "/../../models/zoo");
}

class ZooPrecisionTest : public testing::TestWithParam<std::string> {
 protected:
  // Over positions of all games that the network was trained on.
  static Difference difference(const Model& checkpoint, const nn::Backend& backend) {
    Difference difference;
    for (const std::string& ruleset : games_trained(checkpoint.manifest)) {
      const game::GamePtr game = *game::make_game(ruleset);
      const auto samples = nn::sample_positions(*game, kPositions, 5);
      const auto requests = nn::requests_for(*game, samples);
      std::vector<mcts::Evaluation> exact(samples.size()), other(samples.size());
      make_evaluator(*game, checkpoint, {.precision = nn::Precision::kFp32})->evaluate(requests, exact);
      make_evaluator(*game, checkpoint, {.device = backend.device, .precision = backend.precision})
          ->evaluate(requests, other);
      for (size_t i = 0; i < samples.size(); ++i) difference.add(other[i], exact[i]);
    }
    return difference;
  }

  static bool is_possible(const nn::Backend& backend) {
    try {
      nn::require_backend(backend);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }
};

TEST_P(ZooPrecisionTest, EveryPrecisionIsCloseToFp32) {
  const Model checkpoint = read_model(tested_zoo().entry(GetParam()).network());
  const std::string device = nn::test_device();
  for (const Bound& bound : kBounds) {
    const std::string name(nn::precision_name(bound.precision));
    if (!is_possible({device, bound.precision})) {
      EXPECT_EQ(device, "cpu") << name << " is missing";
      continue;
    }
    const Difference found = difference(checkpoint, {device, bound.precision});
    RecordProperty(name + "_mean_value", std::to_string(found.mean_value()));
    RecordProperty(name + "_largest_value", std::to_string(found.value));
    RecordProperty(name + "_largest_prior", std::to_string(found.prior));
    EXPECT_LE(found.mean_value(), bound.mean_value) << name;
    EXPECT_LE(found.prior, bound.prior) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, ZooPrecisionTest, testing::ValuesIn([] {
                           const Zoo zoo = tested_zoo();
                           std::vector<std::string> names;
                           for (const ZooEntry& entry : zoo.entries())
                             if (zoo.find(entry.game()) == entry.network()) names.push_back(entry.game());
                           for (const ZooEntry& entry : zoo.families()) names.push_back(entry.game());
                           return names;
                         }()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace makzero::models
