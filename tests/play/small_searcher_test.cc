// A small network behind the front ends: every limit, several lines, and what cannot be played.
#include "mcts/alpha_beta/alpha_beta_searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <set>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/sample_move.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "play/analysis/review.h"
#include "play/engine/engine.h"
#include "play/engine/search_info.h"
#include "tests/support/file_tools.h"
#include "tests/support/play_sessions.h"
#include "tests/support/small_network.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t kMemory = std::size_t{8} << 20;

mcts::SmallNetwork random_network(const std::string& ruleset) {
  return makzero::testing::random_small_network((*game::make_game(ruleset))->info(), 1);
}

PlayedGame new_game(const std::string& ruleset = "makyek") { return PlayedGame(*game::make_game(ruleset)); }

PlayedGame game_at(const std::string& ruleset, const char* position) {
  const game::GamePtr rules = *game::make_game(ruleset);
  return {rules, *game::parse_position(*rules, position)};
}

// What a search of a network with random weights finds, and what it reported before.
struct Found {
  SearchInfo info;
  std::vector<SearchInfo> reports = {};
};

Found run_search(const PlayedGame& game, const Limits& limits, mcts::Searcher* searcher) {
  Found found;
  begin_search(game, limits, searcher);
  while (!searcher->done()) {
    searcher->step({});
    found.reports.push_back(searcher->info());
  }
  found.info = searcher->info();
  return found;
}

Found search(const PlayedGame& game, Limits limits, int lines = 1) {
  limits.lines = lines;
  const auto searcher = mcts::make_small_searcher(game.rules(), random_network(game.rules().info().ruleset),
                                                  mcts::alpha_beta_options(game.rules().info()), kMemory);
  return run_search(game, limits, searcher.get());
}

TEST(SmallSearcherTest, EveryDepthIsReportedWithItsLine) {
  const PlayedGame game = new_game();
  const Found found = search(game, {.depth = 5});
  ASSERT_EQ(found.reports.size(), 5u);
  for (int depth = 1; depth <= 5; ++depth) {
    const SearchInfo& info = found.reports[depth - 1];
    EXPECT_EQ(info.depth, depth);
    EXPECT_GE(info.seldepth, depth);
    PlayedGame line = game;
    for (const game::Move move : info.lines.front().moves) {
      ASSERT_NE(std::ranges::find(line.legal(), move), line.legal().end());
      line.play(move);
    }
  }
  EXPECT_GT(found.info.lines.front().moves.size(), 1u);
  EXPECT_EQ(found.info.nodes, found.reports.back().nodes);
}

TEST(SmallSearcherTest, SimulationsArePositions) {
  for (const int lines : {1, 3}) {
    const Found found = search(new_game(), {.nodes = 2000}, lines);
    EXPECT_GE(found.info.nodes, 1000u);
    EXPECT_LE(found.info.nodes, 2000u + lines * 100);
  }
}

TEST(SmallSearcherTest, ItEndsWhenItsTimeIsSpent) {
  for (const int lines : {1, 3}) {
    const auto start = std::chrono::steady_clock::now();
    const Found found = search(new_game(), {.time = milliseconds(60)}, lines);
    EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(60));
    EXPECT_LE(found.info.elapsed, milliseconds(1000));
    EXPECT_GT(found.info.depth, 1);
  }
}

// The clock goes on with the positions that are searched.
TEST(SmallSearcherTest, OnAGamesClockAMoveTakesLessOrMoreThanPlanned) {
  int shorter = 0, longer = 0;
  PlayedGame game = new_game();
  for (int move = 0; move < 20; ++move) {
    milliseconds now{0};
    const Limits limits{
        .time = milliseconds(80), .most_time = milliseconds(160), .clock = [&now] { return ++now; }};
    const Found found = search(game, limits);
    EXPECT_GE(found.info.elapsed, milliseconds(40));
    EXPECT_LE(found.info.elapsed, milliseconds(165));
    shorter += found.info.elapsed < milliseconds(60);
    longer += found.info.elapsed > milliseconds(100);
    game.play(found.info.best());
  }
  EXPECT_GT(shorter, 0);
  EXPECT_GT(longer, 0);
}

TEST(SmallSearcherTest, AStoppedSearchStillFindsAMove) {
  const std::atomic<bool> stop = true;
  for (const int lines : {1, 3}) {
    const Found found = search(new_game(), {.stop = &stop}, lines);
    EXPECT_LE(found.info.depth, 4);
    EXPECT_EQ(static_cast<int>(found.info.lines.size()), lines);
  }
}

