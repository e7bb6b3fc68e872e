// Tests of matches: paired openings, the same match on any number of threads, both scores, stopping and
// failures.
#include "train/match/arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/player/child_process.h"
#include "train/match/match_game.h"
#include "train/match/match_opening.h"
#include "train/match/match_player.h"
#include "train/match/opening_maker.h"

namespace makzero::train {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const auto kGoOn = [](const MatchProgress&) { return true; };

models::PlayerSpec player(const std::string& text) {
  const game::Parsed<models::PlayerSpec> spec = models::parse_player(text, {"no-run"});
  EXPECT_TRUE(spec) << spec.why();
  return models::with_default_strength(*spec, models::kMatchSimulations);
}

MatchResult play(const std::string& ruleset, const std::string& a, const std::string& b,
                 const MatchOptions& options) {
  return play_match(**game::make_game(ruleset), player(a), player(b), options, kGoOn);
}

std::vector<std::uint32_t> opening_of(const MatchRecord& game) {
  return {game.moves().begin(), game.moves().begin() + game.opening_plies()};
}

// The records without the time at which they were played.
std::vector<std::string> timeless(std::vector<MatchRecord> games) {
  std::vector<std::string> texts;
  for (MatchRecord& game : games) {
    game.clear_played_unix();
    texts.push_back(game.SerializeAsString());
  }
  return texts;
}

TEST(ArenaTest, EachOpeningIsPlayedTwiceWithColoursExchanged) {
  const MatchResult result = play("makruk", "random", "random", {.games = 20, .opening_plies = 6});
  ASSERT_EQ(result.games.size(), 20u);
  for (size_t i = 0; i < result.games.size(); i += 2) {
    EXPECT_TRUE(result.games[i].a_is_white());
    EXPECT_FALSE(result.games[i + 1].a_is_white());
    EXPECT_EQ(opening_of(result.games[i]), opening_of(result.games[i + 1]));
    EXPECT_EQ(opening_of(result.games[i]).size(), 6u);
  }
  EXPECT_NE(opening_of(result.games[0]), opening_of(result.games[2]));
}

TEST(ArenaTest, TheSameSeedIsTheSameMatchOnAnyNumberOfThreads) {
  const auto games = [](int threads, std::uint64_t seed) {
    return timeless(
        play("makruk", "greedy", "rollout:4", {.games = 6, .seed = seed, .threads = threads}).games);
  };
  const std::vector<std::string> one = games(1, 5);
  EXPECT_EQ(one, games(3, 5));
  EXPECT_NE(one, games(1, 6));
}

TEST(ArenaTest, ARecordedGamePlaysThroughToItsResult) {
  const game::GamePtr game = *game::make_game("makyek");
  const MatchResult result = play("makyek", "greedy", "random", {.games = 4});
  for (const MatchRecord& record : result.games) {
    game::Position position = game->initial();
    game::History history(position);
    game::MoveList legal;
    game->legal_moves(position, &legal);
    int white_lead = 0, black_lead = 0;
    for (const std::uint32_t bits : record.moves()) {
      const auto move = game::Move::from_bits(static_cast<std::uint16_t>(bits));
      ASSERT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
      game->apply(move, &position);
      history.push(position);
      game->legal_moves(position, &legal);
      const int lead = game::material_lead(game->info(), position);
      white_lead = std::max(white_lead, lead);
      black_lead = std::max(black_lead, -lead);
    }
    EXPECT_EQ(record.white_lead(), white_lead);
    EXPECT_EQ(record.black_lead(), black_lead);
    const game::Outcome outcome = game->outcome(position, !legal.empty(), history.occurrences());
    EXPECT_EQ(static_cast<std::uint32_t>(outcome.result), record.result());
    EXPECT_EQ(static_cast<std::uint32_t>(outcome.reason), record.reason());
    const int men_left = game::size(position.occupied());
    EXPECT_EQ(record.captured(), 100 * (game::size(game->initial().occupied()) - men_left));
  }
}

TEST(ArenaTest, GreedyBeatsRandomByMaterial) {
  const MatchResult result = play("makyek", "greedy", "random", {.games = 20});
  EXPECT_GT(result.score.score_by_material(), 0.9);
  EXPECT_GT(result.score.captures_per_game, 5);
}

TEST(ArenaTest, ExchangingThePlayersExchangesTheScore) {
  const MatchScore forward = play("makruk", "greedy", "random", {.games = 10}).score;
  const MatchScore backward = play("makruk", "random", "greedy", {.games = 10}).score;
  EXPECT_GT(forward.score(), 0.6);
  EXPECT_LT(backward.score(), 0.4);
}

TEST(ArenaTest, AnOddNumberOfGamesIsRoundedUp) {
  EXPECT_EQ(play("makruk", "random", "random", {.games = 3}).score.games, 4);
}

TEST(ArenaTest, ProgressCountsEveryGameAndForeseesTheEnd) {
  std::vector<MatchProgress> reports;
  const models::PlayerSpec random = player("random");
  play_match(**game::make_game("makruk"), random, random, {.games = 8, .threads = 2},
             [&](const MatchProgress& now) { reports.push_back(now); });
  ASSERT_GE(reports.size(), 8u);
  EXPECT_EQ(reports.back().score.games, 8);
  EXPECT_EQ(reports.back().games, 8);
  EXPECT_EQ(reports.back().seconds_left, 0);
}

TEST(ArenaTest, AStoppedMatchKeepsWholePairs) {
  const models::PlayerSpec random = player("random");
  std::stop_source stop;
  const MatchResult result =
      play_match(**game::make_game("makruk"), random, random,
                 {.games = 400, .threads = 2, .stop = stop.get_token()}, [&](const MatchProgress& now) {
                   if (now.score.games >= 21) stop.request_stop();
                 });
  EXPECT_LT(result.score.games, 100);
  EXPECT_GT(result.score.games, 10);
  EXPECT_EQ(result.games.size() % 2, 0u);
  for (size_t i = 0; i < result.games.size(); i += 2) {
    EXPECT_EQ(opening_of(result.games[i]), opening_of(result.games[i + 1]));
  }
}

TEST(ArenaTest, ASequentialTestEndsTheMatchOnceItIsDecided) {
  MatchOptions options{.games = 2000, .threads = 1, .test = SequentialTest{.elo1 = 100, .by_material = true}};
  const MatchResult better = play("makyek", "greedy", "random", options);
  EXPECT_LT(better.games.size(), 1000u);
  EXPECT_GE(better.test->ratio, better.test->upper);
  const MatchResult worse = play("makyek", "random", "greedy", options);
  EXPECT_LE(worse.test->ratio, worse.test->lower);
  EXPECT_THAT(match_json(worse), HasSubstr("\"better\":\"no\""));
}

TEST(ArenaTest, ASequentialTestCutsGamesUnlessTheyArePlayedOut) {
  for (const bool played_out : {false, true}) {
    const MatchResult result =
        play("makruk", "alphabeta:3", "random",
             {.games = 4, .threads = 1, .test = SequentialTest{.elo1 = 1}, .played_out = played_out});
    const auto cut = [](const MatchRecord& game) {
      return static_cast<game::Reason>(game.reason()) == game::Reason::kResignation;
    };
    EXPECT_NE(std::ranges::any_of(result.games, cut), played_out);
  }
}

// All games of a batch end with the same ply.
TEST(ArenaTest, GamesThatEndAfterTheDecisionOfATestDoNotChangeIt) {
  const models::PlayerSpec a = player("material:8"), b = player("random");
  std::optional<SequentialState> decision;
  const MatchResult result = play_match(**game::make_game("makyek:max_plies=20,limit_result=material"), a, b,
                                        {.games = 120, .threads = 1, .test = SequentialTest{.elo1 = 100}},
                                        [&](const MatchProgress& now) {
                                          if (!decision && now.test && now.test->decided())
                                            decision = now.test;
                                        });
  ASSERT_TRUE(decision);
  EXPECT_EQ(result.games.size(), 120u);
  EXPECT_EQ(result.test->ratio, decision->ratio);
}

TEST(ArenaTest, AMatchInPartsIsTheSameMatch) {
  const game::GamePtr game = *game::make_game("makruk");
  const auto openings = parse_openings(*game, "startpos\nstartpos moves a3a4\nstartpos moves b3b4", "file");
  for (const std::vector<MatchOpening>& written : {std::vector<MatchOpening>{}, openings->openings}) {
    const MatchResult whole = play("makruk", "random", "greedy", {.games = 8, .openings = written});
    const MatchResult part =
        play("makruk", "random", "greedy", {.games = 4, .first_pair = 2, .openings = written});
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(part.games[i].seed(), whole.games[4 + i].seed());
      EXPECT_EQ(part.games[i].a_is_white(), whole.games[4 + i].a_is_white());
      EXPECT_TRUE(std::ranges::equal(part.games[i].moves(), whole.games[4 + i].moves()));
    }
  }
}

