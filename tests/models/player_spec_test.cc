// Tests of players: reading them from text, and what each kind chooses.
#include "models/player/player_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/uniform_evaluator.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/player/built_in_players.h"
#include "models/player/player.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "models/zoo.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "tests/support/two_networks.h"

namespace makzero::models {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string why_not(const std::string& text) { return parse_player(text, {"no-run"}).why(); }

TEST(ParsePlayerTest, ReadsTheLadder) {
  for (const BuiltInPlayer& row : built_in_players()) {
    const PlayerSpec player = *parse_player(std::string(row.name), {});
    EXPECT_EQ(get<PlayerSpec::BuiltIn>(player.kind).name, row.name);
    EXPECT_EQ(player.name(), row.name);
    for (const std::string& rung : row.rungs) EXPECT_EQ(parse_player(rung, {})->name(), rung);
  }
  EXPECT_EQ(parse_player("alphabeta:3", {})->strength.depth, 3);
  EXPECT_EQ(parse_player("rollout:100", {})->strength.nodes, 100);
  EXPECT_EQ(parse_player("material:64", {})->strength.nodes, 64);
  const UciSettings engine = get<UciSettings>(parse_player("uci:engine --fast?nodes=5", {})->kind);
  EXPECT_EQ(engine.command, "engine --fast");
  EXPECT_EQ(engine.go, "go nodes 5");
}

TEST(ParsePlayerTest, NamesAreTheSameHoweverTheNumberIsWritten) {
  EXPECT_EQ(parse_player("alphabeta:03", {})->name(), "alphabeta:3");
}

TEST(ParsePlayerTest, EveryPlayerThatSearchesTakesAProcessorTime) {
  for (const char* text : {"alphabeta?ms=100", "rollout?ms=100", "material?ms=100", "control?ms=100",
                           "uci:engine?ms=100", "xboard:engine --fast?ms=100"}) {
    const game::Parsed<PlayerSpec> player = parse_player(text, {});
    ASSERT_TRUE(player) << player.why();
    EXPECT_EQ(player->strength.time, std::chrono::milliseconds(100)) << text;
    EXPECT_EQ(player->name(), text);
  }
  EXPECT_EQ(parse_player("material:64", {})->strength.time, std::nullopt);
}

TEST(ParsePlayerTest, AnEngineMayHaveALimitOfItsOwn) {
  for (const char* text : {"uci:engine?nodes=5", "uci:engine?movetime=5", "uci:engine?ms=5",
                           "xboard:engine?clock=50", "xboard:engine?depth=3"})
    EXPECT_TRUE(parse_player(text, {})->limited()) << text;
  for (const char* text : {"uci:engine", "uci:engine?Hash=8", "xboard:engine?timeout=3"})
    EXPECT_FALSE(parse_player(text, {})->limited()) << text;
}

TEST(ParsePlayerTest, ADefaultTimeIsForPlayersWithoutALimitAndPartOfTheirNames) {
  const auto name = [](const char* text) {
    return with_default_time(*parse_player(text, {}), std::chrono::milliseconds(20)).name();
  };
  EXPECT_EQ(name("uci:engine"), "uci:engine?ms=20");
  EXPECT_EQ(name("uci:engine?Hash=8"), "uci:engine?Hash=8&ms=20");
  EXPECT_EQ(name("alphabeta"), "alphabeta?ms=20");
  for (const char* text : {"uci:engine?nodes=5", "xboard:engine?clock=50", "alphabeta:3", "random"})
    EXPECT_EQ(name(text), text);
}

TEST(ParsePlayerTest, ATimeAndANumberAreRefusedTogether) {
  for (const char* text : {"alphabeta:3?ms=100", "rollout:10?ms=100", "material:64?ms=100"})
    EXPECT_THAT(why_not(text), HasSubstr("takes one of a strength, ms=N")) << text;
  for (const char* text : {"uci:engine?ms=100&nodes=5", "xboard:engine?clock=50&ms=100"})
    EXPECT_THAT(why_not(text), HasSubstr("stands alone")) << text;
}

TEST(ParsePlayerTest, WrongOptionsAreRefusedWithTheReason) {
  for (const char* text :
       {"material?ms=0", "material?ms=soon", "alphabeta?ms", "rollout?ms=3600001", "uci:x?ms=-1"})
    EXPECT_THAT(why_not(text), HasSubstr("must be a number of milliseconds from 1 to 3600000")) << text;
  EXPECT_THAT(why_not("greedy?temperature=2"), HasSubstr("takes no strength"));
  EXPECT_THAT(why_not("material?mss=100"), HasSubstr("unknown option 'mss'; ms= is"));
  EXPECT_THAT(why_not("material?ms=100&ms=200"), HasSubstr("'ms' is there twice"));
  EXPECT_THAT(why_not("gredy?ms=100"), HasSubstr("did you mean 'greedy'?"));
}

// The words of a list in player_help(), between these two texts.
std::vector<std::string> help_words(const std::string& from, const std::string& to) {
  const std::string help = player_help();
  const size_t begin = help.find(from) + from.size();
  std::istringstream list(help.substr(begin, help.find(to, begin) - begin));
  std::vector<std::string> words;
  for (std::string word; std::getline(list, word, ',');) {
    word.erase(0, word.find_first_not_of(" \n"));
    words.push_back(word.substr(0, word.find(' ')));
  }
  return words;
}

TEST(ParsePlayerTest, TheHelpNamesPlayersAndKeysThatAreRead) {
  const std::vector<std::string> names = help_words("NAME: ", ".\nSTRENGTH");
  ASSERT_GT(names.size(), 10u);
  for (const std::string& name : names) {
    const bool is_place = name == "FILE" || name == "RUN" || name.ends_with(":COMMAND");
    const std::string why = parse_player(name, {"no-run", "makyek"}).why();
    EXPECT_TRUE(is_place || why.find("neither a player nor") == std::string::npos) << name << why;
  }
  const std::vector<std::string> keys = help_words("KEY: ", ", of engines");
  ASSERT_EQ(keys.size(), 9u);
  for (const std::string& key : keys)
    EXPECT_THAT(why_not("material?" + key + "=x"), Not(HasSubstr("unknown option"))) << key;
}

TEST(ParsePlayerTest, AMisspeltPlayerIsSuggested) {
  EXPECT_THAT(why_not("alphabta:3"), HasSubstr("did you mean 'alphabeta'?"));
  EXPECT_THAT(why_not("gredy"), HasSubstr("did you mean 'greedy'?"));
}

TEST(ParsePlayerTest, NumbersOutOfRangeAreRefused) {
  for (const char* text :
       {"alphabeta:0", "alphabeta:65", "rollout:-1", "material:0", "material?nodes=0", "alphabeta?depth=65"})
    EXPECT_THAT(why_not(text), HasSubstr("1 to ")) << text;
  for (const char* text : {"alphabeta:", "alphabeta:x", "alphabeta:3x"})
    EXPECT_THAT(why_not(text), HasSubstr("did you mean 'alphabeta'?")) << text;
}

TEST(ParsePlayerTest, AMissingCheckpointIsRefusedWithWhatThereIs) {
  EXPECT_THAT(why_not("latest"), HasSubstr("no such checkpoint in 'no-run/checkpoints'"));
  EXPECT_THAT(why_not("nothing-here.mzc"), HasSubstr("No such file"));
}

// A small network in a zoo of its own.
class ParseSmallPlayerTest : public FolderTest {
 protected:
  ParseSmallPlayerTest() {
    setenv("MAKZERO_ZOO", folder_.c_str(), 1);
    const mcts::SmallNetwork network =
        makzero::testing::random_small_network((*game::make_game("makyek"))->info(), 1);
    write_model(file_, make_model(network));
    name_ = "small-" + small_network_id(network);
  }
  ~ParseSmallPlayerTest() override { setenv("MAKZERO_ZOO", "", 1); }

