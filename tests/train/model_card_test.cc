// Model cards: what they state, that every lie is found, that matches go on; and those of the real zoo.
#include "train/zoo/model_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "game/catalog.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "nn/machine.h"
#include "nn/system.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "tests/support/tiny_network.h"
#include "tests/support/tiny_run.h"
#include "train/zoo/publish.h"

namespace makzero::train {
namespace {

using models::ModelCard;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const auto kGoOn = [](const Progress&) {};

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
    return {.opponents = {"random"}, .simulations = 1, .match = {.games = 2, .threads = 1}};
  }

  ModelCard published(const PublishOptions& options = brief()) const {
    EXPECT_TRUE(publish(network_, zoo_, options, kGoOn));
    return read_model_card(entry_.network());
  }

  // What check_zoo() says once the model card is changed.
  template <class Change>
  std::vector<std::string> lies(const Change& change) const {
    const models::Model truth = models::read_model(entry_.network());
    models::Model lie = truth;
    change(&*lie.card);
    models::write_model(entry_.network(), lie);
    std::vector<std::string> lines = check_zoo(zoo_);
    models::write_model(entry_.network(), truth);
    return lines;
  }

  const std::filesystem::path network_ = folder_ / "000001.mzc";
  const models::Zoo zoo_{folder_ / "zoo"};
  const models::ZooEntry entry_ = zoo_.entry("makyek");
};

TEST_F(ModelCardTest, StatesNetworkTrainingMatchesAndEightPositions) {
  const ModelCard card = published();
  EXPECT_EQ(card.model(), models::read_model(network_).id());
  EXPECT_EQ(card.tower().network(), card.model());
  EXPECT_EQ(card.tower().training().evaluations(), 1234567);
  EXPECT_EQ(card.tower().training().machine(), nn::machine_text());
  EXPECT_EQ(card.rules().validation_record(), models::rules_validation("makyek"));
  ASSERT_EQ(card.matches_size(), 1);
  EXPECT_EQ(card.matches(0).network(), card.model());
  EXPECT_EQ(card.matches(0).opponent(), "random");
  EXPECT_EQ(card.matches(0).strength(), "1");
  EXPECT_EQ(card.matches(0).games(), 2);
  ASSERT_EQ(card.positions_size(), 8);
  for (const models::TestPosition& position : card.positions()) {
    const models::TowerOutput& output = position.tower();
    EXPECT_NEAR(output.win() + output.draw() + output.loss(), 1, 1e-4);
    EXPECT_EQ(output.priors_size(), 4);
    EXPECT_GE(output.priors(0).share(), output.priors(1).share());
    EXPECT_FALSE(position.has_small_score());
  }
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
}

TEST_F(ModelCardTest, TheConfigurationRepeatsTheTrainingWithWhatItSpent) {
  published();
  const auto config = parse_config(models::read_text_file(entry_.config()), "it");
  ASSERT_TRUE(config) << config.why();
  EXPECT_EQ(config->evaluations(), 1234567);
  EXPECT_EQ(config->network().channels(), 8);
}

TEST_F(ModelCardTest, BaselineAndBookOfItsGameStay) {
  published();
  models::put_file(entry_.baseline(), "position\n");
  models::put_file(entry_.book(), "# a book\n");
  published();
  EXPECT_EQ(models::read_text_file(entry_.baseline()), "position\n");
  EXPECT_EQ(models::read_text_file(entry_.book()), "# a book\n");
}