TEST(SmallSearcherTest, OnlyTheMovesAskedForAreConsidered) {
  const PlayedGame game = new_game();
  const Limits limits{.depth = 4, .search_moves = {game.legal()[7], game.legal()[3]}};
  for (const int lines : {1, 5}) {
    const SearchInfo info = search(game, limits, lines).info;
    EXPECT_EQ(info.lines.size(), lines == 1 ? 1u : 2u);
    for (const Line& line : info.lines) EXPECT_THAT(limits.search_moves, Contains(line.moves.front()));
  }
}

TEST(SmallSearcherTest, SeveralLinesAreDifferentAndTheBestComesFirst) {
  for (const char* ruleset : {"makyek", "makruk"}) {
    const PlayedGame game = new_game(ruleset);
    for (const SearchInfo& info : search(game, {.depth = 4}, 5).reports) {
      ASSERT_EQ(info.lines.size(), 5u);
      std::set<std::uint16_t> moves;
      for (size_t i = 0; i < 5; ++i) {
        moves.insert(info.lines[i].moves.front().bits());
        EXPECT_LE(info.lines[i].centipawns, info.lines[i > 0 ? i - 1 : 0].centipawns);
      }
      EXPECT_EQ(moves.size(), 5u);
      EXPECT_EQ(info.value.win, info.lines.front().value.win);
    }
  }
}

TEST(SmallSearcherTest, AMateIsAWinInSoManyPlies) {
  const SearchInfo won = search(game_at("makruk", "7k/R7/1R6/8/8/8/8/K7 w - - 0 1"), {.depth = 4}).info;
  EXPECT_EQ(won.lines.front().end_in_plies, 1);
  EXPECT_EQ(won.value.win, 1);
  EXPECT_EQ(won.lines.front().centipawns, mcts::to_centipawns(1));
  const SearchInfo lost = search(game_at("makruk", "7k/R7/1R6/8/8/8/8/K7 b - - 0 1"), {.depth = 4}).info;
  EXPECT_EQ(lost.lines.front().end_in_plies, 2);
  EXPECT_EQ(lost.value.loss, 1);
}

// A network that gives all positions the same value to the side to move.
TEST(SmallSearcherTest, AScoreIsTheLogitOfTheExpectedResult) {
  const PlayedGame game = new_game();
  mcts::SmallNetwork network = mcts::empty_small_network(game.rules().info());
  for (auto& bias : network.output_bias) bias = 255 * 64;  // One logit.
  const auto searcher = mcts::make_small_searcher(game.rules(), network,
                                                  mcts::alpha_beta_options(game.rules().info()), kMemory);
  const SearchInfo info = run_search(game, {.depth = 1}, searcher.get()).info;
  const float expected = 2 / (1 + std::exp(1.0f)) - 1;  // The reply's side to move expects more.
  EXPECT_NEAR(info.value.win - info.value.loss, expected, 0.01);
  EXPECT_EQ(info.lines.front().centipawns, mcts::to_centipawns(expected));
  EXPECT_NEAR(info.value.win + info.value.draw + info.value.loss, 1, 1e-6);
}

TEST(SmallSearcherTest, WhatWasSearchedIsKeptUntilItIsForgotten) {
  const PlayedGame game = new_game();
  const auto searcher = mcts::make_small_searcher(game.rules(), random_network("makyek"),
                                                  mcts::alpha_beta_options(game.rules().info()), kMemory);
  const auto nodes = [&] { return run_search(game, {.depth = 6}, searcher.get()).info.nodes; };
  const std::uint64_t first = nodes();
  EXPECT_LT(nodes(), first);
  searcher->forget();
  EXPECT_EQ(nodes(), first);
}

// Small networks in a zoo of their own.
class SmallPlayerTest : public models::FolderTest {
 protected:
  SmallPlayerTest() {
    setenv("MAKZERO_ZOO", folder_.c_str(), 1);
    for (const std::string game : {"makyek", "makruk"})
      models::write_model(file(game), models::make_model(random_network(game)));
  }
  ~SmallPlayerTest() override { setenv("MAKZERO_ZOO", "", 1); }

  std::filesystem::path file(const std::string& game) const {
    return models::Zoo(folder_).entry(game).network();
  }

  static std::string why_not(const std::string& player, const std::string& ruleset = "makyek") {
    return models::error_of([&] {
      EngineOptions options;
      options.player = models::choose_player(player, {.ruleset = ruleset});
      const Engine engine(*game::make_game(ruleset), options);
    });
  }
};