  static std::string why_not(const std::string& text) {
    return parse_player(text, {"no-run", "makyek"}).why();
  }

  const std::filesystem::path file_ = Zoo(folder_).entry("makyek").network();
  std::string name_;
};

TEST_F(ParseSmallPlayerTest, TheZoosAndAFileTakeADepthOrATime) {
  for (const std::string& who : {std::string("small"), file_.string()}) {
    for (const auto& [text, depth, name] : {std::tuple(who, 8, name_ + ":8"),
                                            {who + ":3", 3, name_ + ":3"},
                                            {who + "?ms=20", 0, name_ + "?ms=20"}}) {
      const game::Parsed<PlayerSpec> player = parse_player(text, {"no-run", "makyek:jump=on"});
      ASSERT_TRUE(player) << player.why();
      EXPECT_EQ(get<PlayerSpec::Small>(player->kind).file, file_);
      const PlayerSpec full = with_default_strength(*player, 64);
      EXPECT_EQ(full.strength.depth.value_or(0), depth);
      EXPECT_EQ(full.strength.time.has_value(), depth == 0);
      EXPECT_EQ(full.name(), name);
    }
  }
}

TEST_F(ParseSmallPlayerTest, WhatDoesNotFitIsRefused) {
  for (const std::string& who : {std::string("small"), file_.string()}) {
    for (const char* depth : {":0", ":65", ":-1"})
      EXPECT_THAT(why_not(who + depth), HasSubstr("a depth from 1 to 64")) << depth;
    EXPECT_THAT(why_not(who + ":3?ms=20"), HasSubstr("takes one of a strength, ms=N"));
  }
  EXPECT_THAT(parse_player("small", {"no-run", "rek"}).why(), HasSubstr("no small network for 'rek'"));
  EXPECT_THAT(why_not("nothing-here.mzs"), HasSubstr("No such file"));
  put_file(file_, flipped(read_text_file(file_), 1000));
  EXPECT_THAT(why_not("small:3"), HasSubstr("the file is damaged"));
}

TEST_F(ParseSmallPlayerTest, ItPlaysItsGameAlone) {
  for (const char* text : {":2", "?ms=1"}) {
    const PlayerSpec spec = *parse_player(file_.string() + text, {"no-run"});
    const game::GamePtr makyek = *game::make_game("makyek:jump=on"), rek = *game::make_game("rek");
    EXPECT_NE(load_player(*makyek, spec), nullptr);
    EXPECT_THAT(error_of([&] { load_player(*rek, spec); }), HasSubstr("of 'makyek' and cannot play 'rek'"));
  }
}

TEST_F(ParseSmallPlayerTest, AFileGivesItsSearchOtherOptions) {
  const std::filesystem::path options = folder_ / "options/less.txt";
  std::filesystem::create_directory(options.parent_path());
  const game::GamePtr makyek = *game::make_game("makyek");
  for (const std::string& who : {"small?depth=4&options=" + options.string(),
                                 file_.string() + "?options=" + options.string() + "&depth=4"}) {
    const auto spec = parse_player(who, {"no-run", "makyek"});
    ASSERT_TRUE(spec) << spec.why();
    EXPECT_EQ(spec->name(), name_ + "+less.txt:4");
    put_file(options, "lmp_deep = 4");
    EXPECT_THAT(error_of([&] { load_player(*makyek, *spec); }),
                HasSubstr("less.txt: line 1: there is no option 'lmp_deep'"));
    put_file(options, "lmp_depth = 4");
    EXPECT_NE(load_player(*makyek, *spec), nullptr);
  }
  EXPECT_THAT(why_not("alphabeta?options=x"), HasSubstr("options=FILE is for small networks"));
  EXPECT_THAT(why_not("auto?options=x"), HasSubstr("options=FILE is for small networks"));
}

// Files that hold both networks and one alone, and a run whose checkpoint holds both.
class ParseNetworkTest : public FolderTest {
 protected:
  ParseNetworkTest() {
    const Model both = both_networks("makyek");
    write_model(file("both"), both);
    write_model(file("tower"), stub_tower("makyek"));
    write_model(file("small"), make_model(both.small_networks.front()));
    std::filesystem::create_directories(folder_ / "run/checkpoints");
    CheckpointStore(folder_ / "run/checkpoints").add(both);
    tower_ = both.tower_id();
    small_ = "small-" + small_network_id(both.small_networks.front());
  }