TEST_F(ModelCardTest, EveryLieIsFound) {
  published();
  const std::vector<std::pair<const char*, void (*)(ModelCard*)>> table = {
      {"ruleset", [](ModelCard* card) { card->set_ruleset("rek"); }},
      {"model", [](ModelCard* card) { card->set_model("0"); }},
      {"rules.validation_record", [](ModelCard* card) { card->mutable_rules()->set_validation_record("0"); }},
      {"rules.signature", [](ModelCard* card) { card->mutable_rules()->set_signature("0"); }},
      {"tower.network", [](ModelCard* card) { card->mutable_tower()->set_network("0"); }},
      {"tower.blocks", [](ModelCard* card) { card->mutable_tower()->clear_blocks(); }},
      {"tower.training.games",
       [](ModelCard* card) { card->mutable_tower()->mutable_training()->set_games(9); }},
      {"tower.levels[0]", [](ModelCard* card) { card->mutable_tower()->add_levels(); }},
      {"small_networks[0]", [](ModelCard* card) { card->add_small_networks(); }},
      {"positions[3].tower.win",
       [](ModelCard* card) { card->mutable_positions(3)->mutable_tower()->set_win(2); }},
      {"positions[0].tower.moves_left",
       [](ModelCard* card) { card->mutable_positions(0)->mutable_tower()->set_moves_left(-5); }},
      {"positions[7].tower.priors",
       [](ModelCard* card) {
         card->mutable_positions(7)->mutable_tower()->mutable_priors(0)->set_move("a1a9");
       }},
      {"positions[2].small_score", [](ModelCard* card) { card->mutable_positions(2)->set_small_score(3); }},
      {"test position 8/8 w", [](ModelCard* card) { card->mutable_positions(7)->set_position("8/8 w"); }},
      {"7 test positions, published are 8", [](ModelCard* card) { card->mutable_positions()->RemoveLast(); }},
      {"matches[0].wins", [](ModelCard* card) { card->mutable_matches(0)->set_wins(17); }},
      {"matches[0].great_leads.led",
       [](ModelCard* card) { card->mutable_matches(0)->mutable_great_leads()->set_led(17); }},
      {"matches[0].by_pairs.low",
       [](ModelCard* card) { card->mutable_matches(0)->mutable_by_pairs()->set_low(17); }}};
  for (const auto& [what, change] : table)
    EXPECT_THAT(lies(change), Contains(AllOf(StartsWith("makyek: "), HasSubstr(what)))) << what;
  EXPECT_THAT(lies([](ModelCard* card) { card->mutable_positions(3)->mutable_tower()->set_draw(2); }),
              ElementsAre(StartsWith("makyek: modified: positions[3].tower.draw: 2 -> 0.")));
  EXPECT_THAT(lies([](ModelCard* card) { card->mutable_matches(0)->set_games(17); }),
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
  EXPECT_THAT(check_entry(entry_), ElementsAre(HasSubstr("has no model card: `makzero publish` makes one")));
  std::filesystem::remove(entry_.network());
  EXPECT_THAT(check_entry(entry_), ElementsAre(HasSubstr("network.mzc: cannot open")));
}

TEST_F(ModelCardTest, AStoppedMatchGoesOnToTheSameGames) {
  PublishOptions options = brief();
  options.match.games = 24;
  std::stop_source stop;
  options.match.stop = stop.get_token();
  EXPECT_FALSE(publish(network_, zoo_, options, [&](const Progress& now) {
    EXPECT_EQ(now.of, 24);
    if (now.done >= 21) stop.request_stop();
  }));
  options.match.stop = {};
  EXPECT_FALSE(std::filesystem::exists(entry_.folder)) << "nothing half done";
  int first = 1000;
  const ModelCard in_parts = [&] {
    EXPECT_TRUE(publish(network_, zoo_, options, [&](const Progress& now) {
      first = std::min(first, now.done);
      int wins = 0, draws = 0, losses = 0;
      const char* score = std::strchr(now.what.c_str(), '+');
      ASSERT_TRUE(score) << now.what;
      ASSERT_EQ(std::sscanf(score, "+%d =%d -%d", &wins, &draws, &losses), 3) << now.what;
      EXPECT_EQ(wins + draws + losses, now.done) << now.what << ": not of all games so far";
    }));
    return read_model_card(entry_.network());
  }();
  EXPECT_GE(first, 20) << "twenty games were on record";
  std::filesystem::remove_all(zoo_.folder());
  EXPECT_EQ(published(options).SerializeAsString(), in_parts.SerializeAsString());
}

TEST_F(ModelCardTest, GamesThatWereLostAreNotPlayedForEver) {
  PublishOptions options = brief();
  options.match.games = 24;
  published(options);
  const auto entry = *std::filesystem::directory_iterator(zoo_.folder() / "matches");
  models::FrameBuffer rest(models::FileKind::kMatches);
  int number = 0;
  models::recover_frames(entry.path(), models::FileKind::kMatches, [&](std::string_view frame) {
    if (++number != 5) rest.add(frame);
  });
  models::write_text_file(entry.path(), rest.bytes());
  std::filesystem::remove_all(entry_.folder);
  try {
    publish(network_, zoo_, options, kGoOn);
    FAIL() << "a game is missing";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(entry.path().string()), HasSubstr("lacks games")));
  }
}