TEST(ArenaTest, TheProcessorTimeOfBothPlayersIsMeasured) {
  const MatchResult result = play("makyek", "random", "material:16", {.games = 4});
  ASSERT_TRUE(result.ms_per_move_a && result.ms_per_move_b);
  EXPECT_GT(*result.ms_per_move_a, 0);
  EXPECT_GT(*result.ms_per_move_b, 10 * *result.ms_per_move_a);
  const auto json = nlohmann::json::parse(match_json(result));
  EXPECT_EQ(json["ms_per_move_a"], *result.ms_per_move_a);
  EXPECT_EQ(json["ms_per_move_b"], *result.ms_per_move_b);
}

TEST(ArenaTest, APlayerByTimeUsesAboutThatTimePerMove) {
  const MatchResult result = play("makyek:max_plies=40", "material?ms=5", "alphabeta?ms=10", {.games = 2});
  EXPECT_GT(*result.ms_per_move_a, 2);
  EXPECT_LT(*result.ms_per_move_a, 20);
  EXPECT_GT(*result.ms_per_move_b, 4);
  EXPECT_LT(*result.ms_per_move_b, 40);
  EXPECT_EQ(result.games[1].player_a(), "material?ms=5");
  EXPECT_EQ(result.games[1].player_b(), "alphabeta?ms=10");
}

