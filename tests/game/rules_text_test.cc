// The rules as text for people, held against the rules themselves: rulesets, options, positions and every
// example.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/embedded_text.h"
#include "game/notation.h"

namespace makzero::game {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines under "## HEADING" up to the next heading.
std::vector<std::string> section(const std::string& text, const std::string& heading) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("#")) {
      inside = line == "## " + heading;
    } else if (inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

// "custodian = single* | line | none", "no_progress = 100* (0..10000)": what a text says of an option.
std::string heading_of(const OptionInfo& option, const std::string& standard) {
  std::string text = option.name + " = ";
  if (option.values.empty())
    return text + standard + "* (" + std::to_string(option.minimum) + ".." + std::to_string(option.maximum) +
           ")";
  for (size_t i = 0; i < option.values.size(); ++i) {
    text += (i ? " | " : "") + option.values[i] + (option.values[i] == standard ? "*" : "");
  }
  return text;
}

// The headings of the options in a text; one that ends in "|" goes on in the next line.
std::vector<std::string> option_headings(const std::string& text) {
  static const std::regex kHeading(R"(^[a-z][a-z0-9_.]* = .*)");
  std::vector<std::string> headings;
  for (const std::string& line : section(text, "Options")) {
    const std::string trimmed = std::regex_replace(line, std::regex("^ +"), "");
    if (!headings.empty() && headings.back().ends_with("|")) {
      headings.back() += " " + trimmed;
    } else if (std::regex_match(line, kHeading)) {
      headings.push_back(line.substr(0, line.find("  ")));
    }
  }
  return headings;
}

std::map<std::string, std::string> values_in_use(const Game& game) {
  std::map<std::string, std::string> values;
  for (const OptionInfo& option : game.info().options) values[option.name] = option.value;
  return values;
}

class RulesText : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string& name_ = GetParam();
  const std::string text_ = std::string(rules_text(name_));
  const GamePtr game_ = *make_game(name_);
};

// The names of the texts.
std::vector<std::string> text_names() {
  std::vector<std::string> names;
  for (const EmbeddedText& text : rules_texts()) names.emplace_back(text.name);
  return names;
}

TEST(RulesTexts, EveryRulesetHasTheTextOfItsGame) {
  for (const std::string& ruleset : ruleset_names()) {
    ASSERT_FALSE(game_of(ruleset).empty()) << ruleset;
    EXPECT_THAT(std::string(rules_text(ruleset + ":x=y")), HasSubstr(std::string(game_of(ruleset))))
        << ruleset;
  }
}

// The text with a single blank for every line break and run of blanks.
std::string unwrapped(std::string_view text) {
  return std::regex_replace(std::string(text), std::regex("\\s+"), " ");
}

TEST(RulesTexts, CarryTheNamesOfTheirSources) {
  const std::vector<std::pair<const char*, std::vector<const char*>>> names = {
      {"makyek", {"Thailand and Myanmar", "mak yaek", "Maak yek (Low)", "Maak-yek (Murray)", "Hasami Shogi"}},
      {"apit", {"called Apit or Sodok Apit", "R. J. Wilkinson", "Raja Samusah"}},
      {"gala", {"soelisangka", "pole (Bugis)", "battoe-mi nai (Makassar)", "Kaudern"}},
  };
  for (const auto& [game, words] : names) {
    for (const char* word : words) EXPECT_THAT(unwrapped(rules_text(game)), HasSubstr(word)) << game;
  }
}

TEST(RulesTexts, ApitSqueezesAndSodokShovels) {
  const std::string text = unwrapped(rules_text("apit"));
  EXPECT_THAT(text, HasSubstr("Apit (\"squeezed\"), custodian capture: the enemies that fill"));
  EXPECT_THAT(text, HasSubstr("Sodok (\"shovel\"), intervention: a man that arrives between two enemies"));
  EXPECT_THAT(text, HasSubstr("gives this set-up as a \"possible\" reconstruction"));
}

TEST(RulesTexts, SayWhereTheyReadASourceInTheirOwnWay) {
  const std::pair<const char*, const char*> readings[] = {
      {"makyek",
       "\"not more than one by custodianship\" is read as one in each direction, custodian_total=one"},
      {"apit", "h5g5 takes g4 by the same rules: an oversight"},
      {"gala", "as Matthes and Kaudern have them; Murray has five"},
      {"makruk",
       "Board's honour that starts by itself and binds both sides, so that a mate by either wins, is "
       "Fairy-Stockfish's"},
      {"makruk", "the side that is behind counts and may stop, and a mate by the side that counts is a draw"},
      {"ok", "counts start by themselves is Fairy-Stockfish's, Wikipedia has count.mode=manual"},
  };
  for (const auto& [game, words] : readings)
    EXPECT_THAT(unwrapped(rules_text(game)), HasSubstr(words)) << game;
}

