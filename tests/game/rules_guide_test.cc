// The rules as parts for front ends: nothing of the texts is lost or misread on the way.
#include "game/rules_guide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/embedded_text.h"
#include "game/notation.h"

namespace makzero::game {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> text_names() {
  std::vector<std::string> names;
  for (const EmbeddedText& text : rules_texts()) names.emplace_back(text.name);
  return names;
}

std::vector<GuideExample> examples_of(const RulesGuide& guide) {
  std::vector<GuideExample> all;
  for (const GuideSection& section : guide.sections) {
    for (const GuideBlock& block : section.blocks)
      all.insert(all.end(), block.examples.begin(), block.examples.end());
  }
  return all;
}

class RulesGuideTest : public ::testing::TestWithParam<std::string> {
 protected:
  const GamePtr game_ = *make_game(GetParam());
  const RulesGuide guide_ = rules_guide(GetParam());
};

TEST_P(RulesGuideTest, EveryPieceHasANameAndAMove) {
  std::set<char> letters;
  for (const GuidePiece& piece : guide_.pieces) {
    letters.insert(piece.letter);
    EXPECT_THAT(piece.name, Not(IsEmpty()));
    EXPECT_GT(piece.moves.size(), 10u) << piece.name;
  }
  EXPECT_EQ(letters, std::set<char>(game_->info().kinds.begin(), game_->info().kinds.end()));
}

TEST_P(RulesGuideTest, EveryOptionHasATitleAndItsValuesWords) {
  for (const OptionInfo& option : game_->info().options) {
    const GuideOption* words = guide_.option(option.name);
    ASSERT_NE(words, nullptr) << option.name;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(words->title[0]))) << words->title;
    EXPECT_LE(words->title.size(), 50u) << words->title;
    EXPECT_THAT(words->title, Not(HasSubstr("_")));
    EXPECT_FALSE(option.values.empty() && words->text.empty()) << option.name;
    for (const std::string& value : option.values) {
      if (option.name == "takhaeng" && value != "none") continue;  // Corners speak for themselves.
      EXPECT_NE(words->words(value), value) << option.name << " = " << value;
      EXPECT_THAT(words->words(value), Not(IsEmpty())) << option.name << " = " << value;
    }
  }
}

TEST_P(RulesGuideTest, EveryOtherRulesetIsDescribedByItsDifference) {
  std::set<std::string> words;
  for (const std::string& name : rulesets_of(GetParam())) {
    if (name == GetParam()) continue;
    const auto found = std::find_if(guide_.rulesets.begin(), guide_.rulesets.end(),
                                    [&](const GuideRuleset& ruleset) { return ruleset.name == name; });
    ASSERT_NE(found, guide_.rulesets.end()) << name;
    EXPECT_TRUE(words.insert(found->words).second) << name;
    EXPECT_THAT(found->words, Not(IsEmpty())) << name;
  }
}

TEST_P(RulesGuideTest, ItsBoardsAndExamplesAreSetUp) {
  int boards = 0;
  for (const GuideSection& section : guide_.sections) {
    for (const GuideBlock& block : section.blocks) {
      EXPECT_EQ(int{!block.position.empty()} + int{!block.list.empty()} +
                    int{block.position.empty() && !block.text.empty()},
                1)
          << section.heading;
      if (block.position.empty()) continue;
      ++boards;
      EXPECT_TRUE(parse_position(*game_, block.position)) << block.position;
    }
  }
  EXPECT_GE(boards, 2);  // The start and an example.
  EXPECT_THAT(examples_of(guide_), Not(IsEmpty()));
  for (const GuideExample& example : examples_of(guide_)) {
    const Parsed<Position> position = parse_position(*game_, example.position);
    ASSERT_TRUE(position) << example.position << ": " << position.why();
    EXPECT_TRUE(contains(position->own(), square_at(example.move[0] - 'a', example.move[1] - '1')))
        << example.move;
  }
}

TEST_P(RulesGuideTest, TheGameItselfChangesNothing) {
  EXPECT_THAT(rule_changes(guide_, game_->info()), IsEmpty());
  for (const std::string& name : rulesets_of(GetParam())) {
    if (name == GetParam()) continue;
    EXPECT_THAT(rule_changes(guide_, (*make_game(name))->info()), Not(IsEmpty())) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryGame, RulesGuideTest, ::testing::ValuesIn(text_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RulesGuideTest, ReadsBoardsRemarksAndCaptions) {
  const std::vector<GuideExample> makyek = examples_of(rules_guide("makyek"));
  ASSERT_EQ(makyek.size(), 5u);
  EXPECT_EQ(makyek[1].position, "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w");
  EXPECT_EQ(makyek[1].move, "f5h5");
  EXPECT_EQ(makyek[1].remark, "caught against h3");
  const std::vector<GuideExample> hunt = examples_of(rules_guide("hunt"));
  EXPECT_THAT(hunt, ::testing::Each(Field(&GuideExample::position, ::testing::EndsWith(" b"))));
  bool caption = false;
  for (const GuideSection& section : rules_guide("hunt").sections) {
    for (const GuideBlock& block : section.blocks) {
      const bool shut_in = block.position == "8/8/8/8/8/M7/M7/hMM5 w";
      caption |= shut_in && block.text.starts_with("Black to move: a2 and b1 block");
    }
  }
  EXPECT_TRUE(caption);
}

TEST(RulesGuideTest, AnExampleMayHaveItsResultInALineOfItsOwn) {
  const std::vector<GuideExample> ok = examples_of(rules_guide("ok"));
  ASSERT_EQ(ok.size(), 1u);
  EXPECT_EQ(ok[0].position, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1");
  EXPECT_EQ(ok[0].move, "d1b2");
}

TEST(RulesGuideTest, ChangesAreToldInWords) {
  const GameInfo info = (*make_game("makyek-line:jump=on,no_progress=60"))->info();
  const std::vector<RuleChange> changes = rule_changes(rules_guide("makyek"), info);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].title, "Custodian capture");
  EXPECT_EQ(changes[0].words, "one or more without a gap");
  EXPECT_EQ(changes[1].title, "Jumps");
  EXPECT_EQ(changes[2].words, "60");
}

TEST(RulesGuideTest, PiecesMoveAsTheRulesetHasIt) {
  const auto moves = [](const std::string& spec, char letter) {
    for (const GuidePiece& piece : pieces_in_use(rules_guide(spec), (*make_game(spec))->info()))
      if (piece.letter == letter) return piece.moves;
    return std::string();
  };
  EXPECT_THAT(moves("minrekchanh", 'K'), HasSubstr("does not move"));
  EXPECT_EQ(moves("minrekchanh:king=step", 'K'), "one square along its rank or file");
  EXPECT_EQ(moves("hunt:men_move=step", 'M'), "one square along rank or file");
  EXPECT_EQ(moves("gala:move=step", 'M'), "one square along a rank or file");
  EXPECT_EQ(moves("low1839:low.khoon=orthogonal", 'M'), moves("low1839", 'M'));
  EXPECT_THAT(moves("low1839:low.khoon=orthogonal", 'K'), HasSubstr("along rank and file alone"));
  EXPECT_THAT(moves("ok:ok.king_leap=any", 'K'),
              AllOf(HasSubstr("one step in any direction"), HasSubstr("c3, e3")));
}

TEST(RulesGuideTest, NoTwoRulesetsShareATitle) {
  std::set<std::string> titles;
  for (const std::string& name : ruleset_names())
    EXPECT_TRUE(titles.insert((*make_game(name))->info().title).second) << name;
}

}  // namespace
}  // namespace makzero::game