  std::string file(const std::string& name) const { return (folder_ / (name + ".mzc")).string(); }

  game::Parsed<PlayerSpec> parse(const std::string& text, const std::string& device = "cpu") const {
    return parse_player(text, {folder_ / "run", "makyek:jump=on", device});
  }
  std::string name(const std::string& text, const std::string& device = "cpu") const {
    const game::Parsed<PlayerSpec> player = parse(text, device);
    return player ? player->name() : player.why();
  }

  std::string tower_, small_;
};

TEST_F(ParseNetworkTest, OfBothTheSmallOnePlaysOnACpuAndTheTowerOnACard) {
  for (const std::string& who : {file("both"), (folder_ / "run").string(), std::string("latest"),
                                 std::string("best"), std::string("0")}) {
    EXPECT_EQ(name(who), small_);
    EXPECT_EQ(name(who + "?ms=20"), small_ + "?ms=20");
    for (const char* card : {"cuda", "cuda:1"}) EXPECT_EQ(name(who, card), tower_);
    EXPECT_EQ(name(who + ":8", "cuda"), tower_ + ":8");
  }
  for (const char* device : {"cpu", "cuda"}) {
    EXPECT_EQ(name(file("tower"), device), tower_);
    EXPECT_EQ(name(file("small"), device), small_);
  }
  EXPECT_EQ(parse_player(file("both"), {"", "rek"})->name(), tower_) << "it has no small network of Rek";
}

TEST_F(ParseNetworkTest, TheKeyNamesOne) {
  for (const char* device : {"cpu", "cuda"}) {
    for (const std::string& who : {file("both"), (folder_ / "run").string(), std::string("latest")}) {
      EXPECT_EQ(name(who + ":8?network=tower", device), tower_ + ":8");
      EXPECT_EQ(name(who + ":8?network=small", device), small_ + ":8");
      EXPECT_EQ(name(who + "?network=tower&nodes=9", device), tower_ + ":9");
      EXPECT_EQ(name(who + "?ms=20&network=small", device), small_ + "?ms=20");
    }
  }
}

TEST_F(ParseNetworkTest, KeysOfOneKindNameItToo) {
  EXPECT_EQ(name(file("both") + "?options=less.txt", "cuda"), small_ + "+less.txt");
  EXPECT_EQ(name(file("both") + "?depth=3", "cuda"), small_ + ":3");
  EXPECT_EQ(name(file("both") + ":8?second=" + file("both"), "cpu"), tower_ + ":8+second=" + small_);
  EXPECT_THAT(name(file("both") + "?network=small&second=small"), HasSubstr("second= is for towers"));
  EXPECT_THAT(name(file("both") + "?network=tower&options=x"), HasSubstr("options=FILE is for small"));
  EXPECT_THAT(name(file("both") + "?network=tower&depth=3"), HasSubstr("depth=N is for alpha-beta"));
}

TEST_F(ParseNetworkTest, EndingsOfNetworksAreSwitchedOn) {
  EXPECT_EQ(name(file("small") + "?ms=20&endings=on"), small_ + "+endings?ms=20");
  EXPECT_EQ(name(file("tower") + ":8?endings=on"), tower_ + ":8+endings");
  EXPECT_EQ(name(file("small") + "?endings=off"), small_);
  EXPECT_THAT(name(file("small") + "?endings=yes"), HasSubstr("endings='yes' must be on or off"));
  EXPECT_THAT(name("control?endings=on"), HasSubstr("endings= is for networks"));
}

TEST_F(ParseNetworkTest, ANumberOfUnknownUnitIsRefused) {
  EXPECT_THAT(name(file("both") + ":64"), HasSubstr("add ?network=tower or ?network=small"));
  EXPECT_EQ(name(file("tower") + ":64"), tower_ + ":64");
}

TEST_F(ParseNetworkTest, ANetworkThatIsNotThereIsRefusedWithWhatTheFileHolds) {
  EXPECT_THAT(name(file("tower") + "?network=small"),
              HasSubstr("tower.mzc: has no small network, only a tower"));
  EXPECT_THAT(name(file("small") + "?network=tower"),
              HasSubstr("small.mzc: has no tower, only a small network"));
  EXPECT_THAT(parse_player(file("both") + "?network=small", {"", "rek"}).why(),
              HasSubstr("has a small network of 'makyek' and cannot play 'rek'"));
  EXPECT_THAT(name(file("both") + "?network=large"), HasSubstr("network='large' must be small or tower"));
  for (const char* text : {"control?network=small", "auto?network=tower"})
    EXPECT_THAT(name(text), HasSubstr("network= is for files and runs")) << text;
}

TEST_F(ParseNetworkTest, TheZoosNamesNameItsNetworks) {
  setenv("MAKZERO_ZOO", folder_.c_str(), 1);
  std::filesystem::create_directories(folder_ / "makyek");
  std::filesystem::rename(file("both"), Zoo(folder_).entry("makyek").network());
  for (const char* device : {"cpu", "cuda"}) {
    const PlayerPlaces places{"", "makyek", device};
    EXPECT_EQ(parse_player("zoo:64", places)->name(), tower_ + ":64");
    EXPECT_EQ(parse_player("small:8", places)->name(), small_ + ":8");
    EXPECT_EQ(parse_player("zoo:8?network=small", places)->name(), small_ + ":8");
  }
  // The tower of the family, and the game's own small network.
  std::filesystem::create_directories(folder_ / "custodial");
  std::filesystem::rename(file("tower"), Zoo(folder_).entry("custodial").network());
  std::filesystem::rename(file("small"), Zoo(folder_).entry("makyek").network());
  EXPECT_EQ(parse_player("zoo:64", {"", "makyek"})->name(), tower_ + ":64");
  EXPECT_EQ(parse_player("zoo:8?network=small", {"", "makyek"})->name(), small_ + ":8");
  setenv("MAKZERO_ZOO", "", 1);
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

  // The move of a player with that seed.
  std::string chosen_by(const std::string& text, std::uint64_t seed) const {
    const std::unique_ptr<Player> player = load_player(*game, *parse_player(text, {}));
    const std::unique_ptr<mcts::Searcher> searcher = player->make_searcher({});
    mcts::Limits limits = limits_of(*player);
    limits.seed = seed;
    searcher->begin({.position = &position, .history = &history, .legal = &legal, .start = &position},
                    limits);
    run(searcher.get(), player->evaluator.get());
    return move_text(*game, position, searcher->info().best());
  }

  game::GamePtr game;
  game::Position position;
  game::History history;
  game::MoveList legal;
};

TEST(RandomPlayerTest, PlaysEveryLegalMoveSoonerOrLater) {
  const Choice choice("makyek", "");
  std::set<std::string> chosen;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) chosen.insert(choice.chosen_by("random", seed));
  EXPECT_EQ(static_cast<int>(chosen.size()), choice.legal.size());
}

