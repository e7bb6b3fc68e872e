// The fortresses that the program comes with: which starts they prove drawn, what refutes them, and that the
// rules themselves find no way in.
#include "game/fortress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "game/catalog.h"
#include "game/embedded_text.h"
#include "game/notation.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<FortressSetup> known_setups() { return *parse_fortress(fortresses().front().text); }

Parsed<FortressProof> prove(const std::string& ruleset) {
  return prove_fortress(**make_game(ruleset), known_setups());
}

std::vector<FortressSetup> used_setups(const std::string& ruleset) { return prove(ruleset)->setups; }

std::string hole_of(const std::string& ruleset) {
  const Parsed<FortressProof> proof = prove(ruleset);
  return proof ? "proven" : proof.why();
}

constexpr const char* kProven[] = {"makyek",
                                   "makyek-line",
                                   "makyek-low",
                                   "makyek-corner",
                                   "makyek:setup=rows12",
                                   "makyek-line:no_move=pass",
                                   "makyek:limit_result=material",
                                   "apit",
                                   "apit-single",
                                   "apit-intfirst",
                                   "apit-custfirst",
                                   "apit:corner_capture=on",
                                   "rek",
                                   "rek:kings=right",
                                   "rek:kings=mirror",
                                   "rek:order=surround_first",
                                   "rek:surround=single"};

class ProvenTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Rulesets, ProvenTest, testing::ValuesIn(kProven));

TEST_P(ProvenTest, StartIsDrawn) {
  const Parsed<FortressProof> proof = prove(GetParam());
  ASSERT_TRUE(proof) << proof.why();
  EXPECT_GE(proof->setups.size(), 2u);
  EXPECT_GT(proof->enemy_moves, 500);
}

class ReplyTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Rulesets, ReplyTest,
                         testing::Values("makyek", "makyek-low", "makyek-corner", "apit", "rek"));

// True if a symmetry turns the set-up into itself and its reply into this one.
bool is_image(const FortressSetup& setup, Square from, Square to) {
  for (int id = 0; id < kSymmetries; ++id) {
    const Symmetry image(id, 8, 8);
    const FortressSetup turned = {image(setup.own), image(setup.enemy), image(setup.from), image(setup.to)};
    if (turned == FortressSetup{setup.own, setup.enemy, from, to}) return true;
  }
  return false;
}

TEST_P(ReplyTest, AnyOtherRefutesIt) {
  const GamePtr game = *make_game(GetParam());
  const std::vector<FortressSetup> used = used_setups(GetParam());
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::vector<FortressSetup> changed = used;
    for (changed[i].from = 0; changed[i].from < kSquares; ++changed[i].from) {
      for (changed[i].to = 0; changed[i].to < kSquares; ++changed[i].to) {
        ASSERT_EQ(static_cast<bool>(prove_fortress(*game, changed)),
                  is_image(used[i], changed[i].from, changed[i].to))
            << "set-up " << i << ", " << square_text(changed[i].from) << square_text(changed[i].to);
      }
    }
  }
}

TEST_P(ProvenTest, ASetUpFewerRefutesIt) {
  const GamePtr game = *make_game(GetParam());
  const std::vector<FortressSetup> used = used_setups(GetParam());
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::vector<FortressSetup> fewer = used;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(prove_fortress(*game, fewer)) << "set-up " << i;
  }
}

// Enemies on random squares of those that a set-up marks, and all their moves by the rules.
TEST_P(ProvenTest, RulesFindNoCaptureAndNoWayIn) {
  const GamePtr game = *make_game(GetParam());
  const bool kings = game->info().kinds == "MK";
  std::mt19937_64 random(1);
  std::vector<FortressSetup> setups = used_setups(GetParam());
  const std::vector<FortressSetup> known = known_setups();
  setups.insert(setups.end(), known.end() - 2, known.end());  // Of a corner.
  for (const FortressSetup& setup : setups) {
    for (int i = 0; i < 300; ++i) {
      Position position;
      position.side[0] = setup.own;
      const int men = 1 + static_cast<int>(random() % 16);
      while (size(position.side[1]) < men)
        position.side[1] |= setup.enemy & bit(static_cast<Square>(random() % 64));
      if (kings) position.kind[1] = bit(first_square(position.side[0])) | bit(first_square(position.side[1]));
      position.kind[0] = position.occupied() & ~position.kind[1];
      MoveList moves;
      game->legal_moves(position, &moves);
      const Move* reply = std::ranges::find_if(
          moves, [&](Move move) { return move.origin() == setup.from && move.destination() == setup.to; });
      ASSERT_NE(reply, moves.end()) << position_text(*game, position);
      game->apply(*reply, &position);
      const Bitboard own = position.side[0];
      game->legal_moves(position, &moves);
      for (const Move move : moves) {
        Position after = position;
        game->apply(move, &after);
        ASSERT_EQ(after.side[0], own)
            << position_text(*game, position) << " " << move_text(*game, position, move);
        ASSERT_TRUE(move.is_pass() || contains(setup.enemy | bit(setup.from), move.destination()))
            << position_text(*game, position) << " " << move_text(*game, position, move);
      }
    }
  }
}

TEST(FortressTest, CountsWhatItFollowed) {
  EXPECT_EQ(used_setups("makyek").size(), 2u);
  EXPECT_EQ(used_setups("apit").size(), 3u);
  EXPECT_EQ(used_setups("rek").size(), 2u);
  EXPECT_EQ(used_setups("rek:kings=mirror").size(), 2u);
}

