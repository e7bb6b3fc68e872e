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

TEST(NotationTest, APositionOfChessIsNamedInEveryGame) {
  EXPECT_THAT(
      reasons("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
      ElementsAre(HasSubstr("this is a position of chess: Mak-yek has no bishops (B) and queens (Q)")));
  EXPECT_THAT(reasons("8/8/8/3Q4/8/8/8/8 w"), ElementsAre(HasSubstr("unknown piece 'Q' on d5")));
}

TEST(NotationTest, IncompletePositionsSayWhatIsMissing) {
  EXPECT_THAT(reasons(""), ElementsAre(HasSubstr("the position is empty: write it like 'mmmmmmmm/8/")));
  EXPECT_THAT(reasons("8/8/8/3M4/8/5m2/8/8"),
              ElementsAre("the side to move is missing: add 'w' or 'b' behind the board"));
  EXPECT_THAT(reasons("8/8/8/3M4 w"), ElementsAre("the board has 4 ranks: it needs 8, separated by '/'"));
}

TEST(NotationTest, ANoughtIsNoNumberOfEmptySquares) {
  EXPECT_THAT(reasons("8/8/8/3M40/8/5m2/8/8 w"),
              ElementsAre("rank 5 '3M40' has a 0: digits count empty squares, 1 to 8"));
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

TEST(NotationTest, MarkedSquaresAreDrawnWhileTheyAreEmpty) {
  const GamePtr gala = *make_game("gala");
  EXPECT_EQ(board_text(*gala, *parse_position(*gala, "7/7/7/3m3/7/7/M6 w W12 B9")),
            "7  + . . + . . +\n6  . . . . . . .\n5  . . . . . . .\n4  + . . m . . +\n"
            "3  . . . . . . .\n2  . . . . . . .\n1  M . . + . . +\n   a b c d e f g\n");
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

TEST(CatalogTest, AnOptionThatIsMissingIsNoOption) {
  for (const char* spec : {"makyek:", "makyek:jump=on,", "makyek:,jump=on"})
    EXPECT_THAT(make_game(spec).why(), HasSubstr("an option is missing behind ':' or ','")) << spec;
  EXPECT_TRUE(make_game("makyek"));
}

TEST(CatalogTest, TitlesAndUsualSpellingsNameTheirGames) {
  const std::pair<const char*, const char*> names[] = {
      {"Mak-yek", "makyek"},
      {"mak yaek", "makyek"},
      {"Maak-yek", "makyek"},
      {"maak-yek", "makyek"},
      {"Mak-yek, lines", "makyek-line"},
      {"apit-sodok", "apit"},
      {"Sodok Apit", "apit"},
      {"sodok-apit", "apit"},
      {"REK", "rek"},
      {"min-rek-chanh", "minrekchanh"},
      {"Min Rek Chanh", "minrekchanh"},
      {"Hunt Mak-yek", "hunt"},
      {"Mak-yek hunt", "hunt"},
      {"Gala", "gala"},
      {"thai-chess", "makruk"},
      {"Thai chess", "makruk"},
      {"mak-ruk", "makruk"},
      {"Mak Ruk", "makruk"},
      {"Makruk with sutras", "makruk-sutra"},
      {"ok-chaktrang", "ok"},
      {"Ouk Chaktrang", "ok"},
      {"ouk", "ok"},
      {"ka-ok", "kaok"},
      {"Kar Ok", "kaok"},
      {"kar_ouk", "karouk"},
      {"Low's Mak Ruk", "low1839"},
      {"LOW 1839_DLP", "low1839-dlp"},
      {"sodok", "apit"},
      {"low", "low1839"},
  };
  for (const auto& [text, ruleset] : names) {
    EXPECT_EQ(ruleset_name(text), ruleset) << text;
    EXPECT_EQ(game_of(text), game_of(ruleset)) << text;
    const auto game = make_game(text);
    ASSERT_TRUE(game) << game.why();
    EXPECT_EQ((*game)->info().ruleset, ruleset) << text;
  }
}

TEST(CatalogTest, EveryTitleNamesItsGame) {
  for (const std::string& name : ruleset_names())
    EXPECT_EQ(game_of((*make_game(name))->info().title), game_of(name)) << name;
}

TEST(CatalogTest, SpellingsTakeOptionsAndStandInLists) {
  EXPECT_EQ((*make_game("Mak-yek:jump=on"))->info().ruleset, "makyek:jump=on");
  EXPECT_EQ(ruleset_name("Mak-Yek Line:jump=on"), "makyek-line");
  EXPECT_THAT(make_game("Mak-yek:jumps=on").why(), HasSubstr("did you mean 'jump'?"));
  const auto games = make_games("Thai chess, Apit-sodok:jump=on,setup=rows13, Ouk Chaktrang");
  ASSERT_TRUE(games) << games.why();
  EXPECT_EQ(game_list(*games), "makruk,apit:setup=rows13,jump=on,ok");
  EXPECT_EQ(game_list(*make_games("Mak-yek, lines")), "makyek-line") << "a title with a comma";
  EXPECT_THAT(make_games("makyek,Mak-yek").why(), HasSubstr("'makyek' is named twice"));
}

TEST(CatalogTest, AmbiguousAndUnknownTitlesAreRefused) {
  EXPECT_EQ(make_game("Cambodian chess").why(), "unknown game 'Cambodian chess': `makzero games` lists all");
  EXPECT_EQ(make_game("Mak-yekk").why(), "unknown game 'Mak-yekk': did you mean 'makyek'?");
  EXPECT_EQ(game_of("Cambodian chess"), "");
  EXPECT_EQ(ruleset_name("Some game:jump=on"), "Some game");
  EXPECT_FALSE(make_game("-"));
  EXPECT_FALSE(make_game("./makyek")) << "no path is a name";
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

const std::vector<Option>& table() {
  static const std::vector<Option> kTable = {choice_of<&Rules::flag, Rules>("flag", {"off", "on"}),
                                             number_of<&Rules::number, Rules>("number", 1, 9)};
  return kTable;
}

TEST(OptionsTest, ValuesAreStoredAndDescribed) {
  Rules rules;
  const Rules standard;
  std::vector<std::string> wrong;
  read_options(table(), {{"number", "7"}, {"flag", "on"}}, &rules, &wrong);
  EXPECT_TRUE(wrong.empty() && rules.flag && rules.number == 7);
  EXPECT_EQ(describe_options(table(), &rules)[0].value, "on");
  EXPECT_EQ(describe_options(table(), &rules)[1].value, "7");
  EXPECT_EQ(ruleset_text("toy", table(), &standard, &rules), "toy:flag=on,number=7");
  EXPECT_EQ(ruleset_text("toy", table(), &rules, &rules), "toy");
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
