// Tests of who a run's networks meet.
#include "train/rating/rater.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "game/catalog.h"
#include "models/model.h"
#include "models/store.h"
#include "nn/encoder.h"
#include "tests/nn/nn_samples.h"
#include "tests/support/file_tools.h"
#include "train/config.h"

namespace makzero::train {
namespace {

// A zoo with a small network of Gala, and a run that has played nothing yet.
class RaterTest : public models::FolderTest {
 protected:
  RaterTest() {
    std::filesystem::create_directories(folder_ / "zoo/gala");
    models::write_model(folder_ / "zoo/gala/network.mzc",
                        models::read_model(MAKZERO_TEST_DATA "/models/gala_version_1.mzs"));
    setenv("MAKZERO_ZOO", (folder_ / "zoo").c_str(), 1);
  }
  ~RaterTest() override { setenv("MAKZERO_ZOO", "", 1); }

  Rater rater() const { return Rater(*game_, config_, folder_, folder_, 1); }

  // A win of the newest network.
  void beat(const std::string& opponent) {
    MatchRecord record;
    record.set_ruleset("gala");
    record.set_player_a("network");
    record.set_player_b(opponent);
    record.set_generation_a(3);
    record.set_generation_b(-1);
    record.set_a_is_white(true);
    record.set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
    RatingStore(folder_).add({record});
  }

  game::GamePtr game_ = *game::make_game("gala");
  Config config_ = *preset_config("quick", "gala");
};

TEST_F(RaterTest, ANetworkBeginsAtTheWeakestRung) {
  EXPECT_EQ(rater().next_opponent(0).name(), ladder().front());
}

TEST_F(RaterTest, BehindTheFixedOpponentsStandsTheSmallNetworkOfTheZoo) {
  for (const std::string& rung : ladder()) beat(rung);
  const models::PlayerSpec next = rater().next_opponent(3);
  EXPECT_THAT(next.name(), testing::MatchesRegex("small-[0-9a-f]{12}\\?nodes=100"));
  beat(next.name());
  EXPECT_THAT(rater().next_opponent(3).name(), testing::EndsWith("?nodes=1000"));
}

// A checkpoint of a generation, untrained.
class BestNetworkTest : public RaterTest {
 protected:
  BestNetworkTest() {
    setenv("MAKZERO_ZOO", "", 1);
    config_.mutable_rating()->set_games(2);
    config_.mutable_rating()->set_simulations(2);
    nn::NetworkArchitecture shape = nn::small_architecture(nn::default_planes(game_->info()));
    for (const int generation : {1, 2, 3, 4}) {
      models::Model model = models::make_model(*game_, {shape, nn::initial_weights(shape, generation)});
      model.manifest.set_generation(generation);
      store_.add(model);
    }
  }

  NetworkRating rate(Rater* rater, int generation) {
    return *rater->rate(generation, rater->next_opponent(generation), {}, [](int, int) {});
  }

  models::CheckpointStore store_{folder_ / "checkpoints"};
};

TEST_F(BestNetworkTest, TheBestIsNotedOnceThreeAreRatedAndStaysUntilAnotherIsSurelyBetter) {
  Rater rater = this->rater();
  EXPECT_FALSE(rate(&rater, 1).is_best);
  EXPECT_FALSE(rate(&rater, 2).is_best);
  EXPECT_FALSE(store_.has_best());
  EXPECT_EQ(store_.best()->generation, 4) << "none is noted";
  const bool third = rate(&rater, 3).is_best;
  EXPECT_TRUE(store_.has_best());
  EXPECT_EQ(store_.best()->generation == 3, third);
  const std::int64_t noted = store_.best()->generation;
  EXPECT_FALSE(rate(&rater, 4).is_best) << "two games tell little";
  EXPECT_EQ(store_.best()->generation, noted);
}

TEST_F(BestNetworkTest, EveryThirdMatchIsAgainstTheBest) {
  store_.set_best(1);
  Rater rater = this->rater();
  for (const int generation : {2, 3}) {
    EXPECT_FALSE(rater.next_opponent(generation).tower());
    rate(&rater, generation);
  }
  EXPECT_EQ(rater.next_opponent(4).generation(), 1);
  const NetworkRating rating = rate(&rater, 4);
  EXPECT_LE(rating.score.games, 8) << "four times the games of the others";
  EXPECT_FALSE(rater.next_opponent(4).tower());
}

// In a run of several games that one may have been rated in another.
TEST_F(BestNetworkTest, ANetworkIsNotTheBestWhereTheBestHasMetNobody) {
  store_.set_best(1);
  Rater first = this->rater(), resumed = this->rater();
  for (const int generation : {2, 3}) rate(&first, generation);
  EXPECT_FALSE(rate(&resumed, 4).is_best);
  EXPECT_EQ(store_.best()->generation, 1);
}

TEST_F(BestNetworkTest, ABestThatIsGoneIsTheLatest) {
  store_.set_best(2);
  EXPECT_EQ(store_.best()->generation, 2);
  EXPECT_EQ(models::parse_player("best", {.run = folder_})->generation(), 2);
  EXPECT_EQ(models::parse_player("latest", {.run = folder_})->generation(), 4);
  EXPECT_EQ(models::parse_player(folder_.string(), {})->generation(), 2);
  std::filesystem::remove(store_.path(2));
  EXPECT_EQ(store_.best()->generation, 4);
}

TEST_F(RaterTest, AGameWithoutASmallNetworkStaysAtTheLastRung) {
  setenv("MAKZERO_ZOO", "", 1);
  for (const std::string& rung : ladder()) beat(rung);
  EXPECT_EQ(rater().next_opponent(3).name(), ladder().back());
}

}  // namespace
}  // namespace makzero::train