// Four men in any corner, whoever is to move; of three nothing is shown.
TEST(FortressTest, FourMenHoldACorner) {
  const std::vector<FortressSetup> setups = known_setups();
  for (const char* ruleset : {"makyek", "makyek-line", "makyek-low", "makyek-corner", "apit", "rek"}) {
    const GamePtr game = *make_game(ruleset);
    const auto held = [&](const Position& position) {
      return prove_fortress(*game, position, Color::kBlack, setups);
    };
    for (int id = 0; id < kSymmetries; ++id) {
      for (const Bitboard men : {Bitboard{0x10203}, Bitboard{0x10302}}) {
        for (const Color to_move : {Color::kWhite, Color::kBlack}) {
          Position position;
          position.to_move = to_move;
          position.side[1] = Symmetry(id, 8, 8)(men);
          position.side[0] = Symmetry(id, 8, 8)(Bitboard{0xFFFF} << 24);
          const auto proof = held(position);
          ASSERT_TRUE(proof) << proof.why();
          EXPECT_EQ(proof->setups.size(), 2u);
          EXPECT_FALSE(prove_fortress(*game, position, Color::kWhite, setups));
          position.side[1] &= position.side[1] - 1;
          EXPECT_FALSE(held(position));
        }
      }
    }
  }
}

TEST(FortressTest, JumpsLeadBehindTheWall) {
  EXPECT_THAT(hole_of("makyek-jump"), HasSubstr("after a1a2 the enemy's b4b2 takes something of"));
}

TEST(FortressTest, RulesThatTheCheckDoesNotKnowAreRefused) {
  for (const char* game : {"minrekchanh", "gala", "hunt", "makruk"})
    EXPECT_THAT(hole_of(game), HasSubstr(game));
}

std::string hole_in(const std::string& ruleset, const std::string& setups) {
  const auto proof = prove_fortress(**make_game(ruleset), *parse_fortress(setups));
  return proof ? "proven" : proof.why();
}

TEST(FortressTest, RepliesAreSlidesOverSquaresThatAreCertainlyEmpty) {
  const std::string start = "********/********/********/********/********/MMMMMMMM/......../MMMMMMMM ";
  for (const char* reply : {"a1b1", "a1a3", "a1b2", "a3a4", "h2h1", "a1a1"})
    EXPECT_THAT(hole_in("makyek", start + reply), HasSubstr(reply + std::string(" is not sure to be legal")))
        << reply;
}

TEST(FortressTest, EnemiesMustStandWhereTheSetUpHasThem) {
  EXPECT_THAT(
      hole_in("makyek", "******.*/********/********/********/********/MMMMMMMM/......../MMMMMMMM a1a2"),
      HasSubstr("the position leads out of the set-ups"));
}

// Each kind of capture in set-ups in which there is no other: with it they are refuted for it, without it for
// not going on. Black's side has the known ones.
TEST(FortressTest, EveryKindOfCaptureRefutes) {
  struct Case {
    const char *with, *without, *setups, *how;
  };
  const Case cases[] = {
      {"makyek:intervention=none", "makyek:intervention=none,custodian=none",
       "********/********/********/********/......../MMMMMMMM/......../MMMMMMMM c3c4\n"
       "********/********/********/********/**M*****/MM.MMMMM/......../MMMMMMMM a1a2",
       "the enemy's a4b4 takes"},
      {"apit:custodian=none", "apit:custodian=none,intervention=none",
       "********/********/********/********/......../......../MMMMMMMM/MMMMMMMM a2a4\n"
       "********/********/********/********/M*******/.*******/.MMMMMMM/MMMMMMMM a1a2",
       "the enemy's b3a3 takes"},
      {"makyek:corner_capture=on,custodian=none,intervention=none", "makyek:custodian=none,intervention=none",
       "********/********/********/********/********/MMMMMMMM/......../MMMMMMMM b1b2\n"
       "********/********/********/********/********/MMMMMMMM/*M....../M*MMMMMM b2c2\n"
       "********/********/********/********/********/MMMMMMMM/**M...../M*MMMMMM h1h2",
       "the enemy's b2b1 takes"},
      {"rek", "rek:surround=off",
       "********/********/********/********/......../MMMMMMMM/M......./.MMMMMMM a3a4\n"
       "********/********/********/********/M*******/*MMMMMMM/M......./.MMMMMMM a2a1",
       "the enemy may surround"},
  };
  for (const Case& each : cases) {
    const std::string setups = each.setups + ("\n" + std::string(fortresses().front().text));
    EXPECT_THAT(hole_in(each.with, setups), HasSubstr(each.how)) << each.with;
    EXPECT_THAT(hole_in(each.without, setups), HasSubstr("an enemy move leads out of the set-ups"))
        << each.without;
  }
}

TEST(FortressTest, JumpsLeadBehindTheWallWhereNothingIsTaken) {
  EXPECT_THAT(hole_of("makyek:jump=on,custodian=none,intervention=none"),
              HasSubstr("after a1a2 an enemy move leads out of the set-ups"));
}

TEST(FortressTest, ALineThatCannotBeReadIsNamed) {
  for (const char* line :
       {"MMMMMMMM a1a2", "********/********/********/********/********/MMMMMMMM/......../MMMMMMMM",
        "********/********/********/********/********/MMMMMMMM/......../MMMMMMMx a1a2",
        "********/********/********/********/********/MMMMMMMM/......../MMMMMMMM a1a9"}) {
    const auto setups = parse_fortress("# Mine.\n\n" + std::string(line) + "\n");
    ASSERT_FALSE(setups) << line;
    EXPECT_THAT(setups.why(), HasSubstr("line 3: '")) << line;
  }
}

}  // namespace
}  // namespace makzero::game