TEST_F(SmallPlayerTest, AWholeGameIsPlayedToItsEnd) {
  for (const char* ruleset : {"makyek:max_plies=60", "makruk:max_plies=60"}) {
    PlayedGame game = new_game(ruleset);
    EngineOptions options;
    options.player = models::choose_player("small", {.ruleset = game.rules().info().ruleset});
    Engine engine(game.rules_pointer(), options);
    EXPECT_THAT(engine.description(), AllOf(HasSubstr("small network "), HasSubstr("of the zoo")));
    while (!game.outcome().over()) {
      const game::Move move = engine.search(game, {.nodes = 500}).best();
      ASSERT_NE(std::ranges::find(game.legal(), move), game.legal().end());
      game.play(move);
    }
  }
}

TEST_F(SmallPlayerTest, ItsNameLimitsASearchThatNothingElseLimits) {
  const PlayedGame game = new_game();
  EngineOptions options;
  options.player = models::choose_player(file("makyek").string() + ":3", {});
  Engine engine(game.rules_pointer(), options);
  EXPECT_THAT(engine.description(), HasSubstr(", depth 3"));
  EXPECT_EQ(engine.search(game, {}).depth, 3);
  EXPECT_EQ(engine.search(game, {.depth = 4}).depth, 4);
  options.player = models::choose_player("small", {.ruleset = "makyek"});
  options.simulations = 400;
  Engine by_default(game.rules_pointer(), options);
  EXPECT_EQ(by_default.search(game, {}).depth, 8);
}

TEST_F(SmallPlayerTest, FirstMovesDifferByTheSeedWhereTheyAreVaried) {
  const PlayedGame game = new_game();
  std::set<std::uint16_t> moves, best;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    EngineOptions options;
    options.player = models::choose_player("small", {.ruleset = "makyek"});
    options.seed = seed;
    options.lines = 3;
    Engine engine(game.rules_pointer(), options);
    best.insert(engine.search(game, {.depth = 2}).best().bits());
    engine.new_game();
    const SearchInfo info = engine.search(game, {.depth = 2, .varied_plies = 1});
    moves.insert(info.best().bits());
    const auto drawn =
        std::ranges::find(info.lines, info.best(), [](const Line& line) { return line.moves[0]; });
    ASSERT_NE(drawn, info.lines.end());
    EXPECT_GE(mcts::to_expected(drawn->centipawns),
              mcts::to_expected(info.lines[0].centipawns) - mcts::kVarietyLoss - 1e-3f);
  }
  EXPECT_EQ(best.size(), 1u);
  EXPECT_GT(moves.size(), 1u);
}

TEST_F(SmallPlayerTest, AMateIsLookedForByMaterial) {
  EngineOptions options;
  options.player = models::choose_player("small", {.ruleset = "makruk"});
  const PlayedGame game = game_at("makruk", "7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
  Engine engine(game.rules_pointer(), options);
  EXPECT_EQ(engine.search(game, {.mate = 3}).lines.front().end_in_plies, 1);
  const Limits none{.time = milliseconds(500), .mate = 1};
  EXPECT_EQ(engine.search(new_game("makruk"), none).depth, 1);
}

TEST_F(SmallPlayerTest, ANewGameForgetsTheLast) {
  const PlayedGame game = new_game();
  EngineOptions options;
  options.player = models::choose_player("small", {.ruleset = "makyek"});
  Engine engine(game.rules_pointer(), options);
  const std::uint64_t first = engine.search(game, {.depth = 6}).nodes;
  EXPECT_LT(engine.search(game, {.depth = 6}).nodes, first / 2);
  engine.new_game();
  EXPECT_EQ(engine.search(game, {.depth = 6}).nodes, first);
}

TEST_F(SmallPlayerTest, RulesetsShareNoTable) {
  SearchPool pool({});
  const auto nodes = [&](const std::string& ruleset) {
    std::promise<std::uint64_t> promise;
    pool.start({.game = new_game(ruleset),
                .player = models::choose_player("small", {.ruleset = ruleset}),
                .limits = {.depth = 5},
                .lines = 1},
               {.info = [](const SearchInfo&) {},
                .finished = [&](const SearchInfo& info) { promise.set_value(info.nodes); },
                .failed =
                    [&](const std::string& why) {
                      promise.set_exception(std::make_exception_ptr(std::runtime_error(why)));
                    }});
    return promise.get_future().get();
  };
  const std::uint64_t makyek = nodes("makyek"), jumping = nodes("makyek:jump=on");
  EXPECT_EQ(nodes("makyek"), makyek);
  EXPECT_EQ(nodes("makyek:jump=on"), jumping);
  EXPECT_GT(nodes("makruk"), 0u);
}

TEST_F(SmallPlayerTest, WhatCannotBePlayedSaysWhy) {
  EXPECT_THAT(why_not("small", "rek"), HasSubstr("the zoo has no small network for 'rek'"));
  EXPECT_THAT(why_not(file("makyek"), "rek"), HasSubstr("of 'makyek' and cannot play 'rek'"));
  EXPECT_THAT(why_not("small:0"), HasSubstr("a depth from 1 to 64"));
  EXPECT_THAT(why_not("missing.mzs:3"), AllOf(HasSubstr("missing.mzs"), HasSubstr("No such file")));
  const std::string whole = models::read_text_file(file("makyek"));
  models::put_file(file("makyek"), models::flipped(whole, whole.size() / 2));
  EXPECT_THAT(why_not("small"), AllOf(HasSubstr(file("makyek").string()), HasSubstr("the file is damaged")));
  models::put_file(file("makyek"), "PK\x03\x04 not one of ours");
  EXPECT_THAT(why_not(file("makyek")), HasSubstr("is not a file of MakZero"));
}

TEST_F(SmallPlayerTest, UciPlaysWithIt) {
  const std::vector<std::string> lines = uci_session(
      "uci\nsetoption name WeightsFile value small\nsetoption name UCI_ShowWDL value true\nisready\n"
      "go nodes 3000\ngo depth 4\ngo movetime 20\n"
      "go ponder wtime 1000 btime 1000\nponderhit\ngo infinite\nstop\n"
      "setoption name MultiPV value 3\ngo depth 3\ngo searchmoves e3e4 depth 3\n");
  EXPECT_THAT(lines, Contains(StartsWith("info string player: MakZero (small network ")));
  EXPECT_EQ(
      std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("bestmove "); }), 7);
  EXPECT_THAT(lines, Contains(AllOf(StartsWith("info depth 4 seldepth "), HasSubstr(" wdl "))));
  EXPECT_THAT(lines, Contains(AllOf(StartsWith("info depth 3 "), HasSubstr(" multipv 3 "))));
  EXPECT_THAT(lines.back(), StartsWith("bestmove e3e4"));
}