TEST(ArenaTest, EveryKindOfPlayerPlaysByTime) {
  for (const char* kind : {"random?ms=2", "greedy?ms=2", "rollout?ms=2"})
    EXPECT_EQ(play("makyek:max_plies=20", kind, "alphabeta?ms=2", {.games = 2}).score.games, 2) << kind;
}

TEST(ArenaTest, WrittenOpeningsArePlayedTwiceInTheirOrderAndRepeated) {
  const game::GamePtr game = *game::make_game("makruk");
  const std::string start = "4k3/8/8/3n4/8/8/3R4/4K3 b - - 0 1";
  const auto openings = parse_openings(*game, "startpos moves a3a4 h6h5 b3b4\n" + start + "\n", "file");
  ASSERT_TRUE(openings) << openings.why();
  const MatchResult result = play("makruk", "random", "random", {.games = 6, .openings = openings->openings});
  ASSERT_EQ(result.games.size(), 6u);
  for (const size_t number : {0, 1, 4, 5}) {
    EXPECT_EQ(opening_of(result.games[number]).size(), 3u);
    EXPECT_EQ(opening_of(result.games[number]), opening_of(result.games[0]));
    EXPECT_EQ(result.games[number].start(), "");
  }
  for (const size_t number : {2, 3}) {
    EXPECT_EQ(result.games[number].opening_plies(), 0u);
    EXPECT_EQ(*parse_position(*game, result.games[number].start()), *parse_position(*game, start));
  }
  EXPECT_NE(result.games[0].seed(), result.games[4].seed());
}

TEST(MatchPlayerTest, AnXboardProgramTellsNoScore) {
  const game::GamePtr game = *game::make_game("makyek");
  const auto opening = parse_openings(*game, "startpos moves a3a4 h6h5", "file")->openings.front();
  const MatchGame reached(*game, 0, 1, opening);
  const Turn turn = reached.turn();
  const auto choice_of = [&](const std::string& text) {
    return MatchPlayer(*game, *models::parse_player(text, {}), {}).choose({&turn, 1}).front();
  };
  const std::string script = "/fake_engine.sh' b3b4";
  EXPECT_FALSE(choice_of("xboard:sh '" MAKZERO_TEST_DATA "/xboard" + script).expected);
  EXPECT_TRUE(choice_of("uci:sh '" MAKZERO_TEST_DATA "/uci" + script).expected);
}

TEST(ArenaTest, AFailingPlayerEndsTheMatchWithItsReason) {
  const std::string engine = "uci:sh '" MAKZERO_TEST_DATA "/uci/fake_engine.sh' z9z9";
  try {
    play("makyek", "random", engine, {.games = 4, .threads = 2});
    FAIL() << "the illegal move went unnoticed";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("played 'z9z9'"));
  }
}