TEST(GreedyPlayerTest, TakesWhatIsWorthMost) {
  const Choice choice("makruk", "1k6/8/2p5/8/2r1n3/3P4/8/4K2R w");  // A rook or a knight.
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(choice.chosen_by("greedy", seed), "d3c4");
}

TEST(GreedyPlayerTest, ChoosesAmongEqualMovesAtRandom) {
  const Choice choice("makyek", "");
  std::set<std::string> chosen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) chosen.insert(choice.chosen_by("greedy", seed));
  EXPECT_GT(chosen.size(), 5u);
}

TEST(FortressPlayerTest, KeepsItsWallAndMovesBehindIt) {
  for (const char* name : {"makyek", "makyek-line", "makyek-low", "makyek-corner", "rek"}) {
    const game::GamePtr game = *game::make_game(name);
    game::GameState state(*game);
    const auto wall = game::kRank1 << 16, whole = wall | wall >> 8 | wall >> 16;
    const auto fortress = load_player(*game, *parse_player("fortress", {}));
    const auto attacker = load_player(*game, *parse_player("alphabeta:2", {}));
    const auto builder = fortress->make_searcher({}), searcher = attacker->make_searcher({});
    for (std::uint64_t ply = 0; !state.over(); ++ply) {
      mcts::Searcher& mover = ply % 2 == 0 ? *builder : *searcher;
      mover.begin({.position = &state.position(), .history = &state.history(), .legal = &state.legal()},
                  {.depth = 2, .seed = ply});
      run(&mover, nullptr);
      state.play(mover.info().best());
      ASSERT_EQ(state.position().side[0] & wall, wall) << name;
      ASSERT_EQ(game::size(state.position().side[0] & whole), 16) << name;
    }
    EXPECT_EQ(state.outcome().result, game::Result::kDraw) << name;
  }
}

