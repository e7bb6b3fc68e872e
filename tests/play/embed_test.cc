// The C interface: the rules, notation, planes, searches and documents of the classes behind it, and errors
// for all else.
#include "play/embed/makzero.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/rng.h"
#include "nn/encoder.h"
#include "play/engine/search_info.h"
#include "play/json/document_json.h"
#include "play/notation/written_move.h"
#include "tests/support/small_network.h"

namespace makzero::play {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
template <class T, void (*Free)(T*)>
using Owned = std::unique_ptr<T, Freed<T, Free>>;
using OwnedGame = Owned<makzero_game, makzero_game_free>;
using OwnedPosition = Owned<makzero_position, makzero_position_free>;
using OwnedEncoder = Owned<makzero_encoder, makzero_encoder_free>;
using OwnedNetwork = Owned<makzero_network, makzero_network_free>;
using OwnedSearch = Owned<makzero_search, makzero_search_free>;
using OwnedDocument = Owned<makzero_document, makzero_document_free>;

OwnedGame new_game(const std::string& ruleset) { return OwnedGame(makzero_game_new(ruleset.c_str())); }

OwnedPosition new_position(const std::string& ruleset, const char* fen = nullptr) {
  return OwnedPosition(makzero_position_new(new_game(ruleset).get(), fen));
}

// The text that a function of the interface writes.
template <class Write, class... Arguments>
std::string text_of(const Write& write, const Arguments&... arguments) {
  std::string text(1 << 18, '?');
  const int size = write(arguments..., text.data(), text.size());
  if (size < 0) return std::string("error: ") + makzero_last_error();
  EXPECT_EQ(text[size], '\0');
  text.resize(size);
  return text;
}

std::vector<makzero_move> moves_of(const makzero_position* position) {
  std::vector<makzero_move> moves(MAKZERO_MOST_MOVES);
  const int count = makzero_position_legal_moves(position, moves.data(), moves.size());
  EXPECT_GE(count, 0) << makzero_last_error();
  moves.resize(std::max(count, 0));
  return moves;
}

std::string network_bytes(const std::string& ruleset) {
  return mcts::encode_small_network(
      makzero::testing::random_small_network((*game::make_game(ruleset))->info(), 1));
}

OwnedNetwork new_network(const std::string& ruleset) {
  const std::string bytes = network_bytes(ruleset);
  return OwnedNetwork(makzero_network_read(new_game(ruleset).get(), bytes.data(), bytes.size()));
}

makzero_limits limits_of(std::int64_t nodes, int lines = 1) {
  return {.size = sizeof(makzero_limits),
          .nodes = nodes,
          .milliseconds = 0,
          .depth = 0,
          .lines = lines,
          .moves = nullptr,
          .move_count = 0};
}

makzero_line line_of(const makzero_search* search, int number) {
  makzero_line line = {};
  line.size = sizeof line;
  EXPECT_EQ(makzero_search_line(search, number, &line), MAKZERO_OK) << makzero_last_error();
  return line;
}

makzero_search_info info_of(const makzero_search* search) {
  makzero_search_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(makzero_search_get_info(search, &info), MAKZERO_OK) << makzero_last_error();
  return info;
}

// --- Rules. ---

std::vector<std::string> specs() {
  std::vector<std::string> all = game::ruleset_names();
  for (const char* spec : {"makyek:no_move=pass,jump=on", "gala:rest=triple", "hunt:chain=on,flying=on",
                           "makruk:count.mode=manual", "makyek:limit_result=material,max_plies=80"})
    all.emplace_back(spec);
  return all;
}

class EmbedRulesetTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, EmbedRulesetTest, ::testing::ValuesIn(specs()),
                         [](const auto& info) { return "n" + std::to_string(info.index); });