TEST(MatchOpeningTest, LeavesTheGameUndecidedAndTheSidesClose) {
  const game::GamePtr game = *game::make_game("makyek");
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    game::Position position = game->initial();
    for (const game::Move move : draw_match_opening(*game, 12, seed)) game->apply(move, &position);
    EXPECT_LE(std::abs(game::size(position.side[0]) - game::size(position.side[1])), 2);
  }
}

TEST(MatchOpeningTest, EveryRulesetHasOpenings) {
  for (const std::string& ruleset : game::ruleset_names())
    EXPECT_EQ(draw_match_opening(**game::make_game(ruleset), 4, 1).size(), 4u) << ruleset;
}

TEST(MatchOpeningTest, TooLongAnOpeningIsRefused) {
  EXPECT_THROW(draw_match_opening(**game::make_game("makyek:max_plies=50"), 60, 1), models::Error);
}

TEST(ParseOpeningsTest, ReadsPositionsAndMovesBetweenComments) {
  const game::GamePtr game = *game::make_game("makyek");
  const auto openings = parse_openings(*game,
                                       "# two openings\n\nstartpos moves a3a4 h6h5  # the edge\r\n"
                                       "  mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMM1 b moves h6h5\nstartpos",
                                       "file");
  ASSERT_TRUE(openings) << openings.why();
  const std::vector<MatchOpening>& read = openings->openings;
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].start, game->initial());
  EXPECT_EQ(read[0].moves.size(), 2u);
  EXPECT_EQ(read[1].start.to_move, game::Color::kBlack);
  EXPECT_EQ(read[1].moves.size(), 1u);
  EXPECT_TRUE(read[2].moves.empty());
  EXPECT_FALSE(openings->exam);
}

TEST(ParseOpeningsTest, NamesFileLineAndReason) {
  const game::GamePtr game = *game::make_game("makruk");
  const auto why = [&](const std::string& text) { return parse_openings(*game, text, "my.txt").why(); };
  EXPECT_THAT(why("startpos\nstartpos moves a3a5\n"), StartsWith("my.txt:2: "));
  EXPECT_THAT(why("startpos moves a3a5"), HasSubstr("a3a5"));
  EXPECT_THAT(why("startpos a3a4"), StartsWith("my.txt:1: "));
  EXPECT_THAT(why("nowhere\n# fine\n9/8 w\n"), AllOf(HasSubstr("my.txt:1: "), HasSubstr("my.txt:3: ")));
  EXPECT_THAT(why("7k/8/6K1/8/8/8/r7/RR6 w moves b1b8"), HasSubstr("the game is over after 1 moves"));
  EXPECT_THAT(why("# nothing\n"), HasSubstr("my.txt: no opening in it"));
  const std::string five = why("a3a4\na3a4\na3a4\na3a4\na3a4\n");
  EXPECT_THAT(
      five, AllOf(HasSubstr("my.txt:3: "), Not(HasSubstr("my.txt:4: ")), EndsWith("and 2 more lines of it")));
}

TEST(MakeOpeningsTest, TheyAreLevelDifferentAndNew) {
  const game::GamePtr game = *game::make_game("makyek");
  const OpeningRequest request{
      .judge = player("alphabeta:2"), .openings = 10, .plies = 10, .most_expected = 0.01f};
  int calls = 0;
  const std::vector<MatchOpening> openings = make_openings(*game, request, [&](int, int) { ++calls; });
  ASSERT_EQ(openings.size(), 10u);
  EXPECT_GT(calls, 10);  // Some of them were not level.
  const std::set<std::uint64_t> ends = ends_of(*game, openings);
  EXPECT_EQ(ends.size(), 10u);

  const auto book = parse_openings(*game, openings_text(*game, {openings, true}, "about"), "file");
  ASSERT_TRUE(book) << book.why();
  EXPECT_TRUE(book->exam);
  EXPECT_EQ(ends_of(*game, book->openings), ends);

  OpeningRequest others = request;
  others.avoided = ends;
  for (const std::uint64_t end : ends_of(*game, make_openings(*game, others, [](int, int) {})))
    EXPECT_FALSE(ends.contains(end));
}