TEST(RulesTexts, MakYekTakesAsManyAsItsTextSays) {
  const std::string text = unwrapped(rules_text("makyek"));
  EXPECT_THAT(
      text,
      HasSubstr("A slide takes three at most: a pair and one ahead. With jump=on a jump may take four"));
  const auto taken = [](const char* ruleset, const char* position, const char* text) {
    const GamePtr game = *make_game(ruleset);
    Position after = *parse_position(*game, position);
    const int before = size(after.enemy());
    game->apply(*parse_move(*game, after, text), &after);
    return before - size(after.own());
  };
  EXPECT_EQ(taken("makyek", "8/8/2M5/2m5/1M1mM3/2m5/2M5/8 w", "b4c4"), 3);
  // The pair above and below, and the jumped man with the one ahead.
  EXPECT_EQ(taken("makyek-jump", "m7/8/8/8/2m5/Mm1m4/2m5/8 w", "a3c3"), 4);
  EXPECT_EQ(taken("makyek-low", "m7/8/2m5/2m5/M2mM3/2m5/2m5/8 w", "a4c4"), 5);
}

TEST(RulesTexts, MinRekChanhSaysThatEveryCapturingMoveFulfilsTheObligation) {
  EXPECT_THAT(unwrapped(rules_text("minrekchanh")),
              HasSubstr("every capturing move counts, surrounding included"));
}

TEST(RulesTexts, NamesBelongToTheGameThatHeadsThem) {
  EXPECT_EQ(game_of("makyek-line:jump=on"), "makyek");
  EXPECT_EQ(game_of("karouk"), "kaok");
  EXPECT_EQ(game_of("makruk-sutra"), "makruk-sutra");
  EXPECT_EQ(game_of("chess"), "");
}

TEST_P(RulesText, IsNamedAfterAGame) { EXPECT_EQ(game_of(name_), name_); }

TEST_P(RulesText, ItsHeadingNamesTheGame) {
  EXPECT_EQ(game_of(lines_of(text_).front().substr(2)), name_) << lines_of(text_).front();
}

TEST_P(RulesText, FitsATerminal) {
  for (const std::string& line : lines_of(text_)) {
    EXPECT_LE(line.size(), 100) << line;
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; })) << line;
  }
}

TEST_P(RulesText, ShowsTheStart) {
  std::string indented;
  for (const std::string& line : lines_of(board_text(*game_, game_->initial()))) {
    indented += "    " + line + "\n";
  }
  EXPECT_THAT(text_, HasSubstr(indented));
  EXPECT_THAT(section(text_, "Sources"), ::testing::Not(IsEmpty()));
}

TEST_P(RulesText, GivesEveryOtherRulesetOfTheGameByItsOptions) {
  static const std::regex kRuleset(R"(^(\S+) = (\S+)$)");
  std::vector<std::string> named = {name_}, expected;
  for (const std::string& line : section(text_, "Rulesets")) {
    std::smatch match;
    if (!std::regex_match(line, match, kRuleset)) continue;
    named.push_back(match[1]);
    const Parsed<GamePtr> ruleset = make_game(match[1].str()), spelled = make_game(match[2].str());
    ASSERT_TRUE(ruleset) << line << ": " << ruleset.why();
    ASSERT_TRUE(spelled) << line << ": " << spelled.why();
    EXPECT_EQ(values_in_use(**ruleset), values_in_use(**spelled)) << line;
  }
  for (const std::string& ruleset : ruleset_names()) {
    if (game_of(ruleset) == name_) expected.push_back(ruleset);
  }
  EXPECT_EQ(named, expected);
}

TEST_P(RulesText, GivesTheTableOfOptions) {
  std::vector<std::string> expected;
  for (const OptionInfo& option : game_->info().options) expected.push_back(heading_of(option, option.value));
  EXPECT_EQ(option_headings(text_), expected);
}

