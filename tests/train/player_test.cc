// Tests of players: reading them from text, and what each kind chooses.
#include "train/match/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/uniform_evaluator.h"
#include "models/file_io.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "train/match/search_players.h"
#include "train/match/simple_players.h"

namespace makzero::train {
namespace {

using ::testing::HasSubstr;

std::string why_not(const std::string& text) { return parse_player(text, "no-run").why(); }

TEST(ParsePlayerTest, ReadsTheLadder) {
  EXPECT_TRUE(std::holds_alternative<PlayerSpec::Random>(parse_player("random", "")->kind));
  EXPECT_TRUE(std::holds_alternative<PlayerSpec::Greedy>(parse_player("greedy", "")->kind));
  EXPECT_EQ(get<PlayerSpec::AlphaBeta>(parse_player("alphabeta:3", "")->kind).depth, 3);
  EXPECT_EQ(get<PlayerSpec::Rollout>(parse_player("rollout:100", "")->kind).simulations, 100);
  EXPECT_EQ(get<PlayerSpec::Material>(parse_player("material:64", "")->kind).simulations, 64);
  const UciSettings engine = get<UciSettings>(parse_player("uci:engine --fast?nodes=5", "")->kind);
  EXPECT_EQ(engine.command, "engine --fast");
  EXPECT_EQ(engine.go, "go nodes 5");
}

TEST(ParsePlayerTest, NamesAreTheSameHoweverTheNumberIsWritten) {
  EXPECT_EQ(parse_player("alphabeta:03", "")->name, "alphabeta:3");
}

TEST(ParsePlayerTest, EveryPlayerTakesAProcessorTime) {
  for (const char* text : {"random?ms=100", "greedy?ms=100", "alphabeta?ms=100", "rollout?ms=100",
                           "material?ms=100", "uci:engine?ms=100", "xboard:engine --fast?ms=100"}) {
    const game::Parsed<PlayerSpec> player = parse_player(text, "");
    ASSERT_TRUE(player) << player.why();
    EXPECT_EQ(player->time, std::chrono::milliseconds(100)) << text;
    EXPECT_EQ(player->name, text);
  }
  EXPECT_EQ(parse_player("material:64", "")->time, std::nullopt);
}

TEST(ParsePlayerTest, ATimeAndANumberAreRefusedTogether) {
  for (const char* text :
       {"alphabeta:3?ms=100", "rollout:10?ms=100", "material:64?ms=100", "material:?ms=100"})
    EXPECT_THAT(why_not(text), HasSubstr("takes a number or ms=N, not both")) << text;
  for (const char* text : {"uci:engine?ms=100&nodes=5", "xboard:engine?clock=50&ms=100"})
    EXPECT_THAT(why_not(text), HasSubstr("stands alone")) << text;
}

TEST(ParsePlayerTest, WrongOptionsAreRefusedWithTheReason) {
  for (const char* text :
       {"material?ms=0", "random?ms=soon", "greedy?ms", "rollout?ms=3600001", "uci:x?ms=-1"})
    EXPECT_THAT(why_not(text), HasSubstr("must be a number of milliseconds from 1 to 3600000")) << text;
  EXPECT_THAT(why_not("material?mss=100"), HasSubstr("unknown option 'mss'; ms=N is"));
  EXPECT_THAT(why_not("material?ms=100&ms=200"), HasSubstr("ms=N is there twice"));
  EXPECT_THAT(why_not("material:64?material=0.5"), HasSubstr("material=W is for networks"));
  EXPECT_THAT(why_not("gredy?ms=100"), HasSubstr("did you mean 'greedy'?"));
}

TEST(ParsePlayerTest, AMisspeltPlayerIsSuggested) {
  EXPECT_THAT(why_not("alphabta:3"), HasSubstr("did you mean 'alphabeta'?"));
  EXPECT_THAT(why_not("gredy"), HasSubstr("did you mean 'greedy'?"));
}

TEST(ParsePlayerTest, NumbersOutOfRangeAreRefused) {
  for (const char* text :
       {"alphabeta", "alphabeta:", "alphabeta:0", "alphabeta:x", "alphabeta:3x", "rollout:-1"}) {
    EXPECT_THAT(why_not(text), HasSubstr("needs a number from 1 to")) << text;
  }
}

TEST(ParsePlayerTest, AMissingCheckpointIsRefusedWithWhatThereIs) {
  EXPECT_THAT(why_not("latest"), HasSubstr("no such checkpoint in 'no-run/checkpoints'"));
  EXPECT_THAT(why_not("nothing-here.mzc"), HasSubstr("players are random, greedy"));
}

// A small network in a zoo of its own.
class ParseSmallPlayerTest : public models::FolderTest {
 protected:
  ParseSmallPlayerTest() {
    setenv("MAKZERO_ZOO", folder_.c_str(), 1);
    const mcts::SmallNetwork network =
        makzero::testing::random_small_network((*game::make_game("makyek"))->info(), 1);
    models::write_small_network(file_, network);
    name_ = "small-" + models::small_network_id(network);
  }
  ~ParseSmallPlayerTest() override { setenv("MAKZERO_ZOO", "", 1); }

