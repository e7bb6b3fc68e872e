// Presets, text files and flags: what is merged, and what each mistake is answered with.
#include "train/config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <utility>

#include "game/catalog.h"
#include "models/framed_file.h"
#include "nn/heads.h"
#include "tests/support/file_tools.h"
#include "train/settings.h"

namespace makzero::train {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Config quick(const std::string& ruleset = "makyek") { return *preset_config("quick", ruleset); }

TEST(ConfigTest, EveryPresetOfEveryGameIsInRange) {
  for (const char* preset : {"quick", "cpu", "gpu", "gpu-small", "gpu-large", "gpu-largest", "zero"}) {
    for (const std::string& ruleset : game::ruleset_names()) {
      const auto config = preset_config(preset, ruleset);
      ASSERT_TRUE(config) << config.why();
      EXPECT_TRUE(override_config(*config, {})) << override_config(*config, {}).why();
    }
  }
}

TEST(ConfigTest, APresetOfAFamilyHoldsForAllItsGames) {
  for (const char* game : {"makyek-line:custodian=single", "apit", "rek", "minrekchanh", "gala"})
    EXPECT_EQ(quick(game).learning().adjudicated_lead(), 3) << game;
  for (const char* game : {"makruk", "ok", "kaok", "low1839"})
    EXPECT_EQ(quick(game).learning().adjudicated_lead(), 6) << game;
  EXPECT_FLOAT_EQ(quick("hunt").opening().reduced_material_share(), 0.3f);
  EXPECT_EQ(preset_config("cpu", "makruk")->opening().odds_pieces(), 30);
  EXPECT_EQ(preset_config("gpu", "makruk")->opening().random_plies(), 8);
  EXPECT_FLOAT_EQ(preset_config("gpu", "makruk")->opening().fork_share(), 0.05f);
  EXPECT_EQ(quick("makruk").opening().policy_share(), 0);
  EXPECT_TRUE(quick("rek").self_play().adjudicate_by_material());
  EXPECT_FALSE(preset_config("zero", "rek")->self_play().adjudicate_by_material())
      << "merged over the family";
  EXPECT_THAT(preset_config("quick", "makyeknot").why(), HasSubstr("did you mean 'makyek'?"));
}

TEST(ConfigTest, AnUnknownPresetIsAnsweredWithTheNearest) {
  EXPECT_THAT(preset_config("quik", "makyek").why(), HasSubstr("did you mean 'quick'?"));
}

TEST(ConfigTest, AnUnknownKeyOfATextHasLineColumnAndSuggestion) {
  const auto config = parse_config("seed: 1\nself_play {\n  simulatons: 32\n}\n", "my.textproto");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.why(), HasSubstr("my.textproto:3:"));
  EXPECT_THAT(config.why(), HasSubstr("unknown key 'simulatons' (did you mean 'simulations'?)"));
}

TEST(ConfigTest, FormerNamesOfKeysAreReadAndWhatWasRemovedIsSkipped) {
  const auto config = parse_config(
      "game: \"makyek:first_moves=\\\"root\\\"\"  # ply_cap: 1\nsearch { root: PUCT exploration: 2 "
      "forced_playouts: 3 }\n"
      "self_play { ply_cap: 77 first_evaluator: MATERIAL resign_value: 0.5 }\nlearning { samples_per_row: 5 "
      "reanalysed_share: 1 reanalyze_fraction: 1 }\n",
      "old.textproto");
  ASSERT_TRUE(config) << config.why();
  EXPECT_EQ(config->game(), "makyek:first_moves=\"root\"");
  EXPECT_EQ(config->search().algorithm(), SearchConfig::PUCT);
  EXPECT_EQ(config->search().cpuct(), 2);
  EXPECT_EQ(config->self_play().max_game_length(), 77);
  EXPECT_EQ(config->self_play().bootstrap_evaluator(), SelfPlayConfig::MATERIAL);
  EXPECT_EQ(config->learning().replay_ratio(), 5);
}

// What the program does without them, and another value.
struct DeletedKey {
  const char *section, *name, *constant, *other;
};

constexpr DeletedKey kDeletedKeys[] = {
    {"self_play", "playout_cap_full_share", "1", "0.25"},
    {"self_play", "playout_cap_fast_simulations", "8", "4"},
    {"search", "reuse_tree", "true", "false"},
    {"self_play", "stagger_game_lengths", "true", "false"},
    {"self_play", "shortest_length_share", "0.4", "0.5"},
    {"self_play", "material_blend_generations", "4", "2"},
    {"self_play", "material_blend_weight", "0", "0.5"},
    {"replay", "window_exponent", "0.65", "1"},
    {"learning", "final_learning_rate", "0.1", "0"},
    {"learning", "time_decay_begin", "0.5", "1"},
    {"learning", "gradient_clip", "1", "10"},
    {"learning", "short_term_horizon", "8", "4"},
    {"learning", "policy_weight", "1", "2"},
    {"learning", "value_weight", "1", "0.5"},
    {"rating", "earlier_generations", "10", "5"},
    {"leaf_log", "on", "false", "true"},
};

