// Min Rek Chanh: kings that stay, compulsory capture in its three readings, and obligations as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "game/rules/rek.h"
#include "game/symmetry.h"
#include "tests/support/playthrough.h"
#include "tests/support/position_tools.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTransition = "minrekchanh:obligation=transition";

constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

std::string moves_after(const char* spec, const char* position, const char* moves) {
  return Playthrough(spec, position).play(moves).moves();
}

TEST(MinRekChanhTest, StartHasThirtyOneMovesAndNoneOfTheKing) {
  const Playthrough start("minrekchanh");
  EXPECT_EQ(start.text(), "mmmmmmm1/7k/mmmmmmmm/8/8/MMMMMMMM/K7/1MMMMMMM w");
  EXPECT_EQ(start.legal().size(), 31);
  EXPECT_EQ(start.moves("a2"), "");
}

TEST(MinRekChanhTest, AnOpenedPairMustBeTaken) {
  for (const char file : std::string("bcdefg")) {
    const std::string move = {file, '3', file, '2'}, reply = {file, '6', file, '3'};
    EXPECT_EQ(moves_after("minrekchanh", "", move.c_str()), reply);
    EXPECT_EQ(moves_after(kTransition, "", move.c_str()), reply);
  }
  Playthrough game("minrekchanh");
  EXPECT_EQ(game.play("b3b2").captures(), std::vector<std::string>{"b6b3 a3 c3"});
  EXPECT_EQ(Playthrough("minrekchanh").play("h3h2").legal().size(), 32);
}

TEST(MinRekChanhTest, ABareKingHasNoMoveAndLoses) {
  Playthrough game("minrekchanh", "8/8/8/7k/8/8/8/K1M5 w");
  EXPECT_EQ(game.legal().size(), 13);
  game.play("c1c2");
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoLegalMove));
}

TEST(MinRekChanhTest, EveryOpenPairObligesUnderGlobal) {
  EXPECT_EQ(moves_after("minrekchanh", "2m5/1M1M3k/6m1/3M4/3M3m/3M4/K7/8 w", "d4c4"), "c8c7 g6d6 h4d4");
}

TEST(MinRekChanhTest, OnlyWhatTheLastMoveOpenedObligesUnderTransition) {
  EXPECT_EQ(moves_after(kTransition, "2m5/1M1M3k/6m1/3M4/3M3m/3M4/K7/8 w", "d4c4"), "h4d4");
  EXPECT_EQ(moves_after(kTransition, "8/7k/6m1/3M4/3M3m/3M4/K7/8 w", "d4c4"), "h4d4");
}

TEST(MinRekChanhTest, ACaptureMayObligeInTurn) {
  Playthrough game(kTransition, "8/7k/3m2m1/M2M4/3M3m/3M4/K7/8 w");
  game.play("d4c4");
  EXPECT_THAT(game.captures(), ElementsAre("h4d4 d3 d5"));
  EXPECT_EQ(game.moves(), "h4d4");
  game.play("h4d4");
  EXPECT_THAT(game.captures(), ElementsAre("a5d5 d4 d6"));
  EXPECT_EQ(game.moves(), "a5d5");
  game.play("a5d5");
  EXPECT_EQ(game.legal().size(), 14);
  EXPECT_EQ(game.text(), "8/7k/6m1/3M4/2M5/8/K7/8 b");
}

TEST(MinRekChanhTest, OneMoveMayOpenTwoPairs) {
  const char* position = "8/3M3k/6m1/8/1M3M2/8/K7/2m1m3 w";
  EXPECT_EQ(moves_after(kTransition, position, "d7d4"), "c1c4 e1e4");
  EXPECT_EQ(Playthrough(kTransition, position).play("d7d4").text(),
            "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b c1c4,e1e4");
}

TEST(MinRekChanhTest, WithoutAnObligationQuietMovesAreLegal) {
  const char* position = "8/8/8/8/8/1m1m4/8/K1M4k w";
  EXPECT_EQ(Playthrough("minrekchanh", position).moves(), "c1c3");
  EXPECT_EQ(Playthrough(kTransition, position).legal().size(), 12);
  EXPECT_EQ(Playthrough("minrekchanh:obligation=none", position).legal().size(), 12);
  EXPECT_EQ(Playthrough(kTransition, "8/8/8/8/8/1m1m4/8/K1M4k w c1c3").moves(), "c1c3");
}

TEST(MinRekChanhTest, TakingTheKingWins) {
  Playthrough game("minrekchanh", "8/8/8/8/8/k1m5/8/1M5K w");
  game.play("b1b3");
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kKingCaptured));
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.game().count_moves(game.position()), 0);
}