  static std::string why_not(const std::string& text) { return parse_player(text, "no-run", "makyek").why(); }

  const std::filesystem::path file_ = models::Zoo(folder_).small_entry("makyek").network();
  std::string name_;
};

TEST_F(ParseSmallPlayerTest, TheZoosAndAFileTakeADepthOrATime) {
  for (const std::string& who : {std::string("small"), file_.string()}) {
    for (const auto& [text, depth, name] : {std::tuple(who, 8, name_ + ":8"),
                                            {who + ":3", 3, name_ + ":3"},
                                            {who + "?ms=20", 0, name_ + "?ms=20"}}) {
      const game::Parsed<PlayerSpec> player = parse_player(text, "no-run", "makyek:jump=on");
      ASSERT_TRUE(player) << player.why();
      EXPECT_EQ(get<PlayerSpec::Small>(player->kind).file, file_);
      EXPECT_EQ(get<PlayerSpec::Small>(player->kind).depth, depth);
      EXPECT_EQ(player->time.has_value(), depth == 0);
      EXPECT_EQ(player->name, name);
    }
  }
}

TEST_F(ParseSmallPlayerTest, WhatDoesNotFitIsRefused) {
  for (const std::string& who : {std::string("small"), file_.string()}) {
    for (const char* depth : {":0", ":65", ":-1"})
      EXPECT_THAT(why_not(who + depth), HasSubstr("a depth from 1 to 64")) << depth;
    EXPECT_THAT(why_not(who + ":3?ms=20"), HasSubstr("takes a depth or ms=N, not both"));
    EXPECT_THAT(why_not(who + "?material=0.5"), HasSubstr("material=W is for networks that tree search"));
  }
  EXPECT_THAT(parse_player("small", "no-run", "rek").why(), HasSubstr("no small network for 'rek'"));
  EXPECT_THAT(why_not("nothing-here.mzs"), HasSubstr("No such file"));
  models::put_file(file_, models::flipped(models::read_text_file(file_), 1000));
  EXPECT_THAT(why_not("small:3"), HasSubstr("the file is damaged"));
}

TEST_F(ParseSmallPlayerTest, ItPlaysItsGameAlone) {
  for (const char* text : {":2", "?ms=1"}) {
    const PlayerSpec spec = *parse_player(file_.string() + text, "no-run");
    EXPECT_NE(make_player(**game::make_game("makyek:jump=on"), spec, {}), nullptr);
    EXPECT_THAT(models::error_of([&] { make_player(**game::make_game("rek"), spec, {}); }),
                HasSubstr("of 'makyek' and cannot play 'rek'"));
  }
}

// A position to choose a move in.
struct Choice {
  Choice(const std::string& ruleset, const std::string& text) : game(*game::make_game(ruleset)) {
    position = game->initial();
    if (!text.empty()) {
      const game::Parsed<game::Position> parsed = parse_position(*game, text);
      EXPECT_TRUE(parsed) << parsed.why();
      if (parsed) position = *parsed;
    }
    history.push(position);
    game->legal_moves(position, &legal);
  }

