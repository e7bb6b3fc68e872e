// Texts of positions, moves, games and options: what is read, what is written, and what is said about
// mistakes.
#include "game/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/options.h"
#include "game/perft.h"

namespace makzero::game {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const GamePtr& makyek() {
  static const GamePtr kGame = *make_game("makyek");
  return kGame;
}

std::vector<std::string> reasons(const char* text) { return parse_position(*makyek(), text).reasons(); }

TEST(NotationTest, PositionsReadBack) {
  for (const char* text : {"mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w", "8/8/8/3M4/8/5m2/8/7m b"}) {
    EXPECT_EQ(position_text(*makyek(), *parse_position(*makyek(), text)), text);
  }
}

TEST(NotationTest, BlanksAroundAPositionAndMarksOfPromotionDoNotMatter) {
  const auto position = parse_position(*makyek(), "  8/8/8/3M~4/8/5m2/8/8\t w\r\n");
  ASSERT_TRUE(position) << position.why();
  EXPECT_EQ(position_text(*makyek(), *position), "8/8/8/3M4/8/5m2/8/8 w");
}

TEST(NotationTest, ABadPositionNamesEveryReason) {
  EXPECT_THAT(reasons("8/8/8/3X4/8/5m3/8/7 x y"),
              ElementsAre(AllOf(HasSubstr("unknown piece 'X' on d5"), HasSubstr("this game has M")),
                          "rank 3 '5m3' has 9 squares: it needs 8", "rank 1 '7' has 7 squares: it needs 8",
                          "the side to move is 'x': write 'w' or 'b'",
                          "unexpected 'y' behind the side to move: leave it out"));
}

TEST(NotationTest, IncompletePositionsSayWhatIsMissing) {
  EXPECT_THAT(reasons(""), ElementsAre(HasSubstr("the position is empty: write it like 'mmmmmmmm/8/")));
  EXPECT_THAT(reasons("8/8/8/3M4/8/5m2/8/8"),
              ElementsAre("the side to move is missing: add 'w' or 'b' behind the board"));
  EXPECT_THAT(reasons("8/8/8/3M4 w"), ElementsAre("the board has 4 ranks: it needs 8, separated by '/'"));
}

TEST(NotationTest, AWrongMoveSaysWhatIsLegal) {
  const Position start = makyek()->initial();
  const auto why = [&](const char* text) { return parse_move(*makyek(), start, text).why(); };
  EXPECT_EQ(why("a3a6"), "move 'a3a6' is not legal; from a3: a3a4 a3a5 a3a2");
  EXPECT_THAT(why("a4a5"), HasSubstr("a4 is empty"));
  EXPECT_THAT(why("a6a5"), HasSubstr("the piece on a6 is the opponent's"));
  EXPECT_THAT(why("hello"), HasSubstr("write it like '"));
  EXPECT_THAT(why(""), HasSubstr("write it like '"));
  const auto over = parse_position(*makyek(), "8/8/8/8/8/8/8/M7 w");
  EXPECT_THAT(parse_move(*makyek(), *over, "a1a2").why(), HasSubstr("the game is over"));
}

TEST(NotationTest, TheBoardIsDrawnWithWhiteBelow) {
  EXPECT_EQ(board_text(*makyek(), *parse_position(*makyek(), "m7/8/8/8/8/8/8/6M1 w")),
            "8  m . . . . . . .\n7  . . . . . . . .\n6  . . . . . . . .\n5  . . . . . . . .\n"
            "4  . . . . . . . .\n3  . . . . . . . .\n2  . . . . . . . .\n1  . . . . . . M .\n"
            "   a b c d e f g h\n");
}

TEST(NotationTest, NearNamesAreFoundAndFarOnesAreNot) {
  const std::vector<std::string> names = {"makyek", "makruk", "gala"};
  EXPECT_EQ(nearest_name("makjek", names), "makyek");
  EXPECT_EQ(nearest_name("makruck", names), "makruk");
  EXPECT_EQ(nearest_name("chess", names), "");
}

TEST(CatalogTest, UnknownGamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(make_game("makyeck").why(), "unknown game 'makyeck': did you mean 'makyek'?");
  EXPECT_THAT(make_game("chess").why(), HasSubstr("unknown game 'chess'"));
  EXPECT_THAT(make_game("").why(), HasSubstr("unknown game ''"));
}

TEST(CatalogTest, AListOfGamesMayHaveOptions) {
  const auto games = make_games("makyek:custodian=line,jump=on,rek,apit:no_move=draw");
  ASSERT_TRUE(games) << games.why();
  std::vector<std::string> rulesets;
  for (const GamePtr& game : *games) rulesets.push_back(game->info().ruleset);
  EXPECT_EQ(rulesets, (std::vector{(*make_game("makyek:custodian=line,jump=on"))->info().ruleset,
                                   std::string("rek"), (*make_game("apit:no_move=draw"))->info().ruleset}));
  EXPECT_THAT(make_games("makyek,rekk,makyek").why(),
              AllOf(HasSubstr("unknown game 'rekk'"), HasSubstr("'makyek' is named twice")));
  EXPECT_THAT(make_games("jump=on,makyek").why(), HasSubstr("unknown game 'jump=on'"));
  EXPECT_THAT(make_games("makyek,").why(), HasSubstr("unknown game ''"));
  EXPECT_THAT(make_games("").why(), HasSubstr("unknown game ''"));
}

TEST(CatalogTest, EveryNamedRulesetIsCalledByItsName) {
  EXPECT_GE(ruleset_names().size(), 6u);
  for (const std::string& name : ruleset_names()) EXPECT_EQ((*make_game(name))->info().ruleset, name);
}

struct Rules {
  bool flag = false;
  int number = 5;
};

const std::vector<Option<Rules>>& table() {
  static const std::vector<Option<Rules>> kTable = {choice_of<&Rules::flag, Rules>("flag", {"off", "on"}),
                                                    number_of<&Rules::number, Rules>("number", 1, 9)};
  return kTable;
}

TEST(OptionsTest, ValuesAreStoredAndDescribed) {
  Rules rules;
  std::vector<std::string> wrong;
  read_options(table(), {{"number", "7"}, {"flag", "on"}}, &rules, &wrong);
  EXPECT_TRUE(wrong.empty() && rules.flag && rules.number == 7);
  EXPECT_EQ(describe_options(table(), rules)[0].value, "on");
  EXPECT_EQ(describe_options(table(), rules)[1].value, "7");
  EXPECT_EQ(ruleset_text("toy", table(), Rules(), rules), "toy:flag=on,number=7");
  EXPECT_EQ(ruleset_text("toy", table(), rules, rules), "toy");
}

TEST(OptionsTest, EveryWrongOptionIsNamedAndNoneIsStored) {
  Rules rules;
  std::vector<std::string> wrong;
  read_options(table(), {{"number", "10"}, {"number", "7x"}, {"number", ""}, {"flag", "yes"}, {"flog", "on"}},
               &rules, &wrong);
  EXPECT_THAT(wrong, ElementsAre("option 'number' is '10': give a number from 1 to 9",
                                 "option 'number' is '7x': give a number from 1 to 9",
                                 "option 'number' is '': give a number from 1 to 9",
                                 "option 'flag' is 'yes': give one of off, on",
                                 "unknown option 'flog': did you mean 'flag'?"));
  EXPECT_TRUE(!rules.flag && rules.number == 5);
}

TEST(PerftTest, DepthZeroIsOneLeafAndDivideAddsUp) {
  const Position start = makyek()->initial();
  EXPECT_EQ(perft(*makyek(), start, 0), 1u);
  EXPECT_EQ(perft(*makyek(), start, 1), 32u);
  const auto counts = perft_divide(*makyek(), start, 3);
  EXPECT_EQ(counts.size(), 32u);
  std::uint64_t leaves = 0;
  for (const auto& [move, count] : counts) leaves += count;
  EXPECT_EQ(leaves, 40448u);
}

TEST(GameTest, MaterialIsCountedInHundredthsOfAMan) {
  const Position position = *parse_position(*makyek(), "8/8/8/3MM3/8/5m2/8/8 w");
  EXPECT_EQ(material(makyek()->info(), position, Color::kWhite), 200);
  EXPECT_EQ(material(makyek()->info(), position, Color::kBlack), 100);
}

}  // namespace
}  // namespace makzero::game