TEST_P(EmbedRulesetTest, RandomGamesAreThoseOfTheRules) {
  const game::GamePtr rules = *game::make_game(GetParam());
  const OwnedPosition position = new_position(GetParam());
  ASSERT_TRUE(position) << makzero_last_error();
  mcts::Rng rng(5);
  for (int number = 0; number < 3; ++number) {
    game::GameState state(*rules);
    for (int ply = 0; ply < 150; ++ply) {
      ASSERT_EQ(text_of(makzero_position_fen, position.get()), game::position_text(*rules, state.position()));
      ASSERT_EQ(makzero_position_side_to_move(position.get()), game::index(state.position().to_move));
      ASSERT_EQ(makzero_position_outcome(position.get()), static_cast<int>(state.outcome().result));
      if (state.over()) {
        ASSERT_EQ(text_of(makzero_position_reason, position.get()),
                  game::reason_text(state.outcome().reason));
        break;
      }
      std::vector<makzero_move> legal;
      for (const game::Move move : state.legal()) legal.push_back(move.bits());
      ASSERT_EQ(moves_of(position.get()), legal);
      const game::Move move = state.legal()[static_cast<int>(rng.below(state.legal().size()))];
      const std::string text = game::move_text(*rules, state.position(), move);
      const std::string letters = written_move(*rules, state.position(), move);
      ASSERT_EQ(text_of(makzero_position_move_text, position.get(), move.bits(), nullptr), text);
      ASSERT_EQ(text_of(makzero_position_move_text, position.get(), move.bits(), "letters"), letters);
      ASSERT_EQ(makzero_position_read_move(position.get(), text.c_str()), move.bits());
      ASSERT_EQ(makzero_position_move_index(position.get(), move.bits()),
                nn::policy_index(rules->info(), move, state.position().to_move));
      const int played = ply % 2 ? makzero_position_play(position.get(), move.bits())
                                 : makzero_position_play_text(position.get(), text.c_str());
      ASSERT_EQ(played, MAKZERO_OK) << makzero_last_error();
      state.play(move);
      ASSERT_EQ(makzero_position_ply(position.get()), ply + 1);
    }
    while (makzero_position_ply(position.get()) > 0)
      ASSERT_EQ(makzero_position_undo(position.get()), MAKZERO_OK);
  }
  EXPECT_EQ(makzero_position_undo(position.get()), MAKZERO_BAD_INPUT);
}

TEST_P(EmbedRulesetTest, PlanesAndMaskAreThoseOfTheEncoder) {
  const game::GamePtr rules = *game::make_game(GetParam());
  const OwnedGame game = new_game(GetParam());
  const OwnedPosition position(makzero_position_new(game.get(), nullptr));
  const OwnedEncoder encoder(makzero_encoder_new(game.get(), nullptr));
  const nn::Encoder same(nn::default_planes(rules->info()));
  ASSERT_EQ(makzero_encoder_plane_count(encoder.get()), same.plane_count());
  for (int plane = 0; plane < same.plane_count(); ++plane)
    EXPECT_EQ(makzero_encoder_plane_name(encoder.get(), plane), same.planes()[plane]);
  const std::size_t size = static_cast<std::size_t>(same.plane_count()) * MAKZERO_SQUARES;
  std::vector<float> planes(size), expected(size);
  game::GameState state(*rules);
  mcts::Rng rng(6);
  for (int ply = 0; ply < 40 && !state.over(); ++ply) {
    ASSERT_EQ(makzero_encoder_encode(encoder.get(), position.get(), planes.data(), size), MAKZERO_OK);
    same.encode(*rules, state.position(), state.history().occurrences(), expected.data());
    ASSERT_EQ(planes, expected) << ply;
    std::vector<std::uint8_t> mask(MAKZERO_POLICY_SIZE, 7);
    std::set<int> legal, marked;
    for (const game::Move move : state.legal())
      legal.insert(nn::policy_index(rules->info(), move, state.position().to_move));
    ASSERT_EQ(makzero_position_legal_mask(position.get(), mask.data(), mask.size()),
              static_cast<int>(legal.size()));
    for (int i = 0; i < MAKZERO_POLICY_SIZE; ++i)
      if (mask[i] == 1) marked.insert(i);
    ASSERT_EQ(marked, legal);
    ASSERT_EQ(makzero_position_play(position.get(), state.random_playout(1, &rng).front().bits()),
              MAKZERO_OK);
  }
  EXPECT_EQ(makzero_encoder_encode(encoder.get(), position.get(), planes.data(), size - 1),
            MAKZERO_BAD_ARGUMENT);
}

TEST(EmbedTest, RulesetsAreListed) {
  std::vector<std::string> names;
  names.reserve(makzero_ruleset_count());
  for (int i = 0; i < makzero_ruleset_count(); ++i) names.emplace_back(makzero_ruleset_name(i));
  EXPECT_EQ(names, game::ruleset_names());
  EXPECT_EQ(makzero_ruleset_name(makzero_ruleset_count()), nullptr);
  EXPECT_EQ(makzero_ruleset_name(-1), nullptr);
  const auto listed = nlohmann::json::parse(text_of(makzero_rulesets_json));
  EXPECT_EQ(listed.size(), names.size());
  EXPECT_EQ(makzero_interface(), MAKZERO_INTERFACE);
}

TEST(EmbedTest, AGameSaysWhatItIs) {
  const OwnedGame game = new_game("gala:rest=triple");
  EXPECT_STREQ(makzero_game_ruleset(game.get()), "gala:rest=triple");
  EXPECT_STREQ(makzero_game_title(game.get()), "Gala");
  EXPECT_STREQ(makzero_game_kinds(game.get()), "M");
  EXPECT_EQ(makzero_game_files(game.get()), 7);
  EXPECT_EQ(makzero_game_ranks(game.get()), 7);
}

