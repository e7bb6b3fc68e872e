// The small network: its sums follow the moves, its evaluation the points of view, its bytes come back.
#include "mcts/small_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "game/rule_features.h"
#include "mcts/rng.h"
#include "tests/support/position_tools.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

using game::GamePtr;
using game::MoveList;
using game::Position;
using testing::random_small_network;

Position position_of(const game::Game& game, const char* text) {
  const auto position = game::parse_position(game, text);
  EXPECT_TRUE(position) << position.why();
  return *position;
}

// Calls visit(before, after) for the moves of a random game.
template <class Visit>
void play_random(const game::Game& game, std::uint64_t seed, const Visit& visit) {
  Rng rng(seed);
  Position position = game.initial();
  game::History history(position);
  MoveList legal;
  for (int ply = 0; ply < 120; ++ply) {
    game.legal_moves(position, &legal);
    if (game.outcome(position, !legal.empty(), history.occurrences()).over()) return;
    const Position before = position;
    game.apply(legal[static_cast<int>(rng.below(legal.size()))], &position);
    history.push(position);
    visit(before, position);
  }
}

TEST(SmallNetworkTest, UpdatedSumsEqualThoseOfTheWholePositionInEveryRuleset) {
  for (const std::string& name : game::ruleset_names()) {
    const GamePtr game = *game::make_game(name);
    const SmallEvaluator evaluator(game->info(), random_small_network(game->info(), 1));
    SmallAccumulator updated, whole;
    evaluator.refresh(game->initial(), &updated);
    play_random(*game, 7, [&](const Position& before, const Position& after) {
      const SmallAccumulator from = updated;
      evaluator.update(before, from, after, &updated);
      evaluator.refresh(after, &whole);
      ASSERT_EQ(updated.sums, whole.sums) << position_text(*game, after);
    });
  }
}

TEST(SmallNetworkTest, BothSidesSeeTheSameOfASwappedPosition) {
  for (const std::string& name : game::ruleset_names()) {
    const GamePtr game = *game::make_game(name);
    const SmallEvaluator evaluator(game->info(), random_small_network(game->info(), 2));
    play_random(*game, 3, [&](const Position&, const Position& position) {
      const Position swapped = swap_colors(game->info(), position);
      SmallAccumulator sums, swapped_sums;
      evaluator.refresh(position, &sums);
      evaluator.refresh(swapped, &swapped_sums);
      ASSERT_EQ(evaluator.evaluate(position, sums), evaluator.evaluate(swapped, swapped_sums))
          << name << " " << position_text(*game, position);
    });
  }
}

TEST(SmallNetworkTest, EvaluationDependsOnTheSideToMove) {
  const GamePtr makruk = *game::make_game("makruk");
  const SmallEvaluator evaluator(makruk->info(), random_small_network(makruk->info(), 3));
  Position position = position_of(*makruk, "k7/8/8/8/8/8/4R3/4K3 w - - 0 1");
  SmallAccumulator sums;
  evaluator.refresh(position, &sums);
  const LogitScore white = evaluator.evaluate(position, sums);
  position.to_move = game::Color::kBlack;
  EXPECT_NE(evaluator.evaluate(position, sums), white);
}

// Sums, squares and weights by hand: one unit sees an own man on a1.
TEST(SmallNetworkTest, EvaluationIsTheWeightedSquareOfTheClippedSum) {
  const GamePtr game = *game::make_game("makyek");
  SmallNetwork network = empty_small_network(game->info());
  network.features[0] = 102;  // 0.4 for an own man on a1, unit 0.
  network.bias[0] = 51;       // 0.2
  for (int bucket = 0; bucket < kSmallBuckets; ++bucket) network.output[2 * bucket * kSmallHidden] = 64;
  const Position position = position_of(*game, "8/8/8/8/8/8/7m/M7 w");
  const SmallEvaluator evaluator(game->info(), network);
  SmallAccumulator sums;
  evaluator.refresh(position, &sums);
  EXPECT_NEAR(evaluator.evaluate(position, sums).value, 1000 * 0.6 * 0.6, 2);
  network.bias[0] = 400;  // 1.57 is clipped to 1.
  const SmallEvaluator clipped(game->info(), network);
  clipped.refresh(position, &sums);
  EXPECT_EQ(clipped.evaluate(position, sums).value, 1000);
}

TEST(SmallNetworkTest, RulesChangeTheEvaluation) {
  const GamePtr makyek = *game::make_game("makyek"), line = *game::make_game("makyek-line");
  const SmallNetwork network = random_small_network(makyek->info(), 4);
  SmallAccumulator sums;
  const SmallEvaluator of_makyek(makyek->info(), network), of_line(line->info(), network);
  of_makyek.refresh(makyek->initial(), &sums);
  const LogitScore first = of_makyek.evaluate(makyek->initial(), sums);
  of_line.refresh(line->initial(), &sums);
  EXPECT_NE(of_line.evaluate(line->initial(), sums), first);
}