  Turn turn(std::uint64_t seed) const { return {&position, &history, &legal, &moves, seed}; }

  std::string chosen_by(Player* player, std::uint64_t seed) const {
    const Turn now = turn(seed);
    game::Move move;
    player->choose({&now, 1}, {&move, 1});
    return move_text(*game, position, move);
  }

  game::GamePtr game;
  game::Position position;
  game::History history;
  game::MoveList legal;
  std::vector<game::Move> moves;
};

TEST(RandomPlayerTest, PlaysEveryLegalMoveSoonerOrLater) {
  const Choice choice("makyek", "");
  RandomPlayer player;
  std::set<std::string> chosen;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) chosen.insert(choice.chosen_by(&player, seed));
  EXPECT_EQ(static_cast<int>(chosen.size()), choice.legal.size());
}

TEST(GreedyPlayerTest, TakesWhatIsWorthMost) {
  const Choice choice("makruk", "1k6/8/2p5/8/2r1n3/3P4/8/4K2R w");  // A rook or a knight.
  GreedyPlayer player(*choice.game);
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(choice.chosen_by(&player, seed), "d3c4");
}

TEST(GreedyPlayerTest, DoesNotWalkPastAMateForARook) {
  const Choice choice("makruk", "7k/8/6K1/8/8/8/r7/RR6 w");
  GreedyPlayer player(*choice.game);
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(choice.chosen_by(&player, seed), "b1b8");
}

TEST(GreedyPlayerTest, ChoosesAmongEqualMovesAtRandom) {
  const Choice choice("makyek", "");
  GreedyPlayer player(*choice.game);
  std::set<std::string> chosen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) chosen.insert(choice.chosen_by(&player, seed));
  EXPECT_GT(chosen.size(), 5u);
}

TEST(AlphaBetaPlayerTest, SeesTheMate) {
  const Choice choice("makruk", "7k/8/6K1/8/8/8/r7/RR6 w");
  AlphaBetaPlayer player(*choice.game, 1);
  EXPECT_EQ(choice.chosen_by(&player, 1), "b1b8");
}

TEST(MaterialPlayerTest, SeesTheMateAndTheGuard) {
  for (const auto& [position, best] :
       {std::pair{"7k/8/6K1/8/8/8/r7/RR6 w", "b1b8"}, std::pair{"4k3/8/8/3n4/8/8/3R4/4K3 w", "d2d5"}}) {
    const Choice choice("makruk", position);
    const std::unique_ptr<Player> player = make_player(*choice.game, *parse_player("material:32", ""), {});
    EXPECT_EQ(choice.chosen_by(player.get(), 1), best);
  }
}

TEST(RolloutPlayerTest, SeesTheMate) {
  const Choice choice("makruk", "7k/8/6K1/8/8/8/r7/RR6 w");
  RolloutPlayer player(*choice.game, 200);
  EXPECT_EQ(choice.chosen_by(&player, 1), "b1b8");
}

// Knows nothing and counts how much it is asked.
class CountingEvaluator : public mcts::UniformEvaluator {
 public:
  CountingEvaluator(int* calls, size_t* largest) : calls_(calls), largest_(largest) {}

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override {
    *calls_ += 1;
    *largest_ = std::max(*largest_, requests.size());
    mcts::UniformEvaluator::evaluate(requests, evaluations);
  }

 private:
  int* calls_;
  size_t* largest_;
};

TEST(SearchPlayerTest, EvaluatesTheSearchesOfAllGamesTogether) {
  const Choice choice("makyek", "");
  int calls = 0;
  size_t largest = 0;
  mcts::SearchOptions options;
  options.simulations = 16;
  SearchPlayer player(*choice.game, options, std::make_unique<CountingEvaluator>(&calls, &largest));
  const std::vector<Turn> turns(32, choice.turn(1));
  std::vector<game::Move> moves(32);
  player.choose(turns, moves);
  EXPECT_EQ(largest, 32u);
  EXPECT_LE(calls, 18);
}

}  // namespace
}  // namespace makzero::train