TEST(EmbedTest, OtherTextsAreErrorsThatSayHowToRepairThem) {
  EXPECT_EQ(makzero_game_new("makruck"), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("did you mean 'makruk'?"));
  EXPECT_FALSE(new_position("makruk", "8/8/8/8/8/8/8/8 w"));
  EXPECT_THAT(makzero_last_error(), HasSubstr("king"));
  const OwnedPosition position = new_position("makruk");
  EXPECT_EQ(makzero_position_play_text(position.get(), "e3e5"), MAKZERO_BAD_INPUT);
  EXPECT_EQ(makzero_position_play_text(position.get(), "stop"), MAKZERO_BAD_INPUT);
  EXPECT_EQ(makzero_position_read_move(position.get(), std::string(100'000, 'x').c_str()), MAKZERO_BAD_INPUT);
  EXPECT_EQ(std::string(makzero_last_error()).size(), 2047U);
  EXPECT_EQ(makzero_position_move_text(position.get(), moves_of(position.get())[0], "klingon", nullptr, 0),
            MAKZERO_BAD_INPUT);
  EXPECT_THAT(makzero_last_error(), HasSubstr("letters, figurines, thai, playok, coordinates"));
  EXPECT_EQ(makzero_position_ply(position.get()), 0);
}

TEST(EmbedTest, MovesAreReadInEveryNotationInWhichTheyAreWritten) {
  const OwnedPosition position = new_position("makruk");
  for (const char* notation : {"coordinates", "letters", "figurines", "thai", "playok"}) {
    for (const makzero_move move : moves_of(position.get())) {
      char text[64];
      ASSERT_GT(makzero_position_move_text(position.get(), move, notation, text, sizeof text), 0);
      EXPECT_EQ(makzero_position_read_move(position.get(), text), move) << text << makzero_last_error();
    }
  }
}

TEST(EmbedTest, OfAllNumbersTheLegalMovesAlonePlay) {
  const OwnedPosition position = new_position("gala");
  const std::vector<makzero_move> legal = moves_of(position.get());
  for (int bits = 0; bits <= 0xFFFF; ++bits) {
    const auto move = static_cast<makzero_move>(bits);
    const bool plays = makzero_position_play(position.get(), move) == MAKZERO_OK;
    ASSERT_EQ(plays, std::find(legal.begin(), legal.end(), move) != legal.end()) << bits;
    if (plays) makzero_position_undo(position.get());
  }
}

TEST(EmbedTest, ATextIsCutWhereThereIsNoRoom) {
  const OwnedPosition position = new_position("makyek");
  const std::string whole = text_of(makzero_position_fen, position.get());
  const int size = static_cast<int>(whole.size());
  char text[8] = "???????";
  EXPECT_EQ(makzero_position_fen(position.get(), text, 5), size);
  EXPECT_EQ(text, whole.substr(0, 4));
  EXPECT_EQ(text[5], '?');
  EXPECT_EQ(makzero_position_fen(position.get(), nullptr, 0), size);
  EXPECT_EQ(makzero_position_fen(position.get(), nullptr, 1), MAKZERO_BAD_ARGUMENT);
}

TEST(EmbedTest, FewerMovesAreWrittenWhereThereIsNoRoom) {
  const OwnedPosition position = new_position("makyek");
  makzero_move moves[3] = {0, 0, 99};
  EXPECT_EQ(makzero_position_legal_moves(position.get(), moves, 2),
            static_cast<int>(moves_of(position.get()).size()));
  EXPECT_EQ(moves[2], 99);
  EXPECT_EQ(makzero_position_legal_moves(position.get(), nullptr, 0),
            static_cast<int>(moves_of(position.get()).size()));
}

TEST(EmbedTest, ChecksAndMatesAreSeen) {
  EXPECT_EQ(makzero_position_in_check(new_position("makruk").get()), 0);
  const OwnedPosition mate = new_position("makruk", "k6R/8/1K6/8/8/8/8/8 b - - 0 1");
  EXPECT_EQ(makzero_position_in_check(mate.get()), 1);
  EXPECT_EQ(makzero_position_outcome(mate.get()), MAKZERO_WHITE_WINS);
  EXPECT_EQ(text_of(makzero_position_reason, mate.get()), "checkmate");
  EXPECT_TRUE(moves_of(mate.get()).empty());
}

TEST(EmbedTest, ARepetitionIsOfTheGameThatWasPlayed) {
  const OwnedPosition position = new_position("makruk", "4k3/8/8/8/8/R7/8/4K3 w - - 0 1");
  for (const char* move : {"a3a4", "e8e7", "a4a3", "e7e8", "a3a4", "e8e7", "a4a3", "e7e8"}) {
    EXPECT_EQ(makzero_position_outcome(position.get()), MAKZERO_ONGOING);
    ASSERT_EQ(makzero_position_play_text(position.get(), move), MAKZERO_OK) << makzero_last_error();
  }
  EXPECT_EQ(makzero_position_outcome(position.get()), MAKZERO_DRAW);
  const std::string fen = text_of(makzero_position_fen, position.get());
  EXPECT_EQ(makzero_position_outcome(new_position("makruk", fen.c_str()).get()), MAKZERO_ONGOING);
  EXPECT_FALSE(moves_of(position.get()).empty()) << "players may overlook it";
}

TEST(EmbedTest, CountsAreDeclared) {
  const OwnedPosition position = new_position("makruk:count.mode=manual", "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1");
  EXPECT_EQ(text_of(makzero_position_declarations, position.get()), "count");
  ASSERT_EQ(makzero_position_play_text(position.get(), "count"), MAKZERO_OK) << makzero_last_error();
  ASSERT_EQ(makzero_position_play_text(position.get(), "Ke7"), MAKZERO_OK) << makzero_last_error();
  EXPECT_EQ(text_of(makzero_position_moves, position.get()), "count e8e7");
}

TEST(EmbedTest, ACopyGoesItsOwnWayAndOutlivesAllElse) {
  OwnedPosition position = new_position("rek"), copy(makzero_position_copy(position.get()));
  ASSERT_EQ(makzero_position_play(position.get(), moves_of(position.get())[0]), MAKZERO_OK);
  EXPECT_EQ(makzero_position_ply(copy.get()), 0);
  position.reset();
  EXPECT_EQ(makzero_position_play(copy.get(), moves_of(copy.get())[1]), MAKZERO_OK);
}

TEST(EmbedTest, PlanesByNameMustExistAndSuffice) {
  const OwnedGame game = new_game("makyek");
  const OwnedEncoder encoder(makzero_encoder_new(game.get(), "enemy M\nboard\nown M\n"));
  ASSERT_EQ(makzero_encoder_plane_count(encoder.get()), 3);
  EXPECT_STREQ(makzero_encoder_plane_name(encoder.get(), 2), "own M");
  EXPECT_EQ(makzero_encoder_plane_name(encoder.get(), 3), nullptr);
  EXPECT_EQ(makzero_encoder_new(game.get(), "own M\nenemy M\nodd"), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("'odd'"));
  EXPECT_EQ(makzero_encoder_new(game.get(), "own M"), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("'enemy M'"));
}

// --- Networks and searches. ---

// What the same search finds without the interface.
SearchInfo found_by_classes(const std::string& ruleset, std::int64_t nodes) {
  const PlayedGame game(*game::make_game(ruleset));
  const mcts::SmallNetwork network = makzero::testing::random_small_network(game.rules().info(), 1);
  const auto searcher = mcts::make_small_searcher(
      game.rules(), network, mcts::alpha_beta_options(game.rules().info()), std::size_t{16} << 20);
  begin_search(game, {.nodes = nodes}, searcher.get());
  while (!searcher->done()) searcher->step({});
  return searcher->info();
}

TEST(EmbedSearchTest, IsThatOfTheProgram) {
  for (const std::string ruleset : {"makyek", "gala", "hunt", "makruk", "kaok"}) {
    const OwnedSearch search(makzero_search_new(new_network(ruleset).get(), 0));
    const OwnedPosition position = new_position(ruleset);
    const makzero_limits limits = limits_of(5000);
    const SearchInfo expected = found_by_classes(ruleset, 5000);
    for (int run = 0; run < 2; ++run) {
      const int best = makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr);
      ASSERT_EQ(best, expected.best().bits()) << ruleset << makzero_last_error();
      const makzero_search_info info = info_of(search.get());
      EXPECT_EQ(info.depth, expected.depth);
      EXPECT_EQ(info.nodes, static_cast<std::int64_t>(expected.nodes));
      EXPECT_EQ(info.lines, 1);
      const makzero_line line = line_of(search.get(), 0);
      EXPECT_EQ(line.centipawns, expected.lines[0].centipawns);
      EXPECT_FLOAT_EQ(static_cast<float>(line.expected),
                      expected.lines[0].value.win + expected.lines[0].value.draw / 2);
      EXPECT_EQ(line.move_count, expected.lines[0].moves.size());
      EXPECT_EQ(line.moves[0], best);
      ASSERT_EQ(makzero_search_forget(search.get()), MAKZERO_OK);
    }
  }
}

TEST(EmbedSearchTest, ScoresAllMovesOrThoseThatAreNamed) {
  const OwnedSearch search(makzero_search_new(new_network("makruk").get(), 1 << 20));
  const OwnedPosition position = new_position("makruk");
  std::vector<makzero_move> legal = moves_of(position.get());
  makzero_limits limits = limits_of(2000, MAKZERO_MOST_MOVES);
  const int best = makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr);
  ASSERT_EQ(info_of(search.get()).lines, static_cast<int>(legal.size()));
  std::vector<makzero_move> scored;
  for (int i = 0; i < static_cast<int>(legal.size()); ++i) {
    scored.push_back(line_of(search.get(), i).moves[0]);
    EXPECT_LE(line_of(search.get(), i).centipawns, line_of(search.get(), std::max(i - 1, 0)).centipawns);
  }
  EXPECT_EQ(scored[0], best);
  std::sort(scored.begin(), scored.end());
  std::sort(legal.begin(), legal.end());
  EXPECT_EQ(scored, legal);

  const makzero_move named[] = {legal[3], legal[3]};
  limits.moves = named;
  limits.move_count = 2;
  EXPECT_EQ(makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr), legal[3]);
  EXPECT_EQ(info_of(search.get()).lines, 1);
  const makzero_move wrong = 0;
  limits.moves = &wrong;
  limits.move_count = 1;
  EXPECT_EQ(makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr), MAKZERO_BAD_INPUT);
}