// Positions of models/leads, from which leads are played out: in each a side is four to five men ahead, in
// those of "8v4" and "12v8" it is that many men.
TEST(LeadsTest, ASideLeadsInEach) {
  const std::vector<std::tuple<const char*, const char*, int, std::size_t>> files = {
      {"makruk", "makruk.txt", 0, 200},
      {"rek", "rek.txt", 0, 200},
      {"makyek", "makyek-8v4.txt", 8, 154},
      {"makyek", "makyek-12v8.txt", 12, 53}};
  for (const auto& [name, file, men, positions] : files) {
    const game::GamePtr game = *game::make_game(name);
    const std::filesystem::path path = std::filesystem::path(MAKZERO_LEADS) / file;
    const auto book = parse_openings(*game, models::read_text_file(path), path.string());
    ASSERT_TRUE(book) << book.why();
    EXPECT_EQ(book->openings.size(), positions);
    for (const MatchOpening& opening : book->openings) {
      EXPECT_TRUE(opening.moves.empty());
      const int white = material(game->info(), opening.start, game::Color::kWhite);
      const int black = material(game->info(), opening.start, game::Color::kBlack);
      EXPECT_GE(std::abs(white - black), kGreatLead) << file;
      EXPECT_LE(std::abs(white - black), kGreatLead + 100) << file;
      if (men > 0) {
        EXPECT_EQ(std::max(white, black), 100 * men) << file;
      }
    }
  }
}

// Books of models/openings: NAME.txt to develop by, NAME-exam.txt for published matches.
TEST(OpeningBookTest, ExamsAreMarkedAndShareNothingWithTheOthers) {
  const std::filesystem::path folder = MAKZERO_OPENINGS;
  const auto ends = [](const game::Game& game, const std::filesystem::path& file, bool exam) {
    const auto book = parse_openings(game, models::read_text_file(file), file.string());
    EXPECT_TRUE(book) << book.why();
    EXPECT_EQ(book->exam, exam) << file;
    return ends_of(game, book->openings);
  };
  for (const char* name : {"makyek", "apit", "rek", "minrekchanh", "gala", "hunt", "makruk", "ok",
                           "makruk-sutra", "kaok", "low1839"}) {
    const game::GamePtr game = *game::make_game(name);
    const std::set<std::uint64_t> exam = ends(*game, folder / (std::string(name) + "-exam.txt"), true);
    EXPECT_EQ(exam.size(), 200u);
    const std::filesystem::path other = folder / (std::string(name) + ".txt");
    if (!std::filesystem::exists(other)) continue;
    const std::set<std::uint64_t> development = ends(*game, other, false);
    EXPECT_EQ(development.size(), 500u);
    for (const std::uint64_t end : exam) EXPECT_FALSE(development.contains(end)) << name;
  }
}

TEST(MakeOpeningsTest, WhereNothingNewIsLeftItSaysSo) {
  const game::GamePtr game = *game::make_game("makyek");
  const OpeningRequest request{
      .judge = player("alphabeta:1"), .openings = 100, .plies = 1, .most_expected = 1};
  EXPECT_THROW(make_openings(*game, request, [](int, int) {}), models::Error);
}

TEST(MatchJsonTest, HasTheKeysThatScriptsRelyOn) {
  MatchResult result;
  result.score.games = 4;
  result.score.wins = 3;
  result.score.losses = 1;
  result.score.material_wins = 3;
  result.elo = {190.5, -20, 400};
  const auto json = nlohmann::ordered_json::parse(match_json(result));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ElementsAre("games", "wins", "draws", "losses", "score", "score_by_material", "score_by_pairs",
                        "elo", "elo_low", "elo_high", "captures_per_game", "decisive_share", "plies_per_game",
                        "great_leads", "great_leads_won", "reasons"));
  EXPECT_EQ(json["wins"], 3);
  EXPECT_EQ(json["score"], 0.75);
  EXPECT_EQ(json["decisive_share"], 1.0);
  EXPECT_EQ(json["elo_high"], 400.0);
}

// Fairy-Max ends the match with an error where it disagrees about a move.
TEST(ArenaTest, FairyMaxPlaysWholeGamesOfMakruk) {
  if (!models::is_installed("fairymax")) GTEST_SKIP() << "not installed: `tests/run.sh install` installs it";
  const MatchResult result =
      play_match(**game::make_game("makruk"), player("xboard:fairymax?clock=10"), player("alphabeta:1"),
                 {.games = 6}, [](const MatchProgress&) { return true; });
  EXPECT_EQ(result.score.games, 6);
  EXPECT_GT(result.score.score_by_material(), 0.5);
}

}  // namespace
}  // namespace makzero::train