class ControlPlayerTest : public FolderTest {
 protected:
  // The result of a player in the initial position.
  static mcts::SearchInfo searched(const game::Game& game, const std::string& text) {
    const std::unique_ptr<Player> player = load_player(game, *parse_player(text, {}));
    const std::unique_ptr<mcts::Searcher> searcher = player->make_searcher({});
    const game::GameState state(game);
    searcher->begin({.position = &state.position(), .history = &state.history(), .legal = &state.legal()},
                    limits_of(*player));
    run(searcher.get(), nullptr);
    return searcher->info();
  }
};

TEST_F(ControlPlayerTest, TakesTheLimitsOfASmallNetworkAndNoFile) {
  EXPECT_EQ(with_default_strength(*parse_player("control", {}), 64).name(), "control:8");
  EXPECT_EQ(with_default_strength(*parse_player("alphabeta", {}), 64).name(), "alphabeta:3");
  EXPECT_EQ(parse_player("control?nodes=1000", {})->name(), "control?nodes=1000");
  EXPECT_THAT(why_not("control?options=x"), HasSubstr("options=FILE is for small networks"));
  EXPECT_THAT(why_not("control:level=1"), HasSubstr("has no measured levels"));
  const game::GamePtr makruk = *game::make_game("makruk");
  EXPECT_EQ(load_player(*makruk, *parse_player("control", {}))->description,
            "control: a small network that has learnt nothing and counts material");
  EXPECT_EQ(searched(*makruk, "control?nodes=1000").nodes, 1000);
  EXPECT_EQ(searched(*makruk, "control:3").depth, 3);
  EXPECT_GE(searched(*makruk, "control?ms=10").elapsed, std::chrono::milliseconds(5));
}

