// What front ends are told of games: the same that the rules say, for every ruleset.
#include "play/json/game_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <random>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "play/engine/search_info.h"
#include "play/json/document_json.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int kPlies = 120;

PlayedGame new_game(const std::string& ruleset, const std::string& start = "") {
  const game::GamePtr rules = *game::make_game(ruleset);
  if (start.empty()) return PlayedGame(rules);
  return {rules, *game::parse_position(*rules, start)};
}

json legal_entry(const json& state, const std::string& move) {
  for (const json& entry : state["legal"]) {
    if (entry["move"] == move) return entry;
  }
  return nullptr;
}

// The board as the placement of a position's text says it: square to letter.
std::map<std::string, char> board_of(const std::string& text) {
  std::map<std::string, char> board;
  char file = 'a', rank = static_cast<char>('1' + std::count(text.begin(), text.end(), '/'));
  for (const char c : text.substr(0, text.find(' '))) {
    if (c == '/') {
      file = 'a', --rank;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      file = static_cast<char>(file + c - '0');
    } else {
      board[{file++, rank}] = c;
    }
  }
  return board;
}

std::map<std::string, char> board_of(const json& state) {
  std::map<std::string, char> board;
  for (const json& piece : state["pieces"]) {
    const char letter = piece["kind"].get<std::string>()[0];
    board[piece["square"]] = piece["color"] == "white" ? letter : static_cast<char>(std::tolower(letter));
  }
  return board;
}

// Enemy squares that are empty or taken over after the move, by the texts of both positions.
std::vector<std::string> taken(const json& before, const json& after) {
  const auto then = board_of(before["position"].get<std::string>());
  const auto now = board_of(after["position"].get<std::string>());
  const bool white = before["toMove"] == "white";
  const auto is_enemy = [white](char letter) {
    return white == (std::islower(static_cast<unsigned char>(letter)) != 0);
  };
  std::vector<std::string> squares;
  for (const auto& [square, letter] : then) {
    const auto found = now.find(square);
    if (is_enemy(letter) && (found == now.end() || !is_enemy(found->second))) squares.push_back(square);
  }
  return squares;
}

class StateJsonTest : public testing::TestWithParam<std::string> {};

TEST_P(StateJsonTest, TellsWhatTheRulesSayThroughoutARandomGame) {
  PlayedGame game = new_game(GetParam());
  std::mt19937_64 rng(7);
  json state = state_json(game);
  for (int ply = 0; ply < kPlies && !game.outcome().over(); ++ply) {
    ASSERT_EQ(static_cast<int>(state["legal"].size()), game.legal().size());
    EXPECT_EQ(board_of(state), board_of(state["position"].get<std::string>()));
    const game::Move move = game.legal()[static_cast<int>(rng() % game.legal().size())];
    const json entry = legal_entry(state, game::move_text(game.rules(), game.position(), move));
    ASSERT_FALSE(entry.is_null());
    EXPECT_EQ(entry["from"].is_null(), !move.is_step());
    EXPECT_EQ(entry["to"].is_null(), move.is_pass());
    EXPECT_EQ(entry.contains("drop"), move.is_drop());
    EXPECT_EQ(entry.contains("pass"), move.is_pass());
    game.play(move);
    const json next = state_json(game);
    std::vector<std::string> captures = entry["captures"];
    std::sort(captures.begin(), captures.end());
    EXPECT_EQ(captures, taken(state, next)) << entry;
    EXPECT_EQ(next["history"].back()["position"], next["position"]);
    EXPECT_EQ(next["history"].back()["captures"].size(), captures.size());
    state = next;
  }
  EXPECT_EQ(state["outcome"]["over"], game.outcome().over());
  EXPECT_EQ(state["legal"].empty(), game.outcome().over());
}