TEST(EmbedSearchTest, AWinAndALossAreProvenInPlies) {
  const OwnedSearch search(makzero_search_new(new_network("makruk").get(), 0));
  const makzero_limits limits = limits_of(20'000);
  const OwnedPosition win = new_position("makruk", "k7/8/1K6/8/8/8/8/7R w - - 0 1");
  const int mate = makzero_search_run(search.get(), win.get(), &limits, nullptr, nullptr);
  ASSERT_GE(mate, 0) << makzero_last_error();
  EXPECT_EQ(text_of(makzero_position_move_text, win.get(), static_cast<makzero_move>(mate), "letters"),
            "Rh8#");
  EXPECT_EQ(line_of(search.get(), 0).end_in_plies, 1);
  EXPECT_EQ(line_of(search.get(), 0).expected, 1);
  const OwnedPosition loss = new_position("makruk", "k7/8/1K6/8/8/8/8/7R b - - 0 1");
  ASSERT_GE(makzero_search_run(search.get(), loss.get(), &limits, nullptr, nullptr), 0)
      << makzero_last_error();
  EXPECT_EQ(line_of(search.get(), 0).end_in_plies, -2);
  EXPECT_EQ(line_of(search.get(), 0).expected, 0);
}

TEST(EmbedSearchTest, ProgressSeesEveryIterationAndEndsTheSearch) {
  const OwnedSearch search(makzero_search_new(new_network("makyek").get(), 0));
  const OwnedPosition position = new_position("makyek");
  std::vector<int> depths;
  const auto until_third = [](const makzero_search* running, void* data) {
    auto& seen = *static_cast<std::vector<int>*>(data);
    EXPECT_GT(line_of(running, 0).move_count, 0U);
    seen.push_back(info_of(running).depth);
    return seen.size() == 3 ? 1 : 0;
  };
  EXPECT_GE(makzero_search_run(search.get(), position.get(), nullptr, until_third, &depths), 0);
  EXPECT_THAT(depths, ElementsAre(1, 2, 3));
}

TEST(EmbedSearchTest, ASearchWithoutLimitsIsStoppedFromAnotherThread) {
  const OwnedSearch search(makzero_search_new(new_network("makruk").get(), 0));
  const OwnedPosition position = new_position("makruk");
  std::thread other;
  struct Data {
    makzero_search* search;
    std::thread* other;
  } data{search.get(), &other};
  const auto begin = [](const makzero_search*, void* given) {
    const Data& own = *static_cast<Data*>(given);
    if (!own.other->joinable()) *own.other = std::thread([&own] { makzero_search_stop(own.search); });
    return 0;
  };
  EXPECT_GE(makzero_search_run(search.get(), position.get(), nullptr, begin, &data), 0);
  other.join();
}

TEST(EmbedSearchTest, ARunWithinARunIsRefused) {
  const OwnedSearch search(makzero_search_new(new_network("makyek").get(), 0));
  const OwnedPosition position = new_position("makyek");
  struct Data {
    makzero_search* search;
    makzero_position* position;
    std::vector<int> answers = {};
  } data{search.get(), position.get()};
  const auto again = [](const makzero_search*, void* given) {
    auto& own = *static_cast<Data*>(given);
    own.answers = {makzero_search_run(own.search, own.position, nullptr, nullptr, nullptr),
                   makzero_search_forget(own.search)};
    return 1;
  };
  EXPECT_GE(makzero_search_run(search.get(), position.get(), nullptr, again, &data), 0);
  EXPECT_THAT(data.answers, ElementsAre(MAKZERO_BAD_ARGUMENT, MAKZERO_BAD_ARGUMENT));
  const makzero_limits limits = limits_of(100);
  EXPECT_GE(makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr), 0)
      << "it runs again";
}

