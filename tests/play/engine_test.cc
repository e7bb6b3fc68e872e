// The engine with a network from disk, without one, and what stops it.
#include "play/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/player_spec.h"
#include "models/store.h"
#include "nn/encoder.h"
#include "nn/learner.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// A run folder with two checkpoints of a small network with random weights, for all tests of this file.
class EngineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = std::filesystem::path(testing::TempDir()) / ("makzero_engine_test." + std::to_string(getpid()));
    const game::GamePtr rules = *game::make_game("makyek");
    nn::NetworkArchitecture shape{.planes = nn::default_planes(rules->info()), .blocks = 1, .channels = 8};
    models::CheckpointStore store(folder / "checkpoints");
    std::filesystem::create_directories(folder / "checkpoints");
    for (const int generation : {3, 4}) {
      models::Model checkpoint = models::make_model(*rules, nn::Learner(shape, {}, generation).network());
      checkpoint.manifest.set_generation(generation);
      store.add(checkpoint);
    }
  }

  static void TearDownTestSuite() { std::filesystem::remove_all(folder); }

  static EngineOptions with_network() {
    EngineOptions options;
    options.player = models::choose_player(folder.string(), {});
    return options;
  }

  // Writes a broken copy of the latest checkpoint and returns its path.
  static std::filesystem::path broken(const std::string& name,
                                      const std::function<void(std::string*)>& damage) {
    std::ifstream in(models::find_checkpoint(folder.string()), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    damage(&bytes);
    std::filesystem::path path = folder / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static std::string why_not(const std::filesystem::path& player, const std::string& ruleset = "makyek") {
    try {
      EngineOptions options;
      options.player = models::choose_player(player.string(), {.ruleset = ruleset});
      const Engine engine(*game::make_game(ruleset), options);
    } catch (const models::Error& error) {
      return error.what();
    }
    return "it loads";
  }

  static inline std::filesystem::path folder;
};

PlayedGame new_game(const std::string& ruleset = "makyek") { return PlayedGame(*game::make_game(ruleset)); }

TEST_F(EngineTest, ARunFolderMeansItsLatestCheckpoint) {
  const PlayedGame game = new_game();
  const Engine engine(game.rules_pointer(), with_network());
  EXPECT_THAT(engine.description(), HasSubstr("generation 4"));
}

TEST_F(EngineTest, ANetworkSearchesExactlyTheSimulationsAskedFor) {
  const PlayedGame game = new_game();
  Engine engine(game.rules_pointer(), with_network());
  EXPECT_EQ(engine.search(game, {.nodes = 100}).nodes, 100u);
}

TEST_F(EngineTest, TheSameSeedThinksTheSame) {
  const PlayedGame game = new_game();
  Engine one(game.rules_pointer(), with_network()), other(game.rules_pointer(), with_network());
  const SearchInfo a = one.search(game, {.nodes = 64}), b = other.search(game, {.nodes = 64});
  EXPECT_EQ(a.lines.front().moves, b.lines.front().moves);
  EXPECT_EQ(a.lines.front().centipawns, b.lines.front().centipawns);
}

TEST_F(EngineTest, TheTreeIsKeptFromMoveToMoveAndDroppedAfterUndo) {
  PlayedGame game = new_game();
  Engine engine(game.rules_pointer(), with_network());
  for (int ply = 0; ply < 4; ++ply) game.play(engine.search(game, {.nodes = 32}).best());
  game.undo();
  game.undo();
  const SearchInfo info = engine.search(game, {.nodes = 32});
  EXPECT_TRUE(game::parse_move(game.rules(), game.position(),
                               game::move_text(game.rules(), game.position(), info.best())));
}

TEST_F(EngineTest, AWholeGameIsPlayedToItsEnd) {
  PlayedGame game = new_game("makyek:max_plies=40");
  EngineOptions options;
  options.player = models::choose_player("alphabeta:1", {});
  Engine engine(game.rules_pointer(), options);
  while (!game.outcome().over()) game.play(engine.search(game, {}).best());
  EXPECT_LE(game.actions().size(), 40u);
}

TEST_F(EngineTest, StopEndsASearchWithoutLimitAndItsAnswerIsHeldUntilThen) {
  const PlayedGame game = new_game();
  Engine engine(game.rules_pointer(), with_network());
  std::mutex mutex;
  int answers = 0;
  SearchHandlers handlers;
  handlers.info = [](const SearchInfo&) {};
  handlers.finished = [&](const SearchInfo&) {
    const std::scoped_lock lock(mutex);
    ++answers;
  };
  handlers.failed = [](const std::string& why) { FAIL() << why; };
  engine.start(game, {.nodes = 1}, true, handlers);
  {
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(answers, 0);
  }
  engine.stop();
  engine.wait();
  EXPECT_EQ(answers, 1);
}

TEST_F(EngineTest, ALineOfTheNetworkIsPlayable) {
  const PlayedGame game = new_game();
  Engine engine(game.rules_pointer(), with_network());
  PlayedGame line = game;
  const SearchInfo info = engine.search(game, {.nodes = 200});
  for (const game::Move move : info.lines.front().moves) {
    ASSERT_TRUE(game::parse_move(line.rules(), line.position(),
                                 game::move_text(line.rules(), line.position(), move)));
    line.play(move);
  }
}

TEST_F(EngineTest, OnlyTheMovesAskedForAreConsidered) {
  const PlayedGame game = new_game();
  EngineOptions options = with_network();
  options.lines = 0;
  Engine engine(game.rules_pointer(), options);
  engine.search(game, {.nodes = 32});
  const SearchInfo info =
      engine.search(game, {.nodes = 32, .search_moves = {game.legal()[7], game.legal()[3]}});
  EXPECT_EQ(info.lines.size(), 2u);
  EXPECT_EQ(info.raw->priors.size(), static_cast<size_t>(game.legal().size()));
  const auto all = engine.search(game, {.nodes = 400});
  EXPECT_GT(all.lines.size(), 2u);
}

TEST_F(EngineTest, AMateIsFoundByTheShortestWay) {
  const game::GamePtr rules = *game::make_game("makruk");
  const PlayedGame game(rules, *game::parse_position(*rules, "7k/R7/1R6/8/8/8/8/K7 w - - 0 1"));
  Engine engine(rules, {});
  EXPECT_EQ(engine.search(game, {.mate = 3}).lines.front().end_in_plies, 1);
}

TEST_F(EngineTest, AProvenWinEndsTheTreeSearchAndGivesItsLength) {
  const game::GamePtr rules = *game::make_game("makruk");
  const PlayedGame game(rules, *game::parse_position(*rules, "7k/R7/1R6/8/8/8/8/K7 w - - 0 1"));
  EngineOptions options;
  options.player = models::choose_player("rollout", {});
  Engine engine(rules, options);
  const SearchInfo info = engine.search(game, {.nodes = 20000});
  EXPECT_TRUE(info.lines.front().end_in_plies.has_value());
  EXPECT_EQ(info.value.win, 1);
  EXPECT_LT(info.nodes, 20000u);
}

TEST_F(EngineTest, ATemperatureDrawsMovesThatAreNotTheBestAndTheSameOnesAgain) {
  const PlayedGame game = new_game();
  std::set<std::uint16_t> drawn;
  for (int seed = 1; seed <= 8; ++seed) {
    EngineOptions options = with_network();
    options.seed = seed;
    Engine one(game.rules_pointer(), options), other(game.rules_pointer(), options);
    const game::Move move = one.search(game, {.nodes = 32, .temperature = 2}).best();
    EXPECT_EQ(other.search(game, {.nodes = 32, .temperature = 2}).best(), move);
    drawn.insert(move.bits());
  }
  EXPECT_GT(drawn.size(), 1u);
}

TEST_F(EngineTest, ATreeThatFillsItsMemoryEndsTheSearch) {
  const PlayedGame game = new_game();
  EngineOptions options = with_network();
  options.memory = 1 << 20;
  Engine engine(game.rules_pointer(), options);
  EXPECT_EQ(engine.search(game, {}).hashfull, 1000);
}

TEST_F(EngineTest, AMissingDeviceIsNamed) {
  EngineOptions options = with_network();
  options.backend.device = "gpu9";
  EXPECT_THROW(Engine(new_game().rules_pointer(), options), models::Error);
}

TEST_F(EngineTest, CentipawnsAndExpectationsAreInverse) {
  for (const float expected : {-0.9f, -0.3f, 0.0f, 0.5f, 0.95f}) {
    EXPECT_NEAR(mcts::to_expected(mcts::to_centipawns(expected)), expected, 0.01);
  }
  EXPECT_EQ(mcts::to_centipawns(0), 0);
}

// --- What cannot play, each with its reason. ---

TEST_F(EngineTest, AMissingFileIsNamed) { EXPECT_THAT(why_not("no/such.mzc"), HasSubstr("no/such.mzc")); }

TEST_F(EngineTest, AnEmptyRunSaysWhatToDo) {
  const std::filesystem::path empty = folder / "empty";
  std::filesystem::create_directories(empty);
  EXPECT_THAT(why_not(empty), HasSubstr("no checkpoint in this run yet"));
}

TEST_F(EngineTest, ATruncatedFileIsRefused) {
  const auto path = broken("truncated.mzc", [](std::string* bytes) { bytes->resize(bytes->size() / 2); });
  EXPECT_THAT(why_not(path), testing::AllOf(HasSubstr("truncated.mzc"), testing::Not(HasSubstr("it loads"))));
}

TEST_F(EngineTest, AFlippedByteIsRefused) {
  const auto path = broken("flipped.mzc", [](std::string* bytes) { (*bytes)[bytes->size() / 2] ^= 1; });
  EXPECT_THAT(why_not(path), HasSubstr("flipped.mzc"));
}

TEST_F(EngineTest, AForeignFileIsRefused) {
  const auto path = broken("foreign.mzc", [](std::string* bytes) { *bytes = "PK\x03\x04 not one of ours"; });
  EXPECT_THAT(why_not(path), HasSubstr("foreign.mzc"));
}

TEST_F(EngineTest, AnEmptyFileIsRefused) {
  const auto path = broken("empty.mzc", [](std::string* bytes) { bytes->clear(); });
  EXPECT_THAT(why_not(path), HasSubstr("empty.mzc"));
}

TEST_F(EngineTest, ANetworkOfAnotherGameIsRefused) {
  EXPECT_THAT(why_not(folder, "makruk"), HasSubstr("makyek"));
}

TEST_F(EngineTest, AnAlphaBetaWithAWrongDepthIsRefused) {
  EXPECT_THAT(why_not("alphabeta:"), HasSubstr("did you mean 'alphabeta'?"));
  EXPECT_THAT(why_not("alphabeta:-2"), HasSubstr("a depth from 1 to 64"));
}

}  // namespace
}  // namespace makzero::play