TEST_F(ControlPlayerTest, SearchesAsASmallNetworkThatCountsMaterial) {
  const std::filesystem::path file = folder_ / "small.mzc";
  for (const char* name : {"makruk", "gala", "makyek:jump=on"}) {
    const game::GamePtr game = *game::make_game(name);
    write_model(file, make_model(mcts::material_small_network(game->info())));
    const mcts::SearchInfo control = searched(*game, "control:6"),
                           small = searched(*game, file.string() + ":6");
    EXPECT_EQ(control.nodes, small.nodes) << name;
    EXPECT_EQ(control.best(), small.best()) << name;
  }
}

TEST_F(ControlPlayerTest, BeatsRandomMoves) {
  const game::GamePtr makruk = *game::make_game("makruk");
  const auto control = load_player(*makruk, *parse_player("control?nodes=2000", {})),
             random = load_player(*makruk, *parse_player("random", {}));
  for (const int control_moves_at : {0, 1}) {
    const auto searcher = control->make_searcher({}), other = random->make_searcher({});
    game::GameState state(*makruk);
    for (int ply = 0; !state.over(); ++ply) {
      const bool own = ply % 2 == control_moves_at;
      mcts::Limits limits = limits_of(own ? *control : *random);
      limits.seed = static_cast<std::uint64_t>(ply);
      mcts::Searcher& mover = own ? *searcher : *other;
      mover.begin({.position = &state.position(), .history = &state.history(), .legal = &state.legal()},
                  limits);
      run(&mover, nullptr);
      state.play(mover.info().best());
    }
    EXPECT_EQ(state.outcome().result,
              control_moves_at == 0 ? game::Result::kWhiteWins : game::Result::kBlackWins);
  }
}

TEST(PlayerTest, SeesTheMate) {
  const Choice choice("makruk", "7k/8/6K1/8/8/8/r7/RR6 w");
  for (const char* text : {"greedy", "alphabeta:1", "material:32", "rollout:200", "alphabeta?nodes=1000",
                           "control:3", "control?nodes=1000"})
    EXPECT_EQ(choice.chosen_by(text, 1), "b1b8") << text;
}

TEST(PlayerTest, SeesTheGuard) {
  const Choice choice("makruk", "4k3/8/8/3n4/8/8/3R4/4K3 w");
  for (const char* text : {"material:32", "alphabeta:3"})
    EXPECT_EQ(choice.chosen_by(text, 1), "d2d5") << text;
}

}  // namespace
}  // namespace makzero::models
