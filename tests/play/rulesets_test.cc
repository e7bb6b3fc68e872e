// Every ruleset on the terminal and through UCI: positions, moves of every form, and the engine's answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"
#include "tests/support/play_sessions.h"

namespace makzero::play {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kPlies = 60;

// Named rulesets, and options that bring moves and fields of other forms: chains of leaps, named captures,
// passes, single drops in a row, drops beside slides, obligations, sutras of tilted boats, declared counts.
std::vector<std::string> specs() {
  std::vector<std::string> all = game::ruleset_names();
  for (const char* spec :
       {"makyek-line:custodian_total=one", "makyek:no_move=pass,jump=on", "minrekchanh:obligation=transition",
        "gala:rest=triple", "gala:rest=black_moves,sides=white10_black13", "gala:cross=closed,early_moves=on",
        "hunt:chain=on,flying=on", "makruk:count.mode=manual", "makruk-sutra:takhaeng=a1h8",
        "ok:ok.king_leap=any,ok.counting=seagames", "low1839:low.khon=first"}) {
    all.emplace_back(spec);
  }
  return all;
}

class RulesetTest : public testing::TestWithParam<std::string> {
 protected:
  const std::string& spec_ = GetParam();
  const PlayedGame random_game_ = random_game(*game::make_game(spec_));

  static PlayedGame random_game(const game::GamePtr& rules) {
    PlayedGame game(rules);
    std::mt19937_64 rng(11);
    for (int ply = 0; ply < kPlies && !game.outcome().over(); ++ply) {
      game.play(game.legal()[static_cast<int>(rng() % game.legal().size())]);
    }
    return game;
  }

  std::string fen() const { return game::position_text(random_game_.rules(), random_game_.position()); }

  std::vector<std::string> move_texts() const {
    std::vector<std::string> texts;
    texts.reserve(random_game_.actions().size());
    for (int i = 0; i < static_cast<int>(random_game_.actions().size()); ++i) {
      texts.push_back(game::move_text(random_game_.rules(), random_game_.position_before(i),
                                      random_game_.actions()[i].move));
    }
    return texts;
  }

  std::string moves_joined(const std::string& separator) const {
    std::string all;
    for (const std::string& text : move_texts()) all += separator + text;
    return all;
  }
};

TEST_P(RulesetTest, UciReplaysAGameAndReadsItsPosition) {
  const std::string variant = "setoption name UCI_Variant value " + spec_ + "\n";
  const auto by_moves = uci_session(variant + "position startpos moves" + moves_joined(" ") + "\nd\n");
  EXPECT_THAT(by_moves, Contains("ruleset " + random_game_.rules().info().ruleset));
  EXPECT_THAT(by_moves, Contains("fen " + fen()));
  EXPECT_THAT(uci_session(variant + "position fen " + fen() + "\nd\n"), Contains("fen " + fen()));
}

// A search of each kind from the start, from the middle of a game and from its text.
TEST_P(RulesetTest, UciAnswersWithLegalMoves) {
  const game::Game& rules = random_game_.rules();
  PlayedGame middle(random_game_.rules_pointer());
  std::string moves;
  for (size_t i = 0; i < move_texts().size() / 2; ++i) {
    middle.play(random_game_.actions()[i].move);
    moves += " " + move_texts()[i];
  }
  const std::string text = game::position_text(rules, middle.position());
  const std::vector<std::string> lines =
      uci_session("setoption name UCI_Variant value " + spec_ + "\ngo nodes 16\ngo depth 1\n" +
                  "position startpos moves" + moves + "\ngo nodes 16\ngo depth 1\n" + "position fen " + text +
                  "\ngo nodes 16\ngo depth 1\n");
  std::vector<std::string> answers;
  for (const std::string& line : lines) {
    if (line.starts_with("bestmove ")) answers.push_back(line.substr(9, line.find(" ponder ") - 9));
  }
  EXPECT_THAT(lines, Not(Contains(HasSubstr("illegal"))));
  ASSERT_EQ(answers.size(), 6u);
  for (int i = 0; i < 6; ++i) {
    const game::Position position = i < 2 ? rules.initial() : middle.position();
    const auto move = game::parse_move(rules, position, answers[i]);
    EXPECT_TRUE(move) << answers[i] << ": " << move.why();
  }
}

TEST_P(RulesetTest, TheTerminalReadsTheMovesOfAGame) {
  TerminalOptions two_people;
  two_people.human[1] = true;
  const std::string shown = terminal_session(moves_joined("\n") + "\nboard\n",
                                             PlayedGame(random_game_.rules_pointer()), two_people);
  EXPECT_THAT(shown, HasSubstr(draw_board(random_game_, {}) + describe_state(random_game_)));
  EXPECT_THAT(shown, Not(HasSubstr("not legal")));
}

TEST_P(RulesetTest, TheEngineAnswersOnTheTerminal) {
  const game::GamePtr rules =
      *game::make_game(spec_ + (spec_.find(':') == std::string::npos ? ":" : ",") + "max_plies=12");
  TerminalOptions nobody;
  nobody.human[0] = false;
  const std::string shown = terminal_session("", PlayedGame(rules), nobody);
  EXPECT_THAT(shown, testing::ContainsRegex("\n(White wins|Black wins|Draw): [^\n]+\\.\n"));
}

TEST_P(RulesetTest, ASavedGameReadsBack) {
  const auto read = read_document(game_text(GameDocument(random_game_)));
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.position(), random_game_.position());
  EXPECT_EQ(read->game.outcome(), random_game_.outcome());
}

INSTANTIATE_TEST_SUITE_P(All, RulesetTest, testing::ValuesIn(specs()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace makzero::play