TEST(SmallNetworkTest, ScoresAndExpectedResultsAreTheSame) {
  EXPECT_DOUBLE_EQ(expected_result({0}), 0.5);
  EXPECT_NEAR(expected_result({kScorePerLogit}), 1 / (1 + std::exp(-1.0)), 1e-12);
  for (const int score : {-3000, -1099, 0, 7, 2500})
    EXPECT_EQ(score_of_result(expected_result({score})).value, score);
}

TEST(SmallNetworkTest, StateIsSeen) {
  const GamePtr makruk = *game::make_game("makruk");
  Position position = position_of(*makruk, "k7/8/8/8/8/8/4R3/4K3 w - - 0 1");
  const auto features = [&] { return small_features(makruk->info(), position, game::Color::kWhite).size; };
  const int without = features();
  position.count_limit = 32;
  position.count = 7;
  EXPECT_EQ(features(), without + 2);  // How far it has come, and of what.
  position.counter = game::Counter::kBlack;
  EXPECT_EQ(features(), without + 3);
}

// The places of a group that hold, without those of the other groups.
std::vector<int> places(const game::GameInfo& info, const Position& position, game::Color side,
                        const char* name) {
  const SmallInput& input = *find_small_input(name);
  std::vector<int> places;
  for (const int feature : small_features(info, position, side))
    if (feature >= input.first && feature < input.first + input.size) places.push_back(feature - input.first);
  return places;
}

TEST(SmallNetworkTest, EveryGroupHasItsPlaces) {
  using Places = std::vector<int>;
  static constexpr game::Color kWhite = game::Color::kWhite, kBlack = game::Color::kBlack;
  const GamePtr makruk = *game::make_game("makruk"), ok = *game::make_game("ok"),
                gala = *game::make_game("gala");
  Position position = position_of(*makruk, "k7/8/8/8/8/8/4R3/4K3 w - - 0 1");
  EXPECT_EQ(places(makruk->info(), position, kWhite, "count"), Places());
  position.count_limit = 44;
  position.count = 7;
  position.counter = game::Counter::kBlack;
  EXPECT_EQ(places(makruk->info(), position, kWhite, "count"), (Places{(44 - 7) / 4, 32 + 44 / 8}));
  EXPECT_EQ(places(makruk->info(), position, kWhite, "counter"), Places{1});
  EXPECT_EQ(places(makruk->info(), position, kBlack, "counter"), Places{0});
  EXPECT_EQ(places(makruk->info(), position, kBlack, "length"), Places()) << "a count runs";
  position.count_limit = 0;
  position.ply = static_cast<std::uint16_t>(makruk->info().max_plies - 20);
  EXPECT_EQ(places(makruk->info(), position, kBlack, "length"), Places{20 / 8});

  position = ok->initial();
  ASSERT_TRUE(ok->info().has_rights);
  position.rights = 0x12;  // White's second, Black's first.
  EXPECT_EQ(places(ok->info(), position, kWhite, "rights"), (Places{1, 4}));
  EXPECT_EQ(places(ok->info(), position, kBlack, "rights"), (Places{0, 5}));

  position = gala->initial();
  position.hand[0] = 3;
  position.hand[1] = 20;
  EXPECT_EQ(places(gala->info(), position, kWhite, "hands"), (Places{3, 17 + 16}));
  EXPECT_EQ(places(gala->info(), position, kBlack, "hands"), (Places{16, 17 + 3}));
  game::GameInfo info = gala->info();
  info.no_progress = 40;
  position.no_progress_plies = 10;
  EXPECT_EQ(places(info, position, kBlack, "no-progress"), Places{4});
  info.no_progress = 0;
  EXPECT_EQ(places(info, position, kBlack, "no-progress"), Places());
}

TEST(SmallNetworkTest, TheControlCountsMaterial) {
  for (const std::string& name : game::ruleset_names()) {
    const GamePtr game = *game::make_game(name);
    const SmallNetwork network = material_small_network(game->info());
    ASSERT_TRUE(decode_small_network(encode_small_network(network))) << name;
    const SmallEvaluator evaluator(game->info(), network);
    play_random(*game, 5, [&](const Position&, const Position& position) {
      SmallAccumulator sums;
      evaluator.refresh(position, &sums);
      const int lead = material_lead(game->info(), position, position.to_move);
      // 249 = 4 units x 2 x 127/64 x 4/255 a man; what a kind is worth is rounded to a quarter of a man.
      EXPECT_NEAR(evaluator.evaluate(position, sums).value, 2.49 * lead, 15 + 0.1 * 2.49 * std::abs(lead))
          << name << " " << position_text(*game, position);
    });
  }
}

TEST(SmallNetworkTest, BytesComeBack) {
  const GamePtr game = *game::make_game("gala");
  SmallNetwork network = random_small_network(game->info(), 5);
  network.source = "0123456789ab";
  const auto decoded = decode_small_network(encode_small_network(network));
  ASSERT_TRUE(decoded) << decoded.why();
  EXPECT_EQ(*decoded, network);
}