TEST_F(ModelCardTest, FurtherMatchesJoinThoseOfTheSameNetworkAlone) {
  published();
  std::filesystem::remove_all(zoo_.folder() / "matches");
  PublishOptions other = brief();
  other.opponents = {"greedy"};
  ASSERT_TRUE(publish(entry_.network(), zoo_, other, kGoOn));
  const ModelCard both = read_model_card(entry_.network());
  ASSERT_EQ(both.matches_size(), 2);
  EXPECT_EQ(both.matches(0).opponent(), "random");
  EXPECT_EQ(both.matches(1).opponent(), "greedy");
  const std::string page = models::read_text_file(zoo_.folder() / "README.md");
  EXPECT_THAT(page,
              AllOf(HasSubstr("| makyek | random | 1 | 2 |"), HasSubstr("| makyek | greedy | 1 | 2 |")));

  write_network("makyek", 2);
  EXPECT_EQ(published().matches_size(), 1) << "another network";
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
  EXPECT_THAT(models::error_of([&] { publish(network_, zoo_, brief(), kGoOn); }),
              HasSubstr("have at most 3000000"));
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
  const models::MatchResult match = describe_match("0123", "random", "1", games);
  EXPECT_EQ(match.great_leads().led(), 2);
  EXPECT_EQ(match.great_leads().won(), 1);
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
  const models::MatchResult match = describe_match("0123", "material", "1", games);
  EXPECT_EQ(match.by_material().share(), 0.5);  // Each hunter takes something.
  EXPECT_EQ(match.by_pairs().share(), 0.5);
  games.resize(2);
  EXPECT_EQ(describe_match("0123", "material", "1", games).by_material().share(), 0.5);
  EXPECT_EQ(describe_match("0123", "material", "1", games).by_pairs().share(), 1);
}

class SmallCardTest : public models::FolderTest {
 protected:
  SmallCardTest() { models::write_model(file_, small(1)); }

  static models::Model small(std::uint64_t seed) {
    return models::make_model(testing::random_small_network((*game::make_game("rek"))->info(), seed));
  }

  static PublishOptions brief() {
    return {
        .opponents = {"random"}, .time = std::chrono::milliseconds(1), .match = {.games = 2, .threads = 1}};
  }

  const std::filesystem::path file_ = folder_ / "rek.mzc";
  const models::Zoo zoo_{folder_ / "zoo"};
  const models::ZooEntry entry_ = zoo_.entry("rek");
};

TEST_F(SmallCardTest, StatesNetworkMatchesAndScores) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  const ModelCard card = read_model_card(entry_.network());
  EXPECT_EQ(card.model(), models::id_of(models::read_manifest(file_)));
  EXPECT_FALSE(card.has_tower());
  EXPECT_EQ(card.small_networks(0).game(), "rek");
  ASSERT_EQ(card.matches_size(), 1);
  EXPECT_EQ(card.matches(0).strength(), "ms=1");
  ASSERT_EQ(card.positions_size(), 8);
  EXPECT_TRUE(card.positions(0).has_small_score());
  EXPECT_FALSE(card.positions(0).has_tower());
  EXPECT_FALSE(std::filesystem::exists(entry_.config()));
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
  EXPECT_THAT(models::read_text_file(zoo_.folder() / "README.md"), HasSubstr("| rek | random | ms=1 | 2 |"));
  EXPECT_EQ(zoo_.small_network_for("rek:no_progress=60"), entry_.network());
  EXPECT_THAT(models::error_of([&] { zoo_.small_network_for("makyek"); }),
              HasSubstr("no small network for 'makyek'"));
  EXPECT_FALSE(zoo_.find("rek")) << "no tower";
  EXPECT_EQ(zoo_.summary(), "the zoo is empty");
}