TEST(ConfigTest, ADeletedKeyIsSkippedAndNamedOnceWhereItWasUsed) {
  for (const auto& [section, name, constant, other] : kDeletedKeys) {
    const std::string key = fmt::format("{}.{}", section, name);
    std::vector<std::string> unused;
    EXPECT_TRUE(parse_config(fmt::format("{} {{ {}: {} }}\n", section, name, constant), "old", &unused))
        << key;
    EXPECT_THAT(unused, testing::IsEmpty()) << key;
    EXPECT_TRUE(parse_config(fmt::format("{} {{\n  {}: {}\n}}\n", section, name, other), "old", &unused))
        << key;
    EXPECT_THAT(unused, ElementsAre(fmt::format("old: {} = {} has no effect any more: the key was deleted",
                                                key, other)));
    EXPECT_FALSE(parse_config(fmt::format("{}: {}\n", name, other), "old")) << key << " outside its section";
    EXPECT_THAT(override_config(quick(), {{key, other}}).why(), HasSubstr("unknown key '" + key + "'"));
  }
}

TEST(ConfigTest, ADeletedKeyIsFoundByItsFormerNameAndNotInQuotesOrComments) {
  std::vector<std::string> unused;
  ASSERT_TRUE(
      parse_config("from: \"playout_cap_full_share: 0.5\"  # playout_cap_full_share: 0.5\n"
                   "self_play { full_search_share: 0.5 }",
                   "old", &unused));
  EXPECT_THAT(unused, ElementsAre(HasSubstr("self_play.playout_cap_full_share = 0.5")));
}

TEST(ConfigTest, EveryConfigurationOfTheZooLoadsAndUsesNoDeletedKey) {
  int configurations = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MAKZERO_TEST_DATA "/../../models/zoo")) {
    const std::filesystem::path file = entry.path() / "config.textproto";
    if (!std::filesystem::exists(file)) continue;
    std::vector<std::string> unused;
    EXPECT_TRUE(override_config(read_config(file, &unused), {})) << file;
    EXPECT_THAT(unused, testing::IsEmpty()) << file;
    ++configurations;
  }
  EXPECT_GT(configurations, 1);
}

TEST(ConfigTest, EveryKeyThatHadAnotherNameIsFoundByIt) {
  EXPECT_EQ(present_key("self_play.ply_cap"), "self_play.max_game_length");
  EXPECT_EQ(present_key("seed"), "seed");
  // Every key of a stored configuration, as the networks of the zoo have it, is known.
  const auto stored = parse_config(
      models::read_text_file(MAKZERO_TEST_DATA "/runs/makyek-2026-10/config.textproto"), "stored");
  ASSERT_TRUE(stored) << stored.why();
  EXPECT_EQ(stored->self_play().max_game_length(), 60);
  EXPECT_EQ(stored->learning().q_ratio(), 0.5f);
}

class ConfigFileTest : public models::FolderTest {};

TEST_F(ConfigFileTest, IsReadWhateverProgramWroteIt) {
  const std::filesystem::path file = folder_ / "config.textproto";
  models::put_file(file, "\xEF\xBB\xBFgame: \"rek\"\r\nseed: 3\r\n");
  EXPECT_EQ(read_config(file).game(), "rek");
  EXPECT_EQ(read_config(file).seed(), 3);
}

TEST_F(ConfigFileTest, ADamagedOneIsNamedWithTheRepairAndAnEmptyOneIsDamaged) {
  const std::filesystem::path file = folder_ / "config.textproto";
  const std::string repair = "; `makzero fsck --repair` on the run takes it from a checkpoint";
  models::put_file(file, "");
  EXPECT_EQ(models::error_of([&] { read_config(file); }), file.string() + ": is empty" + repair);
  models::put_file(file, "not a proto {");
  EXPECT_THAT(models::error_of([&] { read_config(file); }),
              AllOf(StartsWith(file.string() + ":1:"), EndsWith(repair)));
}

TEST(ConfigTest, AWrongValueOfATextHasLineAndColumn) {
  EXPECT_THAT(parse_config("seed: 1\nthreads: \"two\"\n", "my.textproto").why(),
              HasSubstr("my.textproto:2:"));
}

