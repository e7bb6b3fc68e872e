// Sampled rulesets: how often each kind comes, what never comes, and what stays held out.
#include "train/self_play/ruleset_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "game/catalog.h"
#include "game/history.h"
#include "game/rule_features.h"

namespace makzero::train {
namespace {

using testing::IsEmpty;

// Rulesets that stay held out, of five custodial games and five chess games: those to measure a network on.
const std::vector<std::string> kHeldOut = {
    "makyek:custodian=line,jump=on",
    "rek:surround=off,cap_result=material",
    "minrekchanh:obligation=none,king=step",
    "gala:move=step,limit_result=material",
    "hunt:chain=on,flying=on,limit_result=hunter_wins",
    "makruk:count.mode=manual,count.snn=44",
    "makruk-sutra:count.mode=manual,sut_ma=off,sut_khun_in_check=on",
    "ok:count.keep_shorter=on,ok.met_leap_captures=on,ok.rook_aim=on",
    "kaok:count.mode=manual,ok.king_leap=any,ok.rook_aim=on",
    "low1839:low.khon=first,low.promotion=8",
};

std::vector<std::string> all_games() {
  std::vector<std::string> games = game::family_games("custodial");
  const std::vector<std::string> chess = game::family_games("chess");
  games.insert(games.end(), chess.begin(), chess.end());
  return games;
}

// How often each ruleset comes in so many draws.
std::map<std::string, int> sampled(const std::string& game, int draws) {
  mcts::Rng rng(11);
  std::map<std::string, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[sample_ruleset(game, &rng)];
  return counts;
}

bool is_named(const std::string& ruleset) {
  const std::vector<std::string>& names = game::ruleset_names();
  return std::find(names.begin(), names.end(), ruleset) != names.end();
}

// Whether a random game runs to its end; a count may decide it behind its limit of plies.
bool plays(const game::Game& game, mcts::Rng* rng) {
  game::Position position = game.initial();
  game::History history(position);
  game::MoveList legal;
  for (int ply = 0; ply <= game.info().max_plies + 150; ++ply) {
    game.legal_moves(position, &legal);
    if (game.outcome(position, !legal.empty(), history.occurrences()).over()) return true;
    if (legal.empty()) return false;
    game.apply(legal[rng->below(legal.size())], &position);
    history.push(position);
  }
  return false;
}

class RulesetSamplerTest : public testing::TestWithParam<std::string> {};

TEST_P(RulesetSamplerTest, GivesPlayableRulesetsThatAreNotHeldOut) {
  constexpr int kDraws = 20'000;
  const std::set<std::string> fixed(kHeldOut.begin(), kHeldOut.end());
  mcts::Rng rng(3);
  const game::Bitboard board = (*game::make_game(GetParam()))->info().board();
  std::vector<std::string> wrong;
  int games = 0;
  for (const auto& [ruleset, count] : sampled(GetParam(), kDraws)) {
    const game::GamePtr made = *game::make_game(ruleset);
    const game::GameInfo& info = made->info();
    const bool good = info.ruleset == ruleset && game::game_of(ruleset) == GetParam() && !held_out(ruleset) &&
                      !fixed.contains(ruleset) && info.board() == board &&
                      info.repetition + info.no_progress > 0 && info.repetition != 1 && info.max_plies > 0;
    if (!good || (++games % 100 == 0 && !plays(*made, &rng))) wrong.push_back(ruleset);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST_P(RulesetSamplerTest, GivesTheDefaultHalfTheTimeAndAllNamedOnes) {
  constexpr int kDraws = 8'000;
  const std::vector<std::string> named = game::rulesets_of(GetParam());
  std::map<std::string, int> counts = sampled(GetParam(), kDraws);
  int others = 0;
  for (const std::string& name : named) {
    EXPECT_GT(counts[name], 0) << name;
    if (name != named.front()) others += counts[name];
  }
  const bool alone = named.size() == 1;
  EXPECT_NEAR(static_cast<double>(counts[named.front()]) / kDraws, alone ? 0.75 : 0.5, 0.02);
  EXPECT_NEAR(static_cast<double>(others) / kDraws, alone ? 0 : 0.25, 0.02);
}

TEST_P(RulesetSamplerTest, ChangesEveryOption) {
  std::set<std::string> unchanged;
  const game::GamePtr standard = *game::make_game(GetParam());
  for (const game::OptionInfo& option : standard->info().options) unchanged.insert(option.name);
  for (const auto& [ruleset, count] : sampled(GetParam(), 8'000)) {
    const game::GamePtr made = *game::make_game(ruleset);
    for (size_t i = 0; i < made->info().options.size(); ++i) {
      if (made->info().options[i].value != standard->info().options[i].value)
        unchanged.erase(made->info().options[i].name);
    }
  }
  // Nothing but repetition draws games of the chess family for lack of progress, so it stays on.
  if (standard->info().no_progress == 0) unchanged.erase("repetition");
  EXPECT_THAT(unchanged, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Games, RulesetSamplerTest, testing::ValuesIn(all_games()), [](const auto& game) {
  std::string name = game.param;
  std::erase(name, '-');
  return name;
});

TEST(SampledRulesetsTest, HaveCaptures) {
  for (const std::string game : {"makyek", "apit"}) {
    int with_one_kind = 0;
    for (const auto& [ruleset, count] : sampled(game, 20'000)) {
      const game::GamePtr made = *game::make_game(ruleset);
      const bool no_custodian = game::rule_feature(made->info(), "custodian=none") > 0;
      const bool no_intervention = game::rule_feature(made->info(), "intervention=none") > 0;
      EXPECT_FALSE(no_custodian && no_intervention) << ruleset;
      with_one_kind += no_custodian || no_intervention;
    }
    EXPECT_GT(with_one_kind, 100);
  }
}

TEST(SampledRulesetsTest, KeepTheirNumbersWithinTheUsualRange) {
  std::set<int> repetitions;
  int least = 10'000, greatest = 0, below_63 = 0, rulesets = 0;  // 63: half of them, log-uniformly.
  for (const auto& [ruleset, count] : sampled("makyek", 20'000)) {
    const game::GamePtr made = *game::make_game(ruleset);
    const game::GameInfo& info = made->info();
    repetitions.insert(info.repetition);
    EXPECT_TRUE(info.max_plies >= 200 && info.max_plies <= 800) << ruleset;
    if (info.no_progress == 100) continue;
    ++rulesets;
    least = std::min(least, info.no_progress);
    greatest = std::max(greatest, info.no_progress);
    below_63 += info.no_progress < 63;
  }
  EXPECT_THAT(repetitions, testing::ElementsAre(2, 3, 4, 5));
  EXPECT_TRUE(least >= 20 && least < 24) << least;
  EXPECT_TRUE(greatest <= 200 && greatest > 180) << greatest;
  EXPECT_NEAR(below_63, rulesets / 2, rulesets / 10);
}

TEST(SampledRulesetsTest, AreTheSameForTheSameSeed) { EXPECT_EQ(sampled("gala", 500), sampled("gala", 500)); }

TEST(HeldOutTest, NoNamedRulesetIs) {
  for (const std::string& name : game::ruleset_names()) EXPECT_FALSE(held_out(name)) << name;
}

// A held-out ruleset stays out under other limits, from another start, and however it is written.
TEST(HeldOutTest, RulesDecideAndNotTheText) {
  for (const char* ruleset : {"makyek:custodian=line,jump=on", "makyek-jump:custodian=line",
                              "makyek-line:setup=rows12,jump=on,repetition=5,no_progress=29,max_plies=300"}) {
    EXPECT_TRUE(held_out(ruleset)) << ruleset;
  }
  EXPECT_FALSE(held_out("makyek:jump=on"));
  EXPECT_FALSE(held_out("makyek:no_progress=29,max_plies=300"));
}

TEST(HeldOutTest, TenRulesetsAreFixed) {
  std::map<std::string, std::set<std::string_view>> games;
  mcts::Rng rng(5);
  for (const std::string& ruleset : kHeldOut) {
    const auto made = game::make_game(ruleset);
    ASSERT_TRUE(made) << made.why();
    EXPECT_EQ((*made)->info().ruleset, ruleset);
    EXPECT_TRUE(held_out(ruleset)) << ruleset;
    EXPECT_FALSE(is_named(ruleset)) << ruleset;
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(plays(**made, &rng)) << ruleset;
    games[(*made)->info().family].insert(game::game_of(ruleset));
  }
  EXPECT_EQ(games["custodial"].size(), 5u);
  EXPECT_EQ(games["chess"].size(), 5u);
}

// Their rules differ from those of every named ruleset, not only their text.
TEST(HeldOutTest, FixedRulesetsHaveNewRules) {
  const auto features_of = [](const std::string& ruleset) {
    const game::GamePtr made = *game::make_game(ruleset);
    std::map<std::string_view, float> features;
    for (const auto& [name, value] : made->info().rule_features) features[name] = value;
    return features;
  };
  for (const std::string& ruleset : kHeldOut) {
    for (const std::string& name : game::rulesets_of(game::game_of(ruleset)))
      EXPECT_NE(features_of(ruleset), features_of(name)) << ruleset << " is " << name;
  }
}

}  // namespace
}  // namespace makzero::train
