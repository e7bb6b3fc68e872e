// Model cards: what they state, that every lie is found, that matches go on; and those of the real zoo.
#include "train/zoo/model_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/model.h"
#include "nn/machine.h"
#include "nn/runtime.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "tests/support/tiny_network.h"
#include "tests/support/tiny_run.h"
#include "train/zoo/publish.h"
#include "train/zoo/small_card.h"

namespace makzero::train {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const auto kGoOn = [](const PublishProgress&) { return true; };

class ModelCardTest : public models::FolderTest {
 protected:
  static void SetUpTestSuite() { nn::configure_process(); }

  ModelCardTest() { write_network("makyek", 1); }

  void write_network(const std::string& ruleset, std::uint64_t seed) const {
    models::Model checkpoint = models::tiny_network(ruleset, seed);
    models::Manifest& manifest = checkpoint.manifest;
    manifest.set_evaluations(1234567);
    manifest.set_games(99);
    manifest.set_seconds_trained(1200);
    const Config preset = *preset_config("quick", ruleset);
    manifest.set_config(config_text(*override_config(preset, tiny_run())));
    models::write_model(network_, checkpoint);
  }

  // Two games against random, at one simulation.
  static PublishOptions brief() {
    return {.opponents = {"random"}, .games = 2, .simulations = 1, .threads = 1};
  }

  ModelCard published(const PublishOptions& options = brief()) const {
    EXPECT_TRUE(publish(network_, zoo_, options, kGoOn));
    return read_model_card(entry_.model_card());
  }

  // What check_zoo() says once the model card has this value.
  std::vector<std::string> lies(const std::string& key, const ModelCard& value) const {
    const std::string truth = models::read_text_file(entry_.model_card());
    ModelCard lie = ModelCard::parse(truth);
    lie[ModelCard::json_pointer(key)] = value;
    models::write_text_file(entry_.model_card(), lie.dump(2) + "\n");
    std::vector<std::string> lines = check_zoo(zoo_);
    models::write_text_file(entry_.model_card(), truth);
    return lines;
  }