TEST(ConfigTest, FlagsSetNestedKeys) {
  const auto config = override_config(quick(), {{"self_play.simulations", "32"},
                                                {"search.algorithm", "PUCT"},
                                                {"device", "cuda:1"},
                                                {"precision", "bf16"}});
  ASSERT_TRUE(config) << config.why();
  EXPECT_EQ(config->self_play().simulations(), 32);
  EXPECT_EQ(config->search().algorithm(), SearchConfig::PUCT);
  EXPECT_EQ(backend_of(*config, config->device()).device, "cuda:1");
  EXPECT_EQ(backend_of(*config, config->device()).precision, nn::Precision::kBf16);
}

TEST(ConfigTest, EveryMistakeInFlagsIsNamed) {
  const auto config = override_config(quick(), {{"self_play.simulation", "32"},
                                                {"threads", "two"},
                                                {"search.algorithm", "UCT"},
                                                {"learning.batch", "0"},
                                                {"precision", "half"}});
  ASSERT_FALSE(config);
  EXPECT_THAT(config.why(), HasSubstr("did you mean 'self_play.simulations'?"));
  EXPECT_THAT(config.why(), HasSubstr("precision is 'half': give auto, fp32, bf16 or fp16"));
  EXPECT_THAT(config.why(), HasSubstr("--threads=two is not a value of type int32"));
  EXPECT_THAT(config.why(), HasSubstr("--search.algorithm=UCT is not one of GUMBEL, PUCT"));
  EXPECT_THAT(config.why(), HasSubstr("learning.batch = 0 is out of range: 1 to"));
}

TEST(ConfigTest, EveryKeyHasAMeaningAndEveryNumberARangeThatHoldsItsDefault) {
  const std::set<std::string> any = {"game", "preset",           "seed", "device", "precision",
                                     "from", "learning.schedule"};
  for (const SettingRow& row : setting_rows()) {
    EXPECT_THAT(row.meaning, testing::EndsWith(".")) << row.key;
    EXPECT_EQ(row.values.empty(), any.contains(row.key)) << row.key;
  }
  EXPECT_TRUE(override_config({}, {})) << override_config({}, {}).why();
}

TEST(ConfigTest, WhatIsNotSetIsAsTheOptionsOfTheLowerLayersHaveIt) {
  Config config = *override_config({}, {});
  mcts::SearchOptions search;
  read_settings(config.search(), kSearchSettings, &search);
  read_settings(config.search(), mcts::kSearchConstants, &search);
  EXPECT_EQ(search.c_visit, mcts::SearchOptions().c_visit);
  EXPECT_EQ(search.dirichlet_alpha, 0.2f) << "self-play has noise, other searches have none";
  config.mutable_learning()->Clear();
  nn::LearnerOptions learner;
  learner.weight_decay = 0.5f;
  read_settings(config.learning(), kLearnerSettings, &learner);
  EXPECT_EQ(learner.weight_decay, 0.5f) << "what is not said is left as it is";
}

// A setting with two defaults would have two truths.
TEST(ConfigTest, ASettingOfTheLowerLayersHasNoDefaultInTheSchema) {
  const auto expect_none = [](const google::protobuf::Message& section, const auto& settings) {
    for (const auto& setting : settings) {
      const std::string name = setting.name;
      const auto* field = section.GetDescriptor()->FindFieldByName(name);
      ASSERT_EQ(field == nullptr, name == "cpuct_base") << name;
      EXPECT_EQ(field && field->has_default_value(), name == "dirichlet_alpha") << name;
    }
  };
  expect_none(NetworkConfig(), kNetworkSettings);
  expect_none(SearchConfig(), kSearchSettings);
  expect_none(SearchConfig(), mcts::kSearchConstants);
  expect_none(LearningConfig(), kLearnerSettings);
  for (const nn::HeadInfo& head : nn::kHeads) {
    if (head.weight == 1) continue;  // Policy and value have no key.
    const std::string key = std::string(head.name) + "_weight";
    EXPECT_FALSE(LearningConfig::descriptor()->FindFieldByName(key)->has_default_value()) << key;
    EXPECT_EQ(config_value(*override_config({}, {}), "learning." + key), fmt::format("{}", head.weight));
  }
}