TEST_P(StateJsonTest, AGameReadsBackFromItsOwnJson) {
  PlayedGame game = new_game(GetParam());
  std::mt19937_64 rng(8);
  for (int ply = 0; ply < kPlies && !game.outcome().over(); ++ply) {
    game.play(game.legal()[static_cast<int>(rng() % game.legal().size())]);
  }
  std::string field;
  const auto read = played_game_from_json(json::parse(json_text(played_game_json(game))), &field);
  ASSERT_TRUE(read) << field << ": " << read.why();
  EXPECT_EQ(read->position(), game.position());
  EXPECT_EQ(read->actions(), game.actions());
}

INSTANTIATE_TEST_SUITE_P(All, StateJsonTest, testing::ValuesIn(game::ruleset_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(GameJsonTest, EveryRulesetIsListedWithItsKinds) {
  const json games = games_json();
  ASSERT_EQ(games.size(), game::ruleset_names().size());
  for (const json& game : games) {
    EXPECT_TRUE(game["family"] == "chess" || game["family"] == "men");
    for (const auto& [letter, name] : game["kinds"].items()) EXPECT_NE(name, "?") << game["game"] << letter;
  }
}

TEST(GameJsonTest, CapturesBesideTheWayAreListed) {
  // The example of the rules' text: f5f3 takes e3 against d3 and f2 against f1.
  const PlayedGame game = new_game("makyek", "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w");
  const json state = state_json(game);
  std::vector<std::string> captures = legal_entry(state, "f5f3")["captures"];
  EXPECT_THAT(captures, testing::UnorderedElementsAre("e3", "f2"));
}

TEST(GameJsonTest, DropsHandsAndPassesOfGala) {
  PlayedGame game = new_game("gala");
  json state = state_json(game);
  EXPECT_EQ(state["width"], 7);
  EXPECT_EQ(state["marks"], json::parse(R"(["a1", "d1", "g1", "a4", "d4", "g4", "a7", "d7", "g7"])"));
  EXPECT_EQ(state_json(new_game("makyek"))["marks"], json::array());
  EXPECT_EQ(state["toMove"], "black");
  EXPECT_EQ(state["hands"], json::parse(R"({"white": {"M": 13}, "black": {"M": 10}})"));
  EXPECT_EQ(
      state["legal"],
      json::parse(
          R"([{"move": "@d4", "written": "@d4", "from": null, "to": "d4", "drop": "M", "captures": []}])"));
  while (!game.legal()[0].is_pass()) game.play(game.legal()[0]);
  state = state_json(game);
  EXPECT_EQ(state["hands"]["black"], json::object());
  EXPECT_EQ(
      state["legal"],
      json::parse(
          R"([{"move": "--", "written": "pass", "from": null, "to": null, "pass": true, "captures": []}])"));
}

TEST(GameJsonTest, DeclarationsAndTheirCount) {
  std::string field;
  const json query = {{"game", "makruk:count.mode=manual"},
                      {"start", "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1"},
                      {"moves", {"count", "e8e7"}}};
  EXPECT_EQ(state_json(new_game(query["game"], query["start"]))["claims"], json({"count"}));
  const auto game = played_game_from_json(query, &field);
  ASSERT_TRUE(game) << game.why();
  const json state = state_json(*game);
  EXPECT_EQ(state["count"]["side"], "black");
  EXPECT_EQ(state["count"]["used"], game->position().count);
  EXPECT_EQ(state["history"][0]["move"], "count");
  EXPECT_EQ(played_game_json(*game), query);
}

TEST(GameJsonTest, ACheckNamesTheKing) {
  const json state = state_json(new_game("makruk", "4k3/8/8/8/4R3/8/8/4K3 b - - 0 1"));
  EXPECT_EQ(state["check"], true);
  EXPECT_EQ(state["checked"], json({"e8"}));
  EXPECT_EQ(state_json(new_game("makruk"))["check"], false);
}

TEST(GameJsonTest, AFinishedGameHasAReasonAndNoMoves) {
  const json state = state_json(new_game("makruk", "R6k/1R6/8/8/8/8/8/K7 b - - 0 1"));
  EXPECT_EQ(state["outcome"],
            json::parse(
                R"({"result": "1-0", "reason": "checkmate", "cause": "Black is checkmated", "over": true,
                        "causeParts": {"text": "{side} is checkmated", "values": {"side": "Black"}}})"));
  EXPECT_TRUE(state["legal"].empty());
}

struct BadQuery {
  const char* text;
  const char* field;
  const char* why;
};

class BadQueryTest : public testing::TestWithParam<BadQuery> {};

TEST_P(BadQueryTest, NamesTheFieldAndTheReason) {
  std::string field;
  const auto game = played_game_from_json(json::parse(GetParam().text), &field);
  ASSERT_FALSE(game);
  EXPECT_EQ(field, GetParam().field);
  EXPECT_THAT(game.why(), HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadQueryTest,
    testing::Values(
        BadQuery{"[]", "", "a query is a JSON object"}, BadQuery{"{}", "game", "must name a ruleset"},
        BadQuery{R"({"game": 3})", "game", "must name a ruleset"},
        BadQuery{R"({"game": "makyik"})", "game", "did you mean 'makyek'?"},
        BadQuery{R"({"game": "makyek", "start": []})", "start", "must be the text of a position"},
        BadQuery{R"({"game": "makyek", "start": "8/8 w"})", "start", "has 2 ranks"},
        BadQuery{R"({"game": "makyek", "moves": "a3a4"})", "moves", "must be a list"},
        BadQuery{R"({"game": "makyek", "moves": ["a3a4", 5]})", "moves", "move 2: must be a text"},
        BadQuery{R"({"game": "makyek", "moves": ["a3a9"]})", "moves", "move 1: move 'a3a9' is not legal"},
        BadQuery{R"({"game": "makyek", "moves": ["count"]})", "moves", "cannot be declared here"},
        BadQuery{R"({"game": "makruk", "start": "R6k/1R6/8/8/8/8/8/K7 b - - 0 1", "moves": ["h8h7"]})",
                 "moves", "follows the end of the game"}));

TEST(GameJsonTest, AThoughtTellsItsLinesForTheSideToMove) {
  const PlayedGame game = new_game("makruk", "7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
  const auto searcher = mcts::make_mate_searcher(game.rules(), 1 << 16);
  begin_search(game, {.depth = 2, .lines = 2}, searcher.get());
  while (!searcher->done()) searcher->step({});
  const SearchInfo info = searcher->info();
  const json result = search_info_json(game, info);
  EXPECT_EQ(result["best"], "b6b8");
  ASSERT_EQ(result["moveInfos"].size(), 2u);
  EXPECT_EQ(result["moveInfos"][0]["move"], "b6b8");
  EXPECT_EQ(result["moveInfos"][0]["winrate"], 1);
  EXPECT_EQ(result["moveInfos"][0]["endInPlies"], 1);
  EXPECT_LE(result["moveInfos"][1]["winrate"], 1);
  EXPECT_EQ(result["rootInfo"]["toMove"], "white");
  EXPECT_EQ(policy_json(game, info), json::array());
}

TEST(GameJsonTest, ATextThatIsNestedTooDeeplyHasNoValue) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  bool too_deep = true;
  EXPECT_EQ(json_text(parse_json(nested(kDeepestJson), &too_deep)), nested(kDeepestJson));
  EXPECT_FALSE(too_deep);
  EXPECT_TRUE(parse_json(nested(200'000), &too_deep).is_discarded());
  EXPECT_TRUE(too_deep);
}

TEST(GameJsonTest, TagsThatPgnCannotHaveAreLeftOut) {
  const json query = json::parse(
      R"({"tags": [["", "a"], [" ", "b"], ["C\nmoves", "c"], ["D\"", "d"], ["White", "Somchai"]]})");
  std::string field;
  const auto document = document_from_json(new_game("makruk"), query, &field);
  ASSERT_TRUE(document) << document.why();
  EXPECT_EQ(document->tags.all(), std::vector<Tag>({{"White", "Somchai"}}));
}

TEST(GameJsonTest, TextThatIsNoUtf8IsReplacedNotThrown) {
  EXPECT_THAT(json_text({{"error", "unknown piece '\xc3'"}}), HasSubstr("unknown piece"));
}

}  // namespace
}  // namespace makzero::play