// A tower and a small network share the entry; each keeps its matches until another takes its place.
TEST_F(SmallCardTest, ATowerJoinsTheSmallNetworkOfItsGame) {
  nn::configure_process();
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  models::Model tower = models::tiny_network("rek", 1);
  tower.manifest.set_evaluations(1234567);
  tower.manifest.set_config(config_text(*override_config(*preset_config("quick", "rek"), tiny_run())));
  models::write_model(folder_ / "tower.mzc", tower);
  PublishOptions by_simulations = brief();
  by_simulations.time = std::nullopt;
  by_simulations.simulations = 1;
  ASSERT_TRUE(publish(folder_ / "tower.mzc", zoo_, by_simulations, kGoOn));
  const models::Model both = models::read_model(entry_.network());
  EXPECT_EQ(both.tower, tower.tower);
  EXPECT_EQ(both.small_networks, small(1).small_networks);
  ASSERT_EQ(both.card->matches_size(), 2);
  EXPECT_EQ(both.card->matches(0).network(), small(1).id());
  EXPECT_EQ(both.card->matches(1).network(), tower.id());
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
  EXPECT_EQ(zoo_.find("rek"), entry_.network());

  PublishOptions further = brief();
  further.opponents = {"greedy"};
  further.small = true;
  ASSERT_TRUE(publish(entry_.network(), zoo_, further, kGoOn));
  EXPECT_EQ(read_model_card(entry_.network()).matches(2).network(), small(1).id());
  models::write_model(file_, small(2));
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  const ModelCard card = read_model_card(entry_.network());
  ASSERT_EQ(card.matches_size(), 2) << "those of the former small network are gone";
  EXPECT_EQ(card.matches(0).network(), tower.id());
  EXPECT_EQ(card.matches(1).network(), small(2).id());
  EXPECT_THAT(check_zoo(zoo_), IsEmpty());
}

TEST_F(SmallCardTest, AMatchOfBeforeThePairsIsShown) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  models::Model model = models::read_model(entry_.network());
  model.card->mutable_matches(0)->clear_by_pairs();
  model.card->mutable_matches(0)->clear_great_leads();
  models::write_model(entry_.network(), model);
  EXPECT_THAT(zoo_page(zoo_), HasSubstr("| rek | random | ms=1 | 2 |"));
  EXPECT_THAT(zoo_page(zoo_), HasSubstr(") |  | "));
}

TEST_F(SmallCardTest, EveryLieIsFound) {
  ASSERT_TRUE(publish(file_, zoo_, brief(), kGoOn));
  const models::Model truth = models::read_model(entry_.network());
  const std::vector<std::pair<const char*, void (*)(ModelCard*)>> table = {
      {"small_networks[0].source", [](ModelCard* card) { card->mutable_small_networks(0)->set_source("0"); }},
      {"positions[3].small_score",
       [](ModelCard* card) { card->mutable_positions(3)->set_small_score(123456); }},
      {"matches[0].draws", [](ModelCard* card) { card->mutable_matches(0)->set_draws(17); }}};
  for (const auto& [what, change] : table) {
    models::Model lie = truth;
    change(&*lie.card);
    models::write_model(entry_.network(), lie);
    EXPECT_THAT(check_entry(entry_), ElementsAre(AllOf(StartsWith("rek: "), HasSubstr(what))));
  }
  models::put_file(entry_.network(), "x");
  EXPECT_THAT(check_entry(entry_), ElementsAre(HasSubstr("network.mzc: ")));
}

// The networks that come with the program: file, rules of today, outputs on this machine, the page.
TEST(RealZooTest, IsAsPublished) { EXPECT_THAT(check_zoo(models::Zoo(MAKZERO_ZOO_SOURCE)), IsEmpty()); }

}  // namespace
}  // namespace makzero::train