TEST(EmbedSearchTest, LimitsOutOfRangeAndOtherPositionsAreRefused) {
  const OwnedNetwork network = new_network("makyek");
  const OwnedSearch search(makzero_search_new(network.get(), 0));
  const OwnedPosition position = new_position("makyek");
  const auto status = [&](const std::function<void(makzero_limits*)>& change) {
    makzero_limits limits = limits_of(100);
    change(&limits);
    return makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr);
  };
  EXPECT_EQ(status([](makzero_limits* limits) { limits->nodes = -1; }), MAKZERO_BAD_ARGUMENT);
  EXPECT_EQ(status([](makzero_limits* limits) { limits->milliseconds = -1; }), MAKZERO_BAD_ARGUMENT);
  EXPECT_EQ(status([](makzero_limits* limits) { limits->depth = -1; }), MAKZERO_BAD_ARGUMENT);
  EXPECT_EQ(status([](makzero_limits* limits) { limits->lines = -1; }), MAKZERO_BAD_ARGUMENT);
  EXPECT_EQ(status([](makzero_limits* limits) { limits->size = 0; }), MAKZERO_BAD_ARGUMENT);
  EXPECT_GE(status([](makzero_limits* limits) { limits->milliseconds = INT64_MAX; }), 0);
  EXPECT_GE(status([](makzero_limits* limits) { limits->size = offsetof(makzero_limits, lines); }), 0);
  EXPECT_EQ(makzero_search_new(network.get(), SIZE_MAX), nullptr);
  const OwnedPosition other = new_position("makyek-line"),
                      lost = new_position("makyek", "M7/8/8/8/8/8/8/8 b");
  EXPECT_EQ(makzero_search_run(search.get(), other.get(), nullptr, nullptr, nullptr), MAKZERO_BAD_ARGUMENT);
  EXPECT_THAT(makzero_last_error(), AllOf(HasSubstr("'makyek-line'"), HasSubstr("'makyek'")));
  ASSERT_TRUE(lost) << makzero_last_error();
  EXPECT_EQ(makzero_search_run(search.get(), lost.get(), nullptr, nullptr, nullptr), MAKZERO_BAD_INPUT);
}