TEST(MinRekChanhTest, TheKingMayBeAllowedToMove) {
  const char* position = "7k/8/8/8/8/8/8/K2M4 w";
  EXPECT_EQ(Playthrough("minrekchanh:king=immobile", position).moves("a1"), "");
  EXPECT_EQ(Playthrough("minrekchanh:king=step", position).moves("a1"), "a1a2 a1b1");
  EXPECT_EQ(Playthrough("minrekchanh:king=rook", position).moves("a1"),
            "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1");
}

TEST(MinRekChanhTest, AnImmobileKingIsNeverObligedAndAnotherIs) {
  const char* position = "7k/8/8/8/8/m1m5/8/1K4M1 w";
  EXPECT_EQ(Playthrough("minrekchanh", position).legal().size(), 12);
  EXPECT_EQ(Playthrough("minrekchanh:king=rook", position).moves(), "b1b3");
  EXPECT_EQ(Playthrough("minrekchanh:king=step", position).legal().size(), 15);
}

TEST(MinRekChanhTest, SurroundingFulfilsTheObligation) {
  const char* corner = "7k/8/8/8/8/M7/8/mM5K w";
  EXPECT_EQ(Playthrough("minrekchanh", corner).captures(), std::vector<std::string>());
  EXPECT_EQ(Playthrough("minrekchanh:surround=on", corner).moves(), "a3a2");
  EXPECT_THAT(Playthrough("minrekchanh:surround=on", corner).captures(), ElementsAre("a3a2 a1"));
  EXPECT_GT(Playthrough("minrekchanh:surround=on,obligation=transition", corner).legal().size(), 1);
}

TEST(MinRekChanhTest, SurroundingASinglePieceFulfilsTheObligation) {
  const char *single = "7k/8/8/8/8/M7/8/mM5K w", *two = "7k/8/8/M7/8/mM6/mM6/M6K w";
  EXPECT_EQ(Playthrough("minrekchanh:surround=single", single).moves(), "a3a2");
  EXPECT_EQ(Playthrough("minrekchanh:surround=on", two).moves(), "a5a4");
  EXPECT_GT(Playthrough("minrekchanh:surround=single", two).legal().size(), 1);
}

TEST(MinRekChanhTest, AnOrderOfCapturesNeedsFreedom) {
  EXPECT_THAT(make_game("minrekchanh:surround=on,order=simultaneous").why(),
              HasSubstr("option 'order' needs obligation=none"));
  EXPECT_THAT(make_game("minrekchanh:obligation=transition,order=surround_first").why(),
              HasSubstr("option 'order' needs obligation=none"));
  EXPECT_TRUE(make_game("minrekchanh:obligation=none,surround=on,order=surround_first"));
}

TEST(MinRekChanhTest, ObligationsAreReadWithCommasOrBlanks) {
  const std::string board = "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b";
  for (const char* list : {" c1c4,e1e4", " e1e4 c1c4", " c1c4, e1e4"}) {
    EXPECT_EQ(Playthrough(kTransition, board + list).text(), board + " c1c4,e1e4");
  }
  EXPECT_EQ(Playthrough(kTransition, board + " e1e4").moves(), "e1e4");
}

TEST(MinRekChanhTest, WhatIsNoObligationIsRefused) {
  const GamePtr game = *make_game(kTransition);
  const std::string board = "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b ";
  EXPECT_EQ(parse_position(*game, board + "c1c3").why(),
            "obligation 'c1c3' is no move that takes a pair: leave it out");
  EXPECT_THAT(parse_position(*game, board + "c1c4,x").why(), HasSubstr("obligation 'x'"));
  EXPECT_THAT(parse_position(**make_game("minrekchanh"), board + "c1c4").why(),
              HasSubstr("unexpected 'c1c4' behind the side to move"));
}

TEST(MinRekChanhTest, ObligationsArePartOfThePosition) {
  const GamePtr game = *make_game(kTransition);
  const std::string board = "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b";
  std::set<std::uint64_t> keys;
  for (const char* list : {"", " c1c4", " e1e4", " c1c4,e1e4"}) {
    keys.insert(repetition_key(*parse_position(*game, board + list)));
  }
  EXPECT_EQ(keys.size(), 4u);
}

TEST(MinRekChanhTest, ThreatsOfAnObligedSideAreItsObligations) {
  const Playthrough game(kTransition, "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b c1c4");
  const Threats threats = game.game().threats(game.position(), Color::kBlack);
  EXPECT_EQ(threats.destinations, bit(*parse_square("c4")));
  EXPECT_EQ(threats.targets, bit(*parse_square("b4")) | bit(*parse_square("d4")));
}

// A crowded random arrangement with a king on each side.
Position random_position(std::mt19937_64* rng) {
  auto& next = *rng;
  Position position;
  do {
    position.side[0] = next() & next() & (next() | next());
    position.side[1] = next() & next() & (next() | next()) & ~position.side[0];
  } while (!position.side[0] || !position.side[1] || size(position.side[0]) > 16 ||
           size(position.side[1]) > 16);
  for (const Bitboard side : position.side) position.kind[Rek::kKing] |= bit(first_square(side));
  position.kind[Rek::kMan] = position.occupied() ^ position.kind[Rek::kKing];
  return position;
}

