// The same weights give the same outputs with every supported version of LibTorch: compared with numbers on
// file. MAKZERO_WRITE_GOLDEN=1 writes the file anew; review the difference as text.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "game/catalog.h"
#include "nn/evaluators/torch_evaluator.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

const char* const kPath = MAKZERO_TEST_DATA "/golden/nn_outputs.txt";
constexpr int kLogitStep = 97;  // Every so many of the 4161 policy logits are on file.

// The planes of the networks that the numbers were made with, as those of the zoo see them.
std::vector<std::string> planes_of(const std::string& ruleset) {
  const game::GamePtr game = *game::make_game(ruleset);
  std::vector<std::string> planes;
  for (const char* side : {"own ", "enemy "}) {
    for (const char kind : game->info().kinds) planes.push_back(std::string(side) + kind);
  }
  planes.insert(planes.end(), {"own targets", "own destinations", "enemy targets", "enemy destinations"});
  if (ruleset == "makruk")
    planes.insert(planes.end(), {"count limit", "count used", "own count", "enemy count"});
  planes.insert(planes.end(), {"seen 1"});
  if (ruleset == "makyek") planes.emplace_back("quiet plies");
  planes.insert(planes.end(), {"ply", "board"});
  return planes;
}

// A line per position: ruleset, number, then win, draw, loss, moves left and logits.
std::vector<std::pair<std::string, std::vector<float>>> compute() {
  std::vector<std::pair<std::string, std::vector<float>>> lines;
  for (const std::string ruleset : {"makyek", "makruk"}) {
    const game::GamePtr game = *game::make_game(ruleset);
    const Encoder encoder(planes_of(ruleset));
    NetworkArchitecture shape;
    shape.planes = encoder.planes();
    TorchEvaluator evaluator(*game, random_network(shape, 11), {.precision = Precision::kFp32});
    const std::vector<SamplePosition> samples = sample_positions(*game, 6, 12);
    const std::vector<RawOutput> outputs = evaluator.forward(encode_all(encoder, *game, samples), 6);
    for (size_t i = 0; i < outputs.size(); ++i) {
      std::vector<float> numbers = outputs[i].wdl;
      numbers.push_back(outputs[i].moves_left);
      for (int index = 0; index < game::kPolicySize; index += kLogitStep)
        numbers.push_back(outputs[i].policy[index]);
      lines.emplace_back(ruleset + " " + std::to_string(i), numbers);
    }
  }
  return lines;
}

TEST(GoldenOutputsTest, OutputsAreThoseOnFile) {
  const auto lines = compute();
  if (std::getenv("MAKZERO_WRITE_GOLDEN")) {
    std::ofstream file(kPath);
    file.precision(9);
    for (const auto& [name, numbers] : lines) {
      file << name;
      for (const float number : numbers) file << ' ' << number;
      file << '\n';
    }
  }
  std::ifstream file(kPath);
  for (const auto& [name, numbers] : lines) {
    std::string ruleset, position;
    ASSERT_TRUE(file >> ruleset >> position) << kPath << " ends early";
    ASSERT_EQ(ruleset.append(" ").append(position), name);
    for (size_t i = 0; i < numbers.size(); ++i) {
      float expected = 0;
      ASSERT_TRUE(file >> expected);
      EXPECT_NEAR(numbers[i], expected, 1e-5 * std::max(1.0f, std::abs(expected))) << name << " number " << i;
    }
  }
}

}  // namespace
}  // namespace makzero::nn