TEST(SmallNetworkTest, VersionOneIsReadAsItsInputsWere) {
  const GamePtr game = *game::make_game("gala");
  const SmallNetwork network = random_small_network(game->info(), 5);
  const std::string bytes = encode_small_network(network, 1);
  const auto decoded = decode_small_network(bytes);
  ASSERT_TRUE(decoded) << decoded.why();
  EXPECT_EQ(*decoded, network);
  std::string odd = bytes;
  odd[22] ^= 1;  // The number of inputs.
  EXPECT_EQ(decode_small_network(odd).why(), "has 913 inputs, and networks of version 1 have 912");
}

TEST(SmallNetworkTest, ANewNetworkHasTheInputsOfItsFamily) {
  EXPECT_EQ(default_small_inputs("custodial"),
            (std::vector<std::string>{"pieces", "hands", "no-progress", "length"}));
  EXPECT_EQ(default_small_inputs("chess"),
            (std::vector<std::string>{"pieces", "rights", "count", "counter", "no-progress", "length"}));
  for (const std::string& name : game::ruleset_names()) {
    const GamePtr game = *game::make_game(name);
    SmallNetwork all = random_small_network(game->info(), 8), own = all;
    own.inputs = default_small_inputs(game->info().family);
    const auto read = decode_small_network(encode_small_network(own));
    ASSERT_TRUE(read) << read.why();
    const SmallEvaluator with_all(game->info(), all), with_own(game->info(), *read);
    play_random(*game, 4, [&](const Position&, const Position& position) {
      SmallAccumulator sums;
      with_all.refresh(position, &sums);
      ASSERT_EQ(with_own.evaluate(position, sums), with_all.evaluate(position, sums)) << name;
    });
  }
}

TEST(SmallNetworkTest, AFileWithoutAnInputPlaysAsWithZerosForIt) {
  const GamePtr game = *game::make_game("makruk");
  for (const SmallInput& input : small_inputs()) {
    SmallNetwork zeros = random_small_network(game->info(), 8), without = zeros;
    std::erase(without.inputs, input.name);
    const auto read = decode_small_network(encode_small_network(without));
    ASSERT_TRUE(read) << read.why();
    std::fill_n(zeros.features.begin() + std::ptrdiff_t{input.first} * kSmallHidden,
                input.size * kSmallHidden, 0);
    EXPECT_EQ(read->features, zeros.features) << input.name;
    const SmallEvaluator of_zeros(game->info(), zeros), of_without(game->info(), without);
    play_random(*game, 4, [&](const Position&, const Position& position) {
      SmallAccumulator sums, of_file;
      of_zeros.refresh(position, &sums);
      of_without.refresh(position, &of_file);
      ASSERT_EQ(of_without.evaluate(position, of_file), of_zeros.evaluate(position, sums)) << input.name;
    });
  }
}

TEST(SmallNetworkTest, InputsThatTheTableHasNotAreRefusedByName) {
  const GamePtr game = *game::make_game("gala");
  const std::string bytes = encode_small_network(empty_small_network(game->info()));
  const auto why_not = [&](const std::string& name, std::size_t at, char value) {
    std::string other = bytes;
    other[other.find(name) + at] = value;
    return decode_small_network(other).why();
  };
  EXPECT_EQ(why_not("hands", 4, 'x'),
            "has the inputs 'handx', which this program does not know: use a newer one");
  EXPECT_EQ(why_not("hands", 5, 35), "has 35 inputs 'hands', and this program has 34");
  SmallNetwork twice = empty_small_network(game->info());
  twice.inputs = {"length", "length"};
  EXPECT_FALSE(decode_small_network(encode_small_network(twice)));
}

TEST(SmallNetworkTest, EveryCutAndEveryOddByteOfAHeaderIsRefusedOrReadWhole) {
  const GamePtr game = *game::make_game("gala");
  const std::string bytes = encode_small_network(random_small_network(game->info(), 6));
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 9973)
    EXPECT_FALSE(decode_small_network(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_small_network(bytes + '\0'));
  std::string newer = bytes;
  newer[14] = 9;
  EXPECT_NE(decode_small_network(newer).why().find("version 9"), std::string::npos);
  newer[14] = 0;
  EXPECT_NE(decode_small_network(newer).why().find("version 0"), std::string::npos);
}

TEST(SmallNetworkTest, WeightsThatCouldOverflowAreRefused) {
  const GamePtr game = *game::make_game("gala");
  SmallNetwork network = empty_small_network(game->info());
  network.output[3] = 128;
  EXPECT_FALSE(decode_small_network(encode_small_network(network)));
  network.output[3] = 127;
  EXPECT_TRUE(decode_small_network(encode_small_network(network)));
  network.features[9] = -401;
  EXPECT_FALSE(decode_small_network(encode_small_network(network)));
  network.features[9] = 0;
  network.output_bias[7] = std::numeric_limits<std::int32_t>::min();
  EXPECT_FALSE(decode_small_network(encode_small_network(network)));
}

}  // namespace
}  // namespace makzero::mcts
