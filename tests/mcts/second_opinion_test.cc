// A tree search that another search corrects.
#include "mcts/second_opinion.h"

#include <gtest/gtest.h>

#include <utility>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"

namespace makzero::mcts {
namespace {

using game::Move;
using std::chrono::milliseconds;

// Searches nothing: done at the first step with the lines that it was given, and notes what it was asked.
class Scripted : public Searcher {
 public:
  explicit Scripted(std::vector<Line> lines) : lines_(std::move(lines)) {}

  void begin(const SearchRoot&, const Limits& limits) override {
    asked.push_back(limits);
    steps_ = 0;
  }
  std::span<const EvalRequest> step(const StepBudget&) override {
    ++steps_;
    return {};
  }
  bool ready() const override { return steps_ > 0; }
  bool done() const override { return steps_ > 0; }
  SearchInfo info() const override {
    SearchInfo info{.lines = lines_, .nodes = 400};
    const std::vector<Move>& among = asked.back().search_moves;
    if (among.empty()) return info;
    std::erase_if(info.lines, [&](const Line& line) { return line.moves.front() != among.front(); });
    return info;
  }
  void forget() override {}

  std::vector<Limits> asked;

 private:
  std::vector<Line> lines_;
  int steps_ = 0;
};

class SecondOpinionTest : public ::testing::Test {
 protected:
  Move move(const std::string& text) const { return *game::parse_move(*game_, state_.position(), text); }

  Line line(const std::string& text, float win, std::optional<int> end_in_plies = {}) const {
    return {.moves = {move(text)}, .value = {win, 0, 1 - win}, .end_in_plies = end_in_plies};
  }

  // The move that is played where the tree takes d3d4 and the second search finds this.
  std::string move_with(std::vector<Line> found, const Limits& limits) {
    auto tree = std::make_unique<Scripted>(std::vector{line("d3d4", 0.6f), line("e3e4", 0.3f)});
    auto second = std::make_unique<Scripted>(std::move(found));
    tree_ = tree.get(), second_ = second.get();
    searcher_ = std::make_unique<SecondOpinion>(std::move(tree), std::move(second));
    const game::Position start = game_->initial();
    searcher_->begin({&state_.position(), &state_.history(), &state_.legal(), &start}, limits);
    for (int step = 0; !searcher_->done(); ++step) {
      EXPECT_LT(step, 10);
      EXPECT_TRUE(searcher_->step({}).empty());
    }
    return game::move_text(*game_, state_.position(), searcher_->info().best());
  }

  game::GamePtr game_ = *game::make_game("makruk");
  game::GameState state_{*game_};
  Scripted *tree_ = nullptr, *second_ = nullptr;  // Of the searcher.
  std::unique_ptr<SecondOpinion> searcher_;
};

TEST_F(SecondOpinionTest, AMoveThatItFindsMuchWorseIsNotPlayed) {
  EXPECT_EQ(move_with({line("e3e4", 0.5f), line("d3d4", 0.2f)}, {.nodes = 400}), "e3e4");
  EXPECT_EQ(searcher_->info().lines.size(), 2U);
  EXPECT_EQ(searcher_->info().lines.back().moves.front(), move("d3d4"));
}

TEST_F(SecondOpinionTest, AMoveThatIsAlittleWorseIsPlayed) {
  EXPECT_EQ(move_with({line("e3e4", 0.5f), line("d3d4", 0.4f)}, {.nodes = 400}), "d3d4");
}

TEST_F(SecondOpinionTest, AMoveThatIsProvenLostIsNotPlayedWhereAnotherIsNot) {
  EXPECT_EQ(move_with({line("e3e4", 0.1f), line("d3d4", 0, 6)}, {.nodes = 400}), "e3e4");
  EXPECT_EQ(move_with({line("e3e4", 0, 8), line("d3d4", 0, 6)}, {.nodes = 400}), "d3d4");
}

TEST_F(SecondOpinionTest, AgreementIsNotAskedTwice) {
  EXPECT_EQ(move_with({line("d3d4", 0.5f)}, {.nodes = 400}), "d3d4");
  EXPECT_EQ(second_->asked.size(), 1U);
}

TEST_F(SecondOpinionTest, TakesItsShareOfTheTime) {
  move_with({line("e3e4", 0.5f), line("d3d4", 0.2f)}, {.time = milliseconds(1000)});
  EXPECT_EQ(tree_->asked.front().time, milliseconds(950));
  ASSERT_EQ(second_->asked.size(), 2U);
  for (const Limits& limits : second_->asked) EXPECT_EQ(limits.time, milliseconds(25));
}

TEST_F(SecondOpinionTest, WithSimulationsItsNodesAreGiven) {
  move_with({line("e3e4", 0.5f), line("d3d4", 0.2f)}, {.nodes = 400});
  EXPECT_EQ(tree_->asked.front().nodes, 400);
  ASSERT_EQ(second_->asked.size(), 2U);
  for (const Limits& limits : second_->asked) EXPECT_EQ(limits.nodes, 1000);
  EXPECT_EQ(second_->asked.back().search_moves, std::vector{move("d3d4")});
}

TEST_F(SecondOpinionTest, AnAnalysisWithoutEndAndAWeakenedPlayerAskNobody) {
  move_with({line("e3e4", 0.5f)}, {});
  EXPECT_TRUE(second_->asked.empty());
  EXPECT_EQ(move_with({line("e3e4", 0.5f)}, {.nodes = 400, .temperature = 0.5f}), "d3d4");
  EXPECT_TRUE(second_->asked.empty());
}

}  // namespace
}  // namespace makzero::mcts