  const std::filesystem::path network_ = folder_ / "000001.mzc";
  const models::Zoo zoo_{folder_ / "zoo"};
  const models::ZooEntry entry_ = zoo_.entry("makyek");
};

TEST_F(ModelCardTest, StatesNetworkTrainingMatchesAndEightPositions) {
  const ModelCard card = published();
  EXPECT_EQ(card["network"], models::read_model(network_).id());
  EXPECT_EQ(card["training"]["evaluations"], 1234567);
  EXPECT_EQ(card["training"]["machine"], nn::machine_text());
  EXPECT_EQ(card["rules"]["validation_record"], models::rules_validation("makyek"));
  ASSERT_EQ(card["matches"].size(), 1u);
  EXPECT_EQ(card["matches"][0]["opponent"], "random");
  EXPECT_EQ(card["matches"][0]["strength"], "1");
  EXPECT_EQ(card["matches"][0]["games"], 2);
  ASSERT_EQ(card["positions"].size(), 8u);
  for (const ModelCard& position : card["positions"]) {
    EXPECT_NEAR(
        position["win"].get<double>() + position["draw"].get<double>() + position["loss"].get<double>(), 1,
        1e-4);
    EXPECT_EQ(position["best"], position["priors"].begin().key());
  }
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
}

TEST_F(ModelCardTest, MatchesOfTheNetworkAloneStandBesideThoseOfItsSearches) {
  models::Model checkpoint = models::read_model(network_);
  checkpoint.manifest.set_material_blend_weight(0.5f);
  models::write_model(network_, checkpoint);
  PublishOptions alone = brief();
  alone.alone = true;
  published();
  const ModelCard card = published(alone);
  ASSERT_EQ(card["matches"].size(), 2u);
  EXPECT_EQ(card["matches"][0]["strength"], "1+material=0.5");
  EXPECT_EQ(card["matches"][1]["strength"], "1");
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
}

TEST_F(ModelCardTest, TheConfigurationRepeatsTheTrainingWithWhatItSpent) {
  published();
  const auto config = parse_config(models::read_text_file(entry_.config()), "it");
  ASSERT_TRUE(config) << config.why();
  EXPECT_EQ(config->evaluations(), 1234567);
  EXPECT_EQ(config->network().channels(), 8);
}

TEST_F(ModelCardTest, EveryLieIsFound) {
  published();
  const std::vector<std::pair<const char*, ModelCard>> table = {{"/ruleset", "rek"},
                                                                {"/network", "0"},
                                                                {"/bytes", 3},
                                                                {"/sha256", "0"},
                                                                {"/rules/validation_record", "0"},
                                                                {"/rules/signature", "0"},
                                                                {"/training/games", 100},
                                                                {"/positions/3/win", 2},
                                                                {"/positions/0/moves_left", -5},
                                                                {"/positions/7/priors/@a1", 0.5},
                                                                {"/positions/7/position", "8/8 w"},
                                                                {"/blocks", nullptr},
                                                                {"/more", 1}};
  for (const auto& [key, value] : table)
    EXPECT_THAT(lies(key, value), Contains(StartsWith("makyek: "))) << key;
  EXPECT_THAT(lies("/positions/3/draw", 2),
              ElementsAre(AllOf(HasSubstr("draw is 0."), HasSubstr("published 2"))));
  for (const char* key : {"wins", "great_leads", "great_leads_won", "by_pairs_low"})
    EXPECT_THAT(lies(std::string("/matches/0/") + key, 17),
                ElementsAre(AllOf(StartsWith(std::string("makyek: 1 against random: ") + key + " is "),
                                  HasSubstr("published 17"))));
  EXPECT_THAT(lies("/matches/0/games", 17),
              ElementsAre(StartsWith("README.md is not what the model cards say")))
      << "of a former release, whose games are not on record";
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
}

TEST_F(ModelCardTest, FilesThatAreMissingOrNotItsOwnAreFound) {
  published();
  const std::string config = models::read_text_file(entry_.config());
  models::write_text_file(entry_.config(), "game: \"rek\"");
  EXPECT_THAT(check_zoo(zoo_), ElementsAre("makyek: config.textproto trains 'rek'",
                                           "makyek: config.textproto has no budget of evaluations"));
  models::write_text_file(entry_.config(), config);
  write_network("makyek", 2);
  std::filesystem::copy_file(network_, entry_.network(), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(check_entry(entry_), Contains(StartsWith("makyek: network is ")));
  std::filesystem::remove(entry_.model_card());
  EXPECT_THAT(check_entry(entry_), ElementsAre(HasSubstr("model_card.json: cannot open")));
}

TEST_F(ModelCardTest, AStoppedMatchGoesOnToTheSameGames) {
  PublishOptions options = brief();
  options.games = 24;
  std::stop_source stop;
  options.stop = stop.get_token();
  EXPECT_FALSE(publish(network_, zoo_, options, [&](const PublishProgress& now) {
    EXPECT_EQ(now.games, 24);
    if (now.played >= 21) stop.request_stop();
  }));
  options.stop = {};
  EXPECT_FALSE(std::filesystem::exists(entry_.folder)) << "nothing half done";
  int first = 1000;
  const ModelCard in_parts = [&] {
    EXPECT_TRUE(publish(network_, zoo_, options,
                        [&](const PublishProgress& now) { first = std::min(first, now.played); }));
    return read_model_card(entry_.model_card());
  }();
  EXPECT_GE(first, 20) << "twenty games were on record";
  std::filesystem::remove_all(zoo_.folder());
  EXPECT_EQ(published(options)["matches"], in_parts["matches"]);
}

TEST_F(ModelCardTest, FurtherMatchesJoinThoseOfTheSameNetworkAlone) {
  published();
  std::filesystem::remove_all(zoo_.folder() / "matches");
  PublishOptions other = brief();
  other.opponents = {"greedy"};
  ASSERT_TRUE(publish(entry_.network(), zoo_, other, kGoOn));
  const ModelCard both = read_model_card(entry_.model_card());
  ASSERT_EQ(both["matches"].size(), 2u);
  EXPECT_EQ(both["matches"][0]["opponent"], "random");
  EXPECT_EQ(both["matches"][1]["opponent"], "greedy");
  const std::string page = models::read_text_file(zoo_.folder() / "README.md");
  EXPECT_THAT(page,
              AllOf(HasSubstr("| makyek | random | 1 | 2 |"), HasSubstr("| makyek | greedy | 1 | 2 |")));

  write_network("makyek", 2);
  EXPECT_EQ(published()["matches"].size(), 1u) << "another network";
}

TEST_F(ModelCardTest, WhatTheZooDoesNotTakeIsRefusedBeforeAnyGame) {
  const auto refusal = [&](const PublishOptions& options = brief()) {
    return models::error_of([&] {
      publish(network_, zoo_, options, [](const auto&) {
        ADD_FAILURE();
        return false;
      });
    });
  };
  PublishOptions unknown = brief();
  unknown.opponents = {"random", "alphabta:3"};
  EXPECT_THAT(refusal(unknown), HasSubstr("did you mean 'alphabeta'?"));
  write_network("makyek-line", 1);
  EXPECT_THAT(refusal(), HasSubstr("the zoo has networks for the default rulesets: 'makyek'"));
  models::put_file(network_, "x");
  EXPECT_THAT(refusal(), HasSubstr("000001.mzc: "));
}

TEST_F(ModelCardTest, ANetworkIsAtMostThreeMegabytes) {
  const game::GamePtr game = *game::make_game("makyek");
  const nn::NetworkArchitecture shape{
      .planes = nn::default_planes(game->info()), .blocks = 10, .channels = 96};
  models::write_model(network_, models::make_model(*game, nn::Learner(shape, {}, 1).network()));
  EXPECT_THAT(models::error_of([&] { describe_network(network_, ""); }), HasSubstr("have at most 3000000"));
}

TEST_F(ModelCardTest, ANetworkOfSeveralGamesIsNotRepeatedForOne) {
  models::Model checkpoint = models::read_model(network_);
  Config config = *parse_config(checkpoint.manifest.config(), "it");
  config.set_game("makyek,rek");
  checkpoint.manifest.set_config(config_text(config));
  models::write_model(network_, checkpoint);
  EXPECT_THAT(models::error_of([&] { publish(network_, zoo_, brief(), kGoOn); }),
              HasSubstr("was trained beside other games (makyek,rek)"));
}

TEST_F(ModelCardTest, AnotherPageIsNotReplaced) {
  std::filesystem::create_directories(zoo_.folder());
  models::put_file(zoo_.folder() / "README.md", "# Animals\n");
  EXPECT_THAT(models::error_of([&] { publish(network_, zoo_, brief(), kGoOn); }),
              HasSubstr("is another page"));
}

TEST(DescribeMatchTest, CountsTheLeadsOfFourMenAndThoseThatWereWon) {
  std::vector<MatchRecord> games(4);
  games[0].set_a_is_white(true);
  games[0].set_white_lead(500);
  games[1].set_white_lead(900);
  games[1].set_black_lead(400);
  games[2].set_a_is_white(true);
  games[2].set_white_lead(399);
  games[3].set_white_lead(700);
  for (MatchRecord& game : games) game.set_result(static_cast<unsigned>(game::Result::kWhiteWins));
  const ModelCard match = describe_match("random", "1", games);
  EXPECT_EQ(match["great_leads"], 2);
  EXPECT_EQ(match["great_leads_won"], 1);
}

TEST(DescribeMatchTest, GivesThePairToWhoHasTakenMoreInBothItsGames) {
  std::vector<MatchRecord> games(4);  // The hunt: Black alone can take.
  games[0].set_a_is_white(true);
  games[0].set_final_material(-100);
  games[1].set_final_material(-900);
  games[2].set_a_is_white(true);
  games[2].set_final_material(-800);
  games[3].set_final_material(-700);
  for (MatchRecord& game : games) game.set_result(static_cast<unsigned>(game::Result::kDraw));
  const ModelCard match = describe_match("material", "1", games);
  EXPECT_EQ(match["by_material"], 0.5);  // Each hunter takes something.
  EXPECT_EQ(match["by_pairs"], 0.5);
  games.resize(2);
  EXPECT_EQ(describe_match("material", "1", games)["by_material"], 0.5);
  EXPECT_EQ(describe_match("material", "1", games)["by_pairs"], 1);
}

class SmallCardTest : public models::FolderTest {
 protected:
  SmallCardTest() {
    models::write_model(
        file_, models::make_model(testing::random_small_network((*game::make_game("rek"))->info(), 1)));
  }

  static PublishOptions brief() {
    return {.opponents = {"random"}, .games = 2, .time = std::chrono::milliseconds(1), .threads = 1};
  }

  const std::filesystem::path file_ = folder_ / "rek.mzs";
  const models::Zoo zoo_{folder_ / "zoo"};
  const models::SmallEntry entry_ = zoo_.small_entry("rek");
};

TEST_F(SmallCardTest, StatesNetworkMatchesAndScores) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  const ModelCard card = read_model_card(entry_.model_card());
  EXPECT_EQ(card["network"], models::id_of(models::read_manifest(file_)));
  ASSERT_EQ(card["matches"].size(), 1u);
  EXPECT_EQ(card["matches"][0]["strength"], "ms=1");
  EXPECT_EQ(card["scores"].size(), 8u);
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
  EXPECT_THAT(models::read_text_file(zoo_.folder() / "README.md"), HasSubstr("| rek | random | ms=1 | 2 |"));
  EXPECT_EQ(zoo_.small_network_for("rek:no_progress=60"), entry_.network());
  EXPECT_THAT(models::error_of([&] { zoo_.small_network_for("makyek"); }), HasSubstr("makzero distill"));
}

TEST_F(SmallCardTest, AMatchWithoutAScoreIsRefusedAndOneOfBeforeThePairsIsNot) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  ModelCard card = read_model_card(entry_.model_card());
  card["matches"][0].erase("by_pairs");
  models::put_file(entry_.model_card(), card.dump());
  EXPECT_THAT(zoo_page(zoo_), HasSubstr("| rek | random | ms=1 | 2 |"));
  card["matches"][0].erase("by_material");
  models::put_file(entry_.model_card(), card.dump());
  EXPECT_THAT(models::error_of([&] { zoo_page(zoo_); }), HasSubstr("is not complete"));
}

TEST_F(SmallCardTest, EveryLieIsFound) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  const std::string truth = models::read_text_file(entry_.model_card());
  const std::vector<std::pair<const char*, ModelCard>> table = {
      {"/ruleset", "makyek"},      {"/network", "0"},        {"/bytes", 3}, {"/rules/signature", "0"},
      {"/scores/3/score", 123456}, {"/matches/0/draws", 17}, {"/more", 1}};
  for (const auto& [key, value] : table) {
    ModelCard lie = ModelCard::parse(truth);
    lie[ModelCard::json_pointer(key)] = value;
    models::write_text_file(entry_.model_card(), lie.dump());
    EXPECT_THAT(check_small_entry(entry_), ElementsAre(StartsWith("small rek: "))) << key;
  }
  models::put_file(entry_.network(), "x");
  EXPECT_THAT(check_small_entry(entry_), ElementsAre(HasSubstr("rek.mzs: ")));
}

// The networks that come with the program: file, rules of today, outputs on this machine, the page.
TEST(RealZooTest, IsAsPublished) { EXPECT_THAT(check_zoo(models::Zoo(MAKZERO_ZOO_SOURCE)), IsEmpty()); }

}  // namespace
}  // namespace makzero::train