// Lines of a client, and the bytes in memory when each is asked for.
class Script : public std::streambuf {
 public:
  explicit Script(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  const std::vector<std::size_t>& bytes() const { return bytes_; }

 private:
  int_type underflow() override {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    bytes_.push_back(resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    if (bytes_.size() > lines_.size()) return traits_type::eof();
    std::string& line = lines_[bytes_.size() - 1] += "\n";
    setg(line.data(), line.data(), line.data() + line.size());
    return traits_type::to_int_type(line[0]);
  }

  std::vector<std::string> lines_;
  std::vector<std::size_t> bytes_;
};

TEST_F(SmallPlayerTest, ItsTableIsTouchedAtIsreadyAndNotInTheFirstGo) {
  Script script({"setoption name UCI_Variant value makyek", "setoption name Hash value 64",
                 "setoption name WeightsFile value " + file("makyek").string(), "isready", "go depth 1",
                 "ucinewgame"});
  std::istream in(&script);
  std::ostringstream out;
  Uci(in, out, {}).run();
  ASSERT_EQ(script.bytes().size(), 7u) << out.str();
  static constexpr std::size_t kTable = std::size_t{64} << 20;
  EXPECT_GE(script.bytes()[4], script.bytes()[3] + kTable) << "readyok";
  EXPECT_LT(script.bytes()[6], script.bytes()[4] + kTable / 4) << "bestmove";
}

TEST_F(SmallPlayerTest, UciRefusesTheFileOfAnotherGame) {
  const std::vector<std::string> lines =
      uci_session("setoption name WeightsFile value " + file("makyek").string() +
                  "\ngo nodes 8\nsetoption name UCI_Variant value makyek\ngo nodes 8\n");
  EXPECT_THAT(lines, Contains(HasSubstr("of 'makyek' and cannot play 'makruk'")));
  EXPECT_THAT(lines, Contains("bestmove 0000"));
  EXPECT_NE(lines.back(), "bestmove 0000");
}

TEST_F(SmallPlayerTest, AGameIsReviewedWithIt) {
  PlayedGame game = new_game();
  for (int ply = 0; ply < 4; ++ply) game.play(game.legal()[0]);
  SearchPool pool({});
  const auto review =
      review_game(game, {.player = models::choose_player("small:3", {.ruleset = "makyek"}), .visits = 8},
                  &pool, [](int, int) {});
  ASSERT_TRUE(review);
  EXPECT_EQ(review->positions.size(), 5u);
}

}  // namespace
}  // namespace makzero::play