TEST(EmbedSearchTest, ACallerOfAnotherVersionGetsWhatHeKnows) {
  const OwnedSearch search(makzero_search_new(new_network("makyek").get(), 0));
  const OwnedPosition position = new_position("makyek");
  const makzero_limits limits = limits_of(100);
  ASSERT_GE(makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr), 0);
  struct {
    makzero_search_info known;
    int newer = 7;
  } larger = {};
  larger.known.size = sizeof larger;
  EXPECT_EQ(makzero_search_get_info(search.get(), &larger.known), MAKZERO_OK);
  EXPECT_EQ(larger.newer, 7);
  EXPECT_GE(larger.known.depth, 1);
  makzero_search_info older = {};
  older.size = offsetof(makzero_search_info, seldepth);
  older.seldepth = -7;
  EXPECT_EQ(makzero_search_get_info(search.get(), &older), MAKZERO_OK);
  EXPECT_EQ(older.seldepth, -7);
  EXPECT_GE(older.depth, 1);
}

TEST(EmbedSearchTest, ANetworkMustBeWholeAndOfTheGame) {
  const std::string bytes = network_bytes("rek");
  EXPECT_EQ(makzero_network_read(new_game("rek").get(), bytes.data(), bytes.size() - 1), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("has not the size of its weights"));
  EXPECT_EQ(makzero_network_read(new_game("makruk").get(), bytes.data(), bytes.size()), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("of the game 'rek'"));
  for (const char* path : {"/nowhere/at/all", "/", "/dev/zero"}) {
    EXPECT_EQ(makzero_network_open(new_game("rek").get(), path), nullptr) << path;
    EXPECT_THAT(makzero_last_error(), HasSubstr(path));
  }
  const std::string path =
      std::filesystem::temp_directory_path() / ("makzero_" + std::to_string(getpid()) + ".bin");
  std::ofstream(path, std::ios::binary) << bytes;
  const OwnedNetwork network(makzero_network_open(new_game("rek").get(), path.c_str()));
  std::filesystem::remove(path);
  ASSERT_TRUE(network) << makzero_last_error();
  const game::GamePtr rules = *game::make_game("rek");
  const mcts::SmallEvaluator evaluator(rules->info(), *mcts::decode_small_network(bytes));
  mcts::SmallAccumulator sums;
  evaluator.refresh(rules->initial(), &sums);
  int score = 0;
  EXPECT_EQ(makzero_network_evaluate(network.get(), new_position("rek").get(), &score), MAKZERO_OK);
  EXPECT_EQ(score, evaluator.evaluate(rules->initial(), sums).value);
}

// --- Documents. ---

constexpr std::string_view kPgn =
    "[Event \"Fair\"]\n[Variant \"Makruk\"]\n\n1. e4 {first} d5 2. exd5 (2. Nd2) exd5 1/2-1/2\n\n"
    "[Variant \"Makruk\"]\n\n1. e4 e5 2. e5 *\n";

