#include "train/run/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/error.h"
#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "tests/support/tiny_run.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;

class AblationTest : public models::FolderTest {
 protected:
  AblationOptions options() const {
    AblationOptions options;
    options.game = "makyek";
    options.folder = folder_ / "ablation";
    options.settings = {{"more-search", {{"self_play.simulations", "8"}}, 0.5, true},
                        {"nothing", {{"threads", "1"}}}};
    options.evaluations = 2000;
    options.seeds = 2;
    options.games = 4;
    options.simulations = 2;
    options.threads = 1;
    options.changes = tiny_run();
    return options;
  }

  // Stops when the training of that number begins.
  static std::vector<SettingResult> ablate_until(const AblationOptions& options, int run,
                                                 std::vector<std::string>* runs) {
    std::stop_source stop;
    return ablate(options, stop.get_token(), [&](const AblationProgress& now) {
      runs->push_back(now.setting + "." + std::to_string(now.seed));
      if (now.run == run) stop.request_stop();
    });
  }
};

TEST_F(AblationTest, EverySettingMeetsTheBaseOfItsSeedAndAStoppedTableGoesOn) {
  std::vector<std::string> runs;
  std::vector<SettingResult> results = ablate_until(options(), 4, &runs);
  // "nothing" changes nothing and is left out.
  EXPECT_THAT(runs, testing::ElementsAre("base.1", "half.1", "more-search.1", "base.2"));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[2].score.games, 4);

  // Its generations have half the rows of the base's, the first one too.
  const auto learning = [&](const char* run) {
    return parse_config(models::read_text_file(RunPaths(folder_ / "ablation" / run).config()), run)
        ->learning();
  };
  EXPECT_EQ(learning("more-search.1").rows_per_generation(), learning("base.1").rows_per_generation() / 2);
  EXPECT_EQ(learning("more-search.1").bootstrap_rows(), learning("base.1").rows_per_generation() / 2);

  runs.clear();
  results = ablate_until(options(), 0, &runs);
  EXPECT_EQ(runs.size(), 6u);
  EXPECT_EQ(results[0].score.games, 0);
  EXPECT_EQ(results[1].score.games, 8);
  EXPECT_EQ(results[2].score.games, 8);
  EXPECT_EQ(results[2].seeds, 2);
  EXPECT_EQ(results[2].elos.size(), 2u);
  EXPECT_EQ(results[0].processor_seconds, 1);
  EXPECT_LT(results[1].processor_seconds, 1);
  EXPECT_EQ(models::read_text_file(folder_ / "ablation" / "table.md"), ablation_table(results));
  // All is there: nothing is trained or played again.
  EXPECT_EQ(ablation_table(ablate_until(options(), 0, &runs)), ablation_table(results));
}

TEST_F(AblationTest, RunsOfOtherSettingsAreNotCompared) {
  std::vector<std::string> runs;
  ablate_until(options(), 2, &runs);
  AblationOptions other = options();
  other.evaluations = 3000;
  try {
    ablate_until(other, 0, &runs);
    FAIL() << "no error";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("evaluations: 2000 -> 3000"));
    EXPECT_THAT(error.what(), HasSubstr("use another folder"));
  }
}

TEST(WorthTest, AFactorOfTwoIsWhatHalfOfTheEvaluationsLose) {
  SettingResult half, good;
  half.elos = {-150, -250};
  good.elos = {150, 250, 200};
  good.processor_seconds = 2;
  const Worth worth = worth_of(good, half);
  EXPECT_NEAR(worth.elo.elo, 200, 1e-6);
  EXPECT_NEAR(worth.factor, 2, 1e-6);
  EXPECT_NEAR(worth.elo_at_equal_time, 0, 1e-6);
}

TEST(WorthTest, TheIntervalIsThatOfTheSeeds) {
  SettingResult half, setting;
  setting.elos = {150, 250, 200};
  // Standard deviation 50, of the mean 50 / sqrt 3 = 28.9; Student's t with two degrees of freedom 4.30.
  const Worth worth = worth_of(setting, half);
  EXPECT_TRUE(worth.has_interval);
  EXPECT_NEAR(worth.elo.low, 200 - 4.30 * 28.87, 0.1);
  EXPECT_NEAR(worth.elo.high, 200 + 4.30 * 28.87, 0.1);
  setting.elos = {150};
  EXPECT_FALSE(worth_of(setting, half).has_interval);
}

TEST(TechniquesTest, EachIsAConfigurationOfEveryFamilyAndHasItsOwnName) {
  std::set<std::string> names;
  for (const Setting& setting : techniques()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    for (const char* game : {"makyek", "makruk", "hunt"}) {
      const auto config = override_config(*preset_config("quick", game), setting.changes);
      EXPECT_TRUE(config) << setting.name << ": " << config.why();
    }
  }
  EXPECT_EQ(techniques()[0].name, "base");
  EXPECT_EQ(techniques()[1].name, "half");
}

}  // namespace
}  // namespace makzero::train
