// A whole game of every ruleset as text, in tests/data/playthroughs: read and checked by people who know the
// rules, compared with the program here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/sample_game.h"

namespace makzero::game {
namespace {

using testing::HasSubstr;
using testing::IsSubsetOf;

const char* const kHowToWrite =
    "write the files anew with MAKZERO_WRITE_GOLDEN=1 build/rules-only/tests/game/game_sample_game_test and "
    "review the difference";

// Seeds and players were chosen for games that are short, show what is special about the ruleset, and do not
// end by the ply limit.
const std::vector<Sample> kSamples = {
    {"makyek", "makyek", 54, 70, 70},
    {"makyek-line", "makyek-line", 80, 90, 50},
    {"makyek-low", "makyek-low", 99, 90, 50},
    {"makyek-corner", "makyek-corner", 29, 90, 50},
    {"makyek-jump", "makyek-jump", 7, 90, 50},
    {"apit", "apit", 112, 50, 90},
    {"apit-single", "apit-single", 8, 90, 50},
    {"apit-intfirst", "apit-intfirst", 88, 90, 50},
    {"apit-custfirst", "apit-custfirst", 98, 90, 50},
    {"rek", "rek", 84, 90, 50},
    {"minrekchanh", "minrekchanh", 16, 70, 70},
    {"minrekchanh-transition", "minrekchanh:obligation=transition", 9, 70, 70},
    {"minrekchanh-surround", "minrekchanh-surround", 103, 90, 50},
    {"gala", "gala", 33, 40, 90},
    {"gala-no-progress", "gala", 41, 40, 90},
    {"hunt", "hunt", 2, 90, 20},
    {"hunt-chain", "hunt:chain=on", 12, 40, 60, "4h3/8/2M5/4M3/3M4/1M6/M1M5/MMM5 b"},
    {"makruk", "makruk", 83, 60, 95},
    {"makruk-counting", "makruk", 8, 40, 80, "8/8/2n1k3/8/3K4/8/R3S3/8 w - - 0 1"},
    {"makruk-manual-counting", "makruk:count.mode=manual,count.who=any", 427, 60, 40,
     "6k1/8/5m2/3n4/8/2S5/R7/K3M2R w - - 0 1"},
    {"makruk-dead-material", "makruk", 3, 40, 80, "8/8/2n1k3/8/3K4/8/R3S3/8 w - - 0 1"},
    {"makruk-sutra", "makruk-sutra", 91, 90, 50},
    {"ok", "ok", 95, 90, 50},
    {"cambodian", "cambodian", 121, 50, 90},
    {"ok-cutechess", "ok-cutechess", 82, 90, 50},
    {"kaok", "kaok", 96, 90, 50},
    {"karouk", "karouk", 9, 90, 50},
    {"low1839", "low1839", 87, 50, 90},
    {"low1839-counting", "low1839", 168, 90, 60},
    {"low1839-dlp", "low1839-dlp", 83, 90, 60},
};

const std::filesystem::path kFolder = MAKZERO_TEST_DATA "/playthroughs";

std::filesystem::path path_of(const Sample& sample) { return kFolder / (sample.file + ".txt"); }

std::string file_text(const Sample& sample) {
  std::ifstream file(path_of(sample));
  return {std::istreambuf_iterator<char>(file), {}};
}

class SampleGameTest : public testing::TestWithParam<Sample> {};

TEST_P(SampleGameTest, GoesAsReviewed) {
  const std::string text = SampleGame(GetParam()).text();
  if (std::getenv("MAKZERO_WRITE_GOLDEN")) std::ofstream(path_of(GetParam())) << text;
  ASSERT_TRUE(exists(path_of(GetParam()))) << path_of(GetParam()) << " is missing: " << kHowToWrite;
  EXPECT_EQ(text, file_text(GetParam())) << kHowToWrite;
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleGameTest, testing::ValuesIn(kSamples), [](const auto& test) {
  std::string name = test.param.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SampleGamesTest, EveryRulesetHasAFileFromItsStart) {
  for (const std::string& ruleset : ruleset_names()) {
    const bool has = std::ranges::any_of(kSamples, [&](const Sample& sample) {
      return sample.file == ruleset && sample.ruleset == ruleset && sample.start.empty();
    });
    EXPECT_TRUE(has) << ruleset << " has no playthrough: give it a line in kSamples, then " << kHowToWrite;
  }
}

TEST(SampleGamesTest, EveryFileHasASample) {
  std::vector<std::filesystem::path> expected, files;
  for (const Sample& sample : kSamples) expected.push_back(path_of(sample));
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) files.push_back(entry.path());
  EXPECT_THAT(files, IsSubsetOf(expected)) << "remove files without a line in kSamples";
}

TEST(SampleGamesTest, EveryEndOfTheRulesIsSeen) {
  std::string texts;
  for (const Sample& sample : kSamples) texts += file_text(sample);
  for (const Reason reason :
       {Reason::kNoPieces, Reason::kKingCaptured, Reason::kTooFewMen, Reason::kNoLegalMove,
        Reason::kCheckmate, Reason::kStalemate, Reason::kCheck, Reason::kRepetition, Reason::kNoProgress,
        Reason::kInsufficientMaterial, Reason::kCountExceeded, Reason::kCounterMated}) {
    EXPECT_THAT(texts, HasSubstr(", " + std::string(reason_text(reason)) + ".\n"));
  }
}

}  // namespace
}  // namespace makzero::game