TEST(EmbedDocumentTest, GamesAreReadByNumberAndWrittenInEveryForm) {
  EXPECT_EQ(makzero_document_count(kPgn.data(), kPgn.size()), 2);
  const OwnedDocument document(makzero_document_read(kPgn.data(), kPgn.size(), 0, nullptr));
  ASSERT_TRUE(document) << makzero_last_error();
  EXPECT_EQ(text_of(makzero_document_fault, document.get()), "");
  EXPECT_EQ(text_of(makzero_document_tag, document.get(), "Event"), "Fair");
  const OwnedPosition position(makzero_document_position(document.get()));
  EXPECT_EQ(text_of(makzero_position_moves, position.get()), "e3e4 d6d5 e4d5 e6d5");
  const GameDocument same = *read_any_document(split_documents(kPgn)[0], "");
  const std::string pgn = text_of(makzero_document_write, document.get(), "pgn");
  for (const char* format : {"pgn", "playok", "thai", "text", "json"}) {
    const std::string text = text_of(makzero_document_write, document.get(), format);
    EXPECT_EQ(text, *write_document(same, format));
    const OwnedDocument again(makzero_document_read(text.data(), text.size(), 0, nullptr));
    ASSERT_TRUE(again) << format << makzero_last_error();
    EXPECT_EQ(text_of(makzero_document_write, again.get(), "pgn"), pgn);
  }
  EXPECT_EQ(makzero_document_write(document.get(), "doc", nullptr, 0), MAKZERO_BAD_INPUT);
}

TEST(EmbedDocumentTest, WhatCannotBeReadIsNamed) {
  const OwnedDocument cut(makzero_document_read(kPgn.data(), kPgn.size(), 1, nullptr));
  ASSERT_TRUE(cut) << makzero_last_error();
  EXPECT_THAT(text_of(makzero_document_fault, cut.get()), HasSubstr("e5"));
  EXPECT_EQ(makzero_document_read(kPgn.data(), kPgn.size(), 2, nullptr), nullptr);
  EXPECT_THAT(makzero_last_error(), HasSubstr("2"));
  EXPECT_EQ(makzero_document_read("1. e4", 5, 0, "nothing"), nullptr);
  EXPECT_EQ(makzero_document_read("", 0, 0, nullptr), nullptr);
}

TEST(EmbedDocumentTest, APlayedGameGetsTags) {
  const OwnedPosition position = new_position("makyek");
  makzero_position_play_text(position.get(), "a3a4");
  const OwnedDocument document(makzero_document_new(position.get()));
  EXPECT_EQ(makzero_document_set_tag(document.get(), "White", "A \"B\" \xE0\xB8\x81"), MAKZERO_OK);
  EXPECT_EQ(makzero_document_set_tag(document.get(), "White\nresult 1-0", "x"), MAKZERO_BAD_INPUT);
  EXPECT_EQ(makzero_document_set_tag(document.get(), "White", "x\nresult 1-0"), MAKZERO_BAD_INPUT);
  EXPECT_EQ(text_of(makzero_document_tag, document.get(), "white"), "A \"B\" \xE0\xB8\x81");
  EXPECT_THAT(text_of(makzero_document_write, document.get(), "pgn"),
              AllOf(HasSubstr(R"([White "A \"B\" )"), HasSubstr("1. a3a4")));
}

// --- Errors. ---