using Steps = std::set<std::pair<Square, Square>>;

// The slides of the side to move between two enemies, square by square.
Steps plain_openings(const Position& position, bool kings_move) {
  Steps steps;
  const auto enemy_at = [&](int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 &&
           contains(position.enemy(), square_at(file, rank));
  };
  for (Bitboard men = position.own(); men;) {
    const Square origin = pop_first(&men);
    if (contains(position.kind[Rek::kKing], origin) && !kings_move) continue;
    for (const auto& [files, ranks] : {std::pair(0, 1), {0, -1}, {1, 0}, {-1, 0}}) {
      for (int file = file_of(origin) + files, rank = rank_of(origin) + ranks;
           file >= 0 && file < 8 && rank >= 0 && rank < 8 &&
           !contains(position.occupied(), square_at(file, rank));
           file += files, rank += ranks) {
        const bool between = (enemy_at(file + 1, rank) && enemy_at(file - 1, rank)) ||
                             (enemy_at(file, rank + 1) && enemy_at(file, rank - 1));
        if (between) steps.insert({origin, square_at(file, rank)});
      }
    }
  }
  return steps;
}

// Plays every move of random positions.
void compare_with_the_words_of_the_rule(const std::string& spec, bool kings_move) {
  const GamePtr game = *make_game(spec);
  std::mt19937_64 rng(8);
  int obligations = 0;
  for (int i = 0; i < 1500; ++i) {
    Position position = random_position(&rng);
    MoveList moves, replies;
    game->legal_moves(position, &moves);
    for (const Move move : moves) {
      Position before = position, after = position;
      before.to_move = other(position.to_move);
      game->apply(move, &after);
      game->legal_moves(after, &replies);
      if (!(after.kind[Rek::kKing] & after.own())) continue;
      Steps opened = plain_openings(after, kings_move), legal;
      for (const auto& step : plain_openings(before, kings_move)) opened.erase(step);
      if (opened.empty()) {
        ASSERT_EQ(after.obliged[0] | after.obliged[1], 0u);
        continue;
      }
      ++obligations;
      for (const Move reply : replies) {
        legal.insert({reply.origin(), reply.destination()});
        Position taken = after;
        game->apply(reply, &taken);
        ASSERT_LT(size(taken.occupied()), size(after.occupied())) << "an obligatory move takes";
      }
      ASSERT_EQ(legal, opened) << position_text(*game, position) << " " << move_text(*game, position, move);
      for (int id = 0; id < kSymmetries; ++id) {
        const Symmetry symmetry(id, 8, 8);
        MoveList images;
        game->legal_moves(symmetry(after), &images);
        std::set<std::uint16_t> expected, found;
        for (const Move reply : replies) expected.insert(symmetry(reply).bits());
        for (const Move image : images) found.insert(image.bits());
        ASSERT_EQ(found, expected) << "symmetry " << id << " of " << position_text(*game, after);
      }
    }
  }
  EXPECT_GT(obligations, 1000);
}

TEST(MinRekChanhTest, TransitionIsWhatItsWordsSay) { compare_with_the_words_of_the_rule(kTransition, false); }

TEST(MinRekChanhTest, TransitionIsWhatItsWordsSayWithKingsAndSurrounding) {
  compare_with_the_words_of_the_rule("minrekchanh:obligation=transition,surround=on,king=rook", true);
}

TEST(MinRekChanhTest, SwappedColorsHaveTheSameObligations) {
  const Playthrough game(kTransition, "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b c1c4");
  const Position swapped = swap_colors(game.game().info(), game.position());
  EXPECT_EQ(position_text(game.game(), swapped), "3M1M2/7k/8/2m1m1m1/8/1M6/K7/8 w f8f5");
}

TEST(MinRekChanhTest, OptionsAreListedWithTheDefaultFirst) {
  const GamePtr game = *make_game("minrekchanh:king=step,obligation=none");
  EXPECT_EQ(game->info().ruleset, "minrekchanh:obligation=none,king=step");
  EXPECT_THAT(game->info().options[0].values, ElementsAre("global", "transition", "none"));
  EXPECT_THAT(game->info().options[1].values, ElementsAre("off", "on", "single"));
  EXPECT_THAT(game->info().options[2].values, ElementsAre("immobile", "rook", "step"));
  EXPECT_EQ(make_game("minrekchanh:obligation=some").why(),
            "option 'obligation' is 'some': give one of global, transition, none");
  EXPECT_EQ(Playthrough("minrekchanh:kings=right").text(), "1mmmmmmm/k7/mmmmmmmm/8/8/MMMMMMMM/7K/MMMMMMM1 w");
}

}  // namespace
}  // namespace makzero::game