// The board of a diagram, a row per string like ". . M m", as the text of a position.
std::string placement(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) {
    int empty = 0;
    const auto add_run = [&] {
      if (empty) text += std::to_string(empty);
      empty = 0;
    };
    if (!text.empty()) text += "/";
    for (size_t i = 0; i < row.size(); i += 2) {
      if (row[i] == '.' || row[i] == '+') {
        ++empty;
      } else {
        add_run();
        text += row[i];
      }
    }
    add_run();
  }
  return text;
}

struct Diagram {
  std::vector<std::string> rows;   // The top one first.
  std::vector<std::string> notes;  // What stands beside the board: "f5f7 takes e7 g7  (a remark)".
};

// The full boards of a text.
std::vector<Diagram> diagrams(const std::string& text, int ranks) {
  static const std::regex kRow(R"(^    ([1-8])  ([A-Za-z.+](?: [A-Za-z.+])+)(?: {2,}(.*))?$)");
  std::vector<Diagram> found;
  Diagram diagram;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (!std::regex_match(line, match, kRow)) {
      diagram = {};
      continue;
    }
    diagram.rows.push_back(match[2]);
    if (match[3].length()) diagram.notes.push_back(match[3]);
    if (match[1] == "1" && static_cast<int>(diagram.rows.size()) == ranks) found.push_back(diagram);
  }
  return found;
}

// A position and what a move makes of it: "POSITION  MOVE  ->  POSITION" or "POSITION  MOVE  wins".
struct Example {
  std::string position, move, result;
};

std::vector<Example> examples(std::string text) {
  static const std::regex kExample(R"(^    (\S+/\S+ [wb].*?)  (\S+)  (?:->  )?(.*)$)");
  text = std::regex_replace(text, std::regex(R"(  ->\n    )"), "  ->  ");
  std::vector<Example> found;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (std::regex_match(line, match, kExample)) found.push_back({match[1], match[2], match[3]});
  }
  return found;
}

// Checks a diagram's note; true where it makes a claim about a move.
bool check_note(const Game& game, const std::string& board, const std::string& note) {
  static const std::regex kClaim(R"(^(\S+) (takes|is illegal) ?(nothing|(?:[a-h][1-8] ?)*)(?: *\(.*)?$)");
  std::smatch match;
  if (!std::regex_match(note, match, kClaim)) return false;
  for (const char* side : {" w", " b"}) {
    const Parsed<Position> before = parse_position(game, board + side);
    EXPECT_TRUE(before) << board << ": " << before.why();
    const Parsed<Move> move = parse_move(game, *before, match[1].str());
    const bool own = contains(before->own(), square_at(note[0] - 'a', note[1] - '1'));
    if (!own) continue;
    EXPECT_EQ(bool{move}, match[2] == "takes") << board << side << ", " << note;
    if (!move) return true;
    Position after = *before;
    game.apply(*move, &after);
    std::string taken;
    for (Bitboard rest = before->enemy() & ~after.side[index(other(before->to_move))]; rest;) {
      taken += (taken.empty() ? "" : " ") + square_text(pop_first(&rest));
    }
    std::istringstream said(match[3].str());
    std::vector<std::string> squares{std::istream_iterator<std::string>(said), {}};
    std::istringstream found(taken.empty() ? "nothing" : taken);
    std::vector<std::string> expected{std::istream_iterator<std::string>(found), {}};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(squares, expected) << board << side << ", " << note;
    return true;
  }
  ADD_FAILURE() << "no piece to move: " << note;
  return true;
}

TEST_P(RulesText, ItsExamplesHold) {
  int claims = 0;
  for (const Diagram& diagram : diagrams(text_, game_->info().ranks)) {
    for (const std::string& note : diagram.notes) {
      claims += check_note(*game_, placement(diagram.rows), note);
    }
  }
  for (const Example& example : examples(text_)) {
    const Parsed<Position> position = parse_position(*game_, example.position);
    ASSERT_TRUE(position) << example.position << ": " << position.why();
    const Parsed<Move> move = parse_move(*game_, *position, example.move);
    ASSERT_TRUE(move) << example.position << ": " << move.why();
    Position after = *position;
    game_->apply(*move, &after);
    MoveList legal;
    game_->legal_moves(after, &legal);
    const bool wins = game_->outcome(after, !legal.empty(), 1).result == win_of(position->to_move);
    EXPECT_EQ(wins ? "wins" : position_text(*game_, after), example.result) << example.position;
    ++claims;
  }
  EXPECT_GT(claims, 0);
}

INSTANTIATE_TEST_SUITE_P(OfEveryGame, RulesText, ::testing::ValuesIn(text_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace makzero::game