TEST(EmbedTest, NullIsAnErrorEverywhereAndFreesNothing) {
  char text[4];
  float planes[1];
  std::uint8_t mask[MAKZERO_POLICY_SIZE];
  int score = 0;
  makzero_move move = 0;
  const OwnedGame game = new_game("makyek");
  const OwnedPosition position = new_position("makyek");
  const OwnedEncoder encoder(makzero_encoder_new(game.get(), nullptr));
  const OwnedNetwork network = new_network("makyek");
  const OwnedSearch search(makzero_search_new(network.get(), 0));
  const OwnedDocument document(makzero_document_new(position.get()));
  const std::vector<std::function<int()>> calls = {
      [&] { return makzero_rulesets_json(nullptr, 1); },
      [&] { return makzero_game_files(nullptr); },
      [&] { return makzero_game_ranks(nullptr); },
      [&] { return makzero_position_fen(nullptr, text, sizeof text); },
      [&] { return makzero_position_side_to_move(nullptr); },
      [&] { return makzero_position_in_check(nullptr); },
      [&] { return makzero_position_outcome(nullptr); },
      [&] { return makzero_position_reason(nullptr, text, sizeof text); },
      [&] { return makzero_position_legal_moves(nullptr, &move, 1); },
      [&] { return makzero_position_legal_moves(position.get(), nullptr, 1); },
      [&] { return makzero_position_play(nullptr, 0); },
      [&] { return makzero_position_play_text(nullptr, "a3a4"); },
      [&] { return makzero_position_play_text(position.get(), nullptr); },
      [&] { return makzero_position_declarations(nullptr, text, sizeof text); },
      [&] { return makzero_position_ply(nullptr); },
      [&] { return makzero_position_moves(nullptr, text, sizeof text); },
      [&] { return makzero_position_undo(nullptr); },
      [&] { return makzero_position_move_text(nullptr, 0, nullptr, text, sizeof text); },
      [&] { return makzero_position_read_move(nullptr, "a3a4"); },
      [&] { return makzero_position_read_move(position.get(), nullptr); },
      [&] { return makzero_encoder_plane_count(nullptr); },
      [&] { return makzero_encoder_encode(nullptr, position.get(), planes, 1); },
      [&] { return makzero_encoder_encode(encoder.get(), nullptr, planes, 1); },
      [&] { return makzero_encoder_encode(encoder.get(), position.get(), nullptr, 1 << 20); },
      [&] { return makzero_position_move_index(nullptr, 0); },
      [&] { return makzero_position_legal_mask(nullptr, mask, sizeof mask); },
      [&] { return makzero_position_legal_mask(position.get(), nullptr, sizeof mask); },
      [&] { return makzero_network_evaluate(nullptr, position.get(), &score); },
      [&] { return makzero_network_evaluate(network.get(), nullptr, &score); },
      [&] { return makzero_network_evaluate(network.get(), position.get(), nullptr); },
      [&] { return makzero_search_run(nullptr, position.get(), nullptr, nullptr, nullptr); },
      [&] { return makzero_search_run(search.get(), nullptr, nullptr, nullptr, nullptr); },
      [&] { return makzero_search_get_info(nullptr, nullptr); },
      [&] { return makzero_search_get_info(search.get(), nullptr); },
      [&] { return makzero_search_stop(nullptr); },
      [&] { return makzero_search_forget(nullptr); },
      [&] { return makzero_document_count(nullptr, 1); },
      [&] { return makzero_document_fault(nullptr, text, sizeof text); },
      [&] { return makzero_document_tag(nullptr, "White", text, sizeof text); },
      [&] { return makzero_document_tag(document.get(), nullptr, text, sizeof text); },
      [&] { return makzero_document_set_tag(nullptr, "White", "x"); },
      [&] { return makzero_document_set_tag(document.get(), nullptr, "x"); },
      [&] { return makzero_document_set_tag(document.get(), "White", nullptr); },
      [&] { return makzero_document_write(nullptr, "pgn", text, sizeof text); },
      [&] { return makzero_document_write(document.get(), nullptr, text, sizeof text); },
      [&] { return makzero_game_new(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_game_ruleset(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_game_title(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_game_kinds(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_position_new(nullptr, nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_position_copy(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_encoder_new(nullptr, nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_encoder_plane_name(nullptr, 0) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_network_read(nullptr, text, 1) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_network_read(game.get(), nullptr, 1) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_network_open(nullptr, "x") ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_network_open(game.get(), nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_search_new(nullptr, 0) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_document_read(nullptr, 1, 0, nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_document_new(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
      [&] { return makzero_document_position(nullptr) ? 0 : MAKZERO_BAD_ARGUMENT; },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    makzero_game_new("none");
    EXPECT_EQ(calls[i](), MAKZERO_BAD_ARGUMENT) << i;
    EXPECT_THAT(makzero_last_error(), HasSubstr("is NULL")) << i;
  }
  makzero_line line = {};
  EXPECT_EQ(makzero_search_line(nullptr, 0, &line), MAKZERO_BAD_ARGUMENT);
  EXPECT_EQ(makzero_search_line(search.get(), 0, &line), MAKZERO_BAD_ARGUMENT) << "nothing was searched";
  makzero_game_free(nullptr);
  makzero_position_free(nullptr);
  makzero_encoder_free(nullptr);
  makzero_network_free(nullptr);
  makzero_search_free(nullptr);
  makzero_document_free(nullptr);
}

TEST(EmbedTest, AnErrorBelongsToItsThread) {
  makzero_game_new("none");
  const std::string own = makzero_last_error();
  std::thread([] {
    EXPECT_STREQ(makzero_last_error(), "");
    makzero_game_new(nullptr);
  }).join();
  EXPECT_EQ(makzero_last_error(), own);
}

TEST(EmbedTest, ThreadsShareAGameAndANetwork) {
  const OwnedGame game = new_game("makruk");
  const OwnedNetwork network = new_network("makruk");
  const makzero_limits limits = limits_of(3000);
  std::vector<int> best(4, -1);
  std::vector<std::thread> threads;
  threads.reserve(best.size());
  for (int& found : best) {
    threads.emplace_back([&, out = &found] {
      const OwnedPosition position(makzero_position_new(game.get(), nullptr));
      const OwnedSearch search(makzero_search_new(network.get(), 1 << 20));
      *out = makzero_search_run(search.get(), position.get(), &limits, nullptr, nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(best[0], 0);
  EXPECT_EQ(best, std::vector<int>(4, best[0]));
}

}  // namespace
}  // namespace makzero::play
