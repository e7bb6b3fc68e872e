// Positions in 28 bytes: what they keep, what does not fit, and which bits are no position. That every game's
// positions come back is part of its contract (contract_test.cc).
#include "game/packed_position.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "tests/support/random_games.h"

namespace makzero::game {
namespace {

GamePtr game_named(const std::string& spec) { return *make_game(spec); }

constexpr const char* kRookEnding = "4k3/8/8/8/8/8/8/4K2R w";

// Expects the same back after `change`, of a king and a rook against a king.
void expect_kept(const std::function<void(Position*)>& change) {
  const GamePtr game = game_named("makruk");
  Position position = *parse_position(*game, kRookEnding);
  change(&position);
  const auto packed = pack(game->info(), position, 1);
  ASSERT_TRUE(packed);
  const auto unpacked = unpack(game->info(), *packed);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->position, position);
}

TEST(PackedPositionTest, FieldsOfTheirLargestValuesComeBack) {
  expect_kept([](Position* p) { p->ply = 16383; });
  expect_kept([](Position* p) { p->rights = 255; });
  expect_kept([](Position* p) { p->count_limit = 255, p->count = 255; });
  expect_kept([](Position* p) { p->count_limit = 128, p->counter = Counter::kWhite; });
  expect_kept([](Position* p) { p->count_limit = 128, p->counter = Counter::kBlack; });
  expect_kept([](Position* p) { p->hand[0] = 127, p->hand[1] = 1; });
  expect_kept([](Position* p) { p->hand[1] = 127, p->counter = Counter::kBlack; });
}

TEST(PackedPositionTest, TheLayoutIsTheDocumentedOne) {
  const GamePtr game = game_named("makruk");
  Position position = *parse_position(*game, kRookEnding);
  const std::uint32_t rook = static_cast<std::uint32_t>(game->info().kinds.find('R'));
  position.to_move = Color::kBlack;
  position.ply = 5;
  position.rights = 0x21;
  position.count_limit = 32;
  position.count = 6;
  const PackedPosition packed = *pack(game->info(), position, 2);
  EXPECT_EQ(packed.occupied[0], 0x90u);
  EXPECT_EQ(packed.occupied[1], 0x10000000u);
  EXPECT_EQ(packed.pieces[0], rook << 4 | 8u << 8);
  EXPECT_EQ(packed.pieces[1] | packed.pieces[2], 0u);
  EXPECT_EQ(packed.pieces[3], 32u | 6u << 8);
  EXPECT_EQ(packed.state, 1u | 1u << 1 | 5u << 3 | 0x21u << 17 | 1u << 31);
}

// Positions of random games, every other one with few pieces, so that counts run.
class PackedChessTest : public testing::TestWithParam<std::string> {};

TEST_P(PackedChessTest, PositionsWithCountsComeBack) {
  const GamePtr game = game_named(GetParam());
  RandomGames games(*game, 5);
  int counts = 0;
  for (int i = 0; i < 200; ++i) {
    for (const RandomStop& stop : games.next(3)) {
      Position kept = stop.position;
      kept.no_progress_plies = 0;
      const auto packed = pack(game->info(), stop.position, 1);
      ASSERT_TRUE(packed) << position_text(*game, stop.position);
      ASSERT_EQ(unpack(game->info(), *packed)->position, kept) << position_text(*game, stop.position);
      counts += kept.count_limit > 0;
    }
  }
  EXPECT_GT(counts, 50);
}

INSTANTIATE_TEST_SUITE_P(Games, PackedChessTest,
                         testing::Values("makruk", "makruk-sutra", "ok", "kaok", "low1839"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(PackedPositionTest, ADeclaredCountComesBackWithItsCounter) {
  const GamePtr game = game_named("makruk:count.mode=manual,count.who=any");
  Position position = *parse_position(*game, "4k3/8/8/3r4/8/8/8/4K2R b");
  ASSERT_EQ(game->declarations(position), std::vector{Declaration::kStartCount});
  game->declare(Declaration::kStartCount, &position);
  ASSERT_EQ(position.counter, Counter::kBlack);
  const Position unpacked = unpack(game->info(), *pack(game->info(), position, 1))->position;
  position.first_ply = 0;  // The move number of a text is not kept.
  EXPECT_EQ(unpacked, position);
}

TEST(PackedPositionTest, OccurrencesAreKeptWhereRepetitionEndsGames) {
  for (const char* spec : {"makyek:repetition=5", "makyek:repetition=0"}) {
    const GamePtr game = game_named(spec);
    for (int occurrences = 1; occurrences <= 4; ++occurrences) {
      const auto packed = pack(game->info(), game->initial(), occurrences);
      ASSERT_TRUE(packed);
      EXPECT_EQ(unpack(game->info(), *packed)->occurrences, game->info().repetition > 0 ? occurrences : 1);
    }
  }
}

// What is wrong, and whether it is wrong beside 32 men alone.
struct Misfit {
  const char* why;
  std::function<void(Position*)> change;
};

TEST(PackedPositionTest, WhatDoesNotFitIsRefused) {
  const GamePtr makyek = game_named("makyek"), makruk = game_named("makruk");
  const Position men = makyek->initial(), few = *parse_position(*makruk, kRookEnding);
  ASSERT_EQ(size(men.occupied()), 32);
  const Misfit beside_many[] = {
      {"33 pieces", [](Position* p) { p->side[0] |= bit(32), p->kind[0] |= bit(32); }},
      {"a hand beside 32 men", [](Position* p) { p->hand[0] = 1; }},
      {"a count beside 32 men", [](Position* p) { p->count_limit = 128; }},
      {"an obligation", [](Position* p) { p->obliged[1] = bit(32); }},
      {"a first-move right beside no-progress plies", [](Position* p) { p->rights = 1; }},
      {"16384 no-progress plies", [](Position* p) { p->no_progress_plies = 16384; }},
  };
  const Misfit in_counting[] = {
      {"16384 plies", [](Position* p) { p->ply = 16384; }},
      {"a limit of 256", [](Position* p) { p->count_limit = 256; }},
      {"a count of 256", [](Position* p) { p->count_limit = 128, p->count = 256; }},
      {"128 in White's hand", [](Position* p) { p->hand[0] = 128; }},
      {"128 in Black's hand", [](Position* p) { p->hand[1] = 128; }},
  };
  EXPECT_TRUE(pack(makyek->info(), men, 4));
  EXPECT_FALSE(pack(makyek->info(), men, 5));
  EXPECT_TRUE(pack(makruk->info(), few, 1));
  const auto expect_refused = [](const Game& game, Position position, const Misfit& misfit) {
    misfit.change(&position);
    EXPECT_FALSE(pack(game.info(), position, 1)) << misfit.why;
  };
  for (const Misfit& misfit : beside_many) expect_refused(*makyek, men, misfit);
  for (const Misfit& misfit : in_counting) expect_refused(*makruk, few, misfit);
}

TEST(PackedPositionTest, AHandFitsBeside24PiecesAndNotBeside25) {
  const GamePtr game = game_named("makyek");
  Position position = game->initial();
  position.hand[0] = 1;
  for (int pieces = 32; pieces > 20; --pieces) {
    EXPECT_EQ(pack(game->info(), position, 1).has_value(), pieces <= 24) << pieces;
    const Bitboard piece = bit(first_square(position.occupied()));
    position.side[0] &= ~piece, position.side[1] &= ~piece, position.kind[0] &= ~piece;
  }
}

TEST(PackedPositionTest, BitsThatPackDoesNotMakeAreNoPosition) {
  const GamePtr makruk = game_named("makruk"), makyek = game_named("makyek"), gala = game_named("gala");
  const PackedPosition few = *pack(makruk->info(), *parse_position(*makruk, kRookEnding), 1);
  const auto expect_none = [](const Game& game, PackedPosition packed, const char* why,
                              const std::function<void(PackedPosition*)>& change) {
    change(&packed);
    EXPECT_FALSE(unpack(game.info(), packed)) << why;
  };
  ASSERT_TRUE(unpack(makruk->info(), few));
  expect_none(*makruk, few, "a piece without a square", [](auto* p) { p->pieces[2] = 1; });
  expect_none(*makruk, few, "a seventh kind", [](auto* p) { p->pieces[0] |= 6; });
  expect_none(*makruk, few, "rights of nine bits", [](auto* p) { p->state |= 1u << 25; });
  expect_none(*makruk, few, "an empty extension", [](auto* p) { p->state |= 1u << 31; });
  expect_none(*makruk, few, "an extension without its bit", [](auto* p) { p->pieces[3] = 128; });
  expect_none(*makruk, few, "two counters", [](auto* p) {
    p->state |= 1u << 31;
    p->pieces[3] = 1u << 23 | 1u << 31;
  });
  expect_none(*makruk, few, "64 pieces", [](auto* p) { p->occupied[0] = p->occupied[1] = ~0u; });
  expect_none(*gala, {}, "a piece off the board", [](auto* p) { p->occupied[0] = 1u << 7; });
  const PackedPosition men = *pack(makyek->info(), makyek->initial(), 1);
  expect_none(*makyek, men, "a second kind of men", [](auto* p) { p->pieces[0] |= 1; });
  expect_none(*game_named("makyek:repetition=0"), men, "occurrences", [](auto* p) { p->state |= 1u << 1; });
}

}  // namespace
}  // namespace makzero::game