TEST(ConfigTest, EveryFaultOfAScheduleIsNamed) {
  const auto config = override_config(
      quick(), {{"learning.schedule", "0:0.5,2M:0.5,1M:0.1,2M,3Q:0.1,1.5:0.1,4M:0,5M:1.5,6M:nan,7M:0.1x,"}});
  ASSERT_FALSE(config);
  const auto fault = [](const std::string& step, const std::string& why) {
    return HasSubstr(fmt::format("learning.schedule, step '{}': {}", step, why));
  };
  const std::string rows = "the rows are no whole number", factor = "the factor of the peak must lie above 0";
  EXPECT_THAT(config.reasons(),
              ElementsAre(fault("0:0.5", rows), fault("1M:0.1", "its rows are not above"),
                          fault("2M", "give ROWS:FACTOR"), fault("3Q:0.1", rows), fault("1.5:0.1", rows),
                          fault("4M:0", factor), fault("5M:1.5", factor), fault("6M:nan", factor),
                          fault("7M:0.1x", factor), fault("", "give ROWS:FACTOR")));
}

TEST(RateScheduleTest, IsConstantBetweenItsSteps) {
  const auto schedule = RateSchedule::parse("500:1,20k:0.3,1.5M:0.1,2G:0.01");
  ASSERT_TRUE(schedule) << schedule.why();
  const std::pair<std::int64_t, float> factors[] = {{0, 1},
                                                    {500, 1},
                                                    {19'999, 1},
                                                    {20'000, 0.3f},
                                                    {1'499'999, 0.3f},
                                                    {1'500'000, 0.1f},
                                                    {1'999'999'999, 0.1f},
                                                    {2'000'000'000, 0.01f},
                                                    {1'000'000'000'000, 0.01f}};
  for (const auto& [rows, factor] : factors) EXPECT_FLOAT_EQ(schedule->factor(rows), factor) << rows;
  EXPECT_FALSE(schedule->empty());
  EXPECT_TRUE(RateSchedule::parse("")->empty());
  EXPECT_EQ(RateSchedule::parse("")->factor(5), 1);
}

TEST(ConfigTest, ASectionIsNotAKey) {
  EXPECT_FALSE(override_config(quick(), {{"self_play", "32"}}));
  EXPECT_FALSE(override_config(quick(), {{"seed.x", "32"}}));
}

TEST(ConfigTest, TheResolvedTextNamesEveryKeyAndReadsBack) {
  const Config config = *override_config(quick(), {{"seed", "77"}});
  const std::string text = config_text(config);
  for (const std::string& key : config_keys())
    EXPECT_THAT(text, HasSubstr(key.substr(key.find('.') + 1) + ": ")) << key;
  EXPECT_EQ(config_text(*parse_config(text, "text")), text);
}

TEST(ConfigTest, TheGameOfARunCannotChangeAndItsNetworkOnlyGrow) {
  const Config wanted = *override_config(
      quick(), {{"network.blocks", "3"}, {"network.channels", "64"}, {"game", "makruk"}, {"seed", "5"}});
  const std::vector<std::string> reasons = incompatible_changes(quick(), wanted);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_THAT(reasons, Contains(HasSubstr("network.blocks is 4 in this run and cannot become 3")));
  EXPECT_THAT(reasons, Contains(HasSubstr("--run")));
}

TEST(ConfigTest, WhereARunBeganAndWhichNetworksItHasCannotChange) {
  const auto reasons_of = [](const char* before, const char* after, const char* from) {
    return incompatible_changes(
        *override_config(quick(), {{"self_play.small_share", before}}),
        *override_config(quick(), {{"self_play.small_share", after}, {"from", from}}));
  };
  EXPECT_THAT(reasons_of("0", "0.5", ""), testing::IsEmpty());
  EXPECT_THAT(reasons_of("0.5", "0.5", "a.mzc"), ElementsAre(HasSubstr("from is \"\" in this run")));
  EXPECT_THAT(reasons_of("0.5", "0", ""), ElementsAre(HasSubstr("self_play.small_share is 0.5 in this run")));
  EXPECT_THAT(reasons_of("1", "0.5", ""), ElementsAre(HasSubstr("self_play.small_share is 1 in this run")));
  EXPECT_THAT(reasons_of("0.5", "1", ""), ElementsAre(HasSubstr("self_play.small_share is 0.5 in this run")));
}

TEST(ConfigTest, TheCommandOfAConfigurationNamesWhatDiffersFromItsPreset) {
  Config config = *preset_config("gpu", "makruk");
  config.set_game("makruk");
  EXPECT_EQ(command_of(config), "makzero train makruk --preset gpu");
  config.mutable_network()->set_blocks(6);
  config.set_device("cuda:1");
  EXPECT_EQ(command_of(config), "makzero train makruk --preset gpu --device=\"cuda:1\" --network.blocks=6");
}

TEST(ConfigTest, ChangesAreListed) {
  EXPECT_THAT(config_changes(quick(), *override_config(quick(), {{"seed", "5"}})),
              ElementsAre("seed: 1 -> 5"));
}

}  // namespace
}  // namespace makzero::train
