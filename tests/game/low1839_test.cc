// Low's Mak Ruk of 1839. "Fact N" is the number in the rules' list of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "game/rules/chess_steps.h"
#include "tests/support/any_arrangement.h"
#include "tests/support/chaser_moves.h"

namespace makzero::game {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55u;  // a1 is dark.

constexpr Outcome kOngoing = {};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }

TEST(LowTest, StartHasItsNumberOfMoves) {
  const std::pair<const char*, int> facts[] = {
      {"low1839", 23}, {"low1839-dlp", 24}, {"low1839-dlp:low.khoon=orthogonal", 22}};
  for (const auto& [ruleset, moves] : facts) {
    EXPECT_EQ(Playthrough(ruleset).legal().size(), moves) << ruleset;
    EXPECT_EQ(Playthrough(ruleset).fields(), "Ed - 0 1") << ruleset;
  }
  EXPECT_EQ(Playthrough("low1839:low.khon=first").fields(), "CEFcdf - 0 1");
  EXPECT_EQ(Playthrough("low1839-dlp").moves("e1"), "e1d2 e1e2 e1f2");
}

// What the piece on a square may do.
struct Steps {
  const char* why;
  const char* ruleset;
  const char* position;
  const char* from;
  const char* moves;
};

TEST(LowTest, PiecesStepAsTheTableSays) {
  const char* khon = "4k3/8/8/8/3S4/2p1p3/8/K7 w - - 0 1";
  const Steps facts[] = {
      {"70 two squares ahead", "low1839", "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w Ed - 0 2", "e1",
       "e1d2 e1e3 e1f2"},
      {"70 not over a piece", "low1839", "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/4N3/RNSKMS1R w Ed - 0 2", "e1",
       "e1d2 e1f2"},
      {"not onto a piece", "low1839", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w Ed - 0 1", "e1",
       "e1d2 e1f2"},
      {"not without the right", "low1839", "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w d - 0 2", "e1",
       "e1d2 e1f2"},
      {"Black's met", "low1839", "rnsmksnr/8/ppp1pppp/3p4/8/PPPPPPPP/8/RNSKMSNR b Ed - 0 2", "d8",
       "d8c7 d8d6 d8e7"},
      {"it may block a check", "low1839", "4k3/8/8/8/8/K6r/8/4M3 w E - 0 1", "e1", "e1e3"},
      {"a pinned met stays", "low1839", "4k3/8/8/8/8/8/8/2K1M2r w E - 0 1", "e1", ""},
      {"one ahead or two", "low1839-dlp", "4k3/8/8/8/8/8/8/1K2M3 w E - 0 1", "e1", "e1d2 e1e2 e1e3 e1f2"},
      {"a met steps ahead", "low1839-dlp", "4k3/8/8/8/3M4/8/8/K7 w - - 0 1", "d4",
       "d4c3 d4c5 d4d5 d4e3 d4e5"},
      {"a met pinned by a rook ahead", "low1839-dlp", "3rk3/8/8/8/3M4/8/8/3K4 w - - 0 1", "d4", "d4d5"},
  };
  for (const Steps& fact : facts) {
    EXPECT_EQ(Playthrough(fact.ruleset, fact.position).moves(fact.from), fact.moves) << "fact " << fact.why;
  }
  EXPECT_EQ(Playthrough("low1839-dlp", khon).moves("d4"), "d4c5 d4d5 d4e5");
  EXPECT_EQ(Playthrough("low1839:low.promotion=8", khon).moves("d4"), "d4c3 d4c5 d4d5 d4e3 d4e5");
}

// With pawns that have passed their promotion rank, which no game reaches.
TEST(LowTest, KhonTakesBack) {
  const AnyArrangement game(*make_game("low1839"));
  const auto position = parse_position(game, "4k3/8/8/8/3S4/2p1p3/8/K7 w - - 0 1");
  ASSERT_TRUE(position);
  EXPECT_EQ(game.count_moves(*position), 5 + 2) << "five and two of the king";
  for (const char* move : {"d4c3", "d4e3", "d4c5", "d4d5", "d4e5"}) {
    EXPECT_TRUE(parse_move(game, *position, move)) << move;
  }
}

TEST(LowTest, KhoonGoesStraightAloneOnRequest) {
  const char* position = "8/8/8/8/3k4/8/8/3K4 w - - 0 1";
  EXPECT_EQ(Playthrough("low1839", position).moves(), "d1c1 d1c2 d1d2 d1e1 d1e2");
  EXPECT_EQ(Playthrough("low1839:low.khoon=orthogonal", position).moves(), "d1c1 d1d2 d1e1");
  EXPECT_EQ(Playthrough("low1839:low.khoon=orthogonal", "8/8/8/8/8/2k5/3P4/3K4 b - - 0 1").moves("c3c2"),
            "c3c2")
      << "kings may stand diagonally beside each other";
}

TEST(LowTest, KhonThatTakesNotBackGivesNoCheckThere) {
  EXPECT_EQ(Playthrough("low1839-dlp", "8/8/8/3S4/2k5/8/8/K7 b - - 0 1").moves("c4c5"), "c4c5");
  const Playthrough behind("low1839-dlp", "8/8/8/3S4/2k5/8/8/K7 w - - 0 1");
  EXPECT_EQ(behind.moves("d5"), "d5c6 d5d6 d5e4 d5e6");
  EXPECT_THAT(parse_position(**make_game("low1839"), "8/8/8/3S4/2k5/8/8/K7 w - - 0 1").why(),
              HasSubstr("Black is in check but White is to move"));
}

TEST(LowTest, KhonStepsAheadOnceOnRequest) {
  const char* spec = "low1839:low.khon=first";
  Playthrough game(spec);
  EXPECT_EQ(game.moves("c1"), "c1b2 c1c2 c1d2");
  game.play("c1c2 c8c7");
  EXPECT_EQ(game.fields(), "EFdf - 2 2");
  EXPECT_EQ(game.moves("c2"), "") << "it has moved: diagonal steps alone, and those are blocked";
  EXPECT_EQ(Playthrough(spec, "4k3/8/8/8/8/8/2m5/2S1K3 w C - 0 1").moves("c1"), "c1b2 c1d2")
      << "it does not take ahead";
  EXPECT_EQ(Playthrough(spec, "4k3/8/8/8/8/8/8/2S1K3 w - - 0 1").moves("c1"), "c1b2 c1d2");
  EXPECT_EQ(Playthrough(spec, "8/8/8/8/8/3k4/8/K2S4 b - - 0 1").moves("d3d2"), "d3d2")
      << "nor does it give check ahead";
}

TEST(LowTest, BeasBecomeMets) {
  EXPECT_EQ(Playthrough("low1839", "7k/8/8/4P3/8/8/8/K7 w - - 0 1").moves("e5"), "e5e6m");
  EXPECT_EQ(Playthrough("low1839-dlp", "7k/8/8/4P3/8/8/8/K7 w - - 0 1").moves("e5"), "e5e6");
  EXPECT_EQ(Playthrough("low1839-dlp", "7k/4P3/8/8/8/8/8/K7 w - - 0 1").moves("e7"), "e7e8m");
  EXPECT_THAT(parse_position(**make_game("low1839"), "7k/4P3/8/8/8/8/8/K7 w - - 0 1").why(),
              HasSubstr("White's pawn on e7 has passed its promotion rank"));
}

TEST(LowCountingTest, ChaserHasTheMovesThatItsPiecesLeave) {
  const std::pair<const char*, int> facts[] = {{"RR6", 4},  {"R7", 13},  {"SS6", 18},  {"S7", 41},
                                               {"NN6", 29}, {"NM6", 62}, {"MP5P", 83}, {"MRNS4", 10}};
  for (const auto& [rank4, moves] : facts) {
    Playthrough game("low1839:repetition=off", std::string("7k/8/8/8/") + rank4 + "/8/5m2/4K3 w - - 0 1");
    EXPECT_EQ(chaser_moves(game.play("e1f2")), moves) << rank4;
  }
}

TEST(LowCountingTest, AMetOrAKnightAloneHasDrawnAtOnce) {
  for (const char* ruleset : {"low1839", "low1839-dlp"}) {
    for (const char* rank4 : {"M7", "N7"}) {
      Playthrough game(ruleset, std::string("7k/8/8/8/") + rank4 + "/8/5m2/4K3 w - - 0 1");
      EXPECT_EQ(game.play("e1f2").outcome(), draw_by(Reason::kInsufficientMaterial))
          << ruleset << " " << rank4;
    }
  }
  Playthrough later("low1839-dlp", "8/4P3/7k/8/8/8/8/K7 w - - 0 1");
  EXPECT_EQ(later.outcome(), kOngoing);
  EXPECT_EQ(later.play("e7e8m").outcome(), draw_by(Reason::kInsufficientMaterial)) << "when it arises later";
  EXPECT_EQ(Playthrough("low1839", "8/8/7k/4P3/8/8/8/K7 w - - 0 1").outcome(),
            draw_by(Reason::kInsufficientMaterial));
}

TEST(LowCountingTest, MetsOfOneColourAreDeadWhereTheyKeepIt) {
  const char* mets = "8/8/8/3k4/8/8/2M5/KM6 w - - 0 1";
  EXPECT_EQ(Playthrough("low1839", mets).outcome(), draw_by(Reason::kInsufficientMaterial));
  EXPECT_EQ(Playthrough("low1839-dlp", mets).outcome(), kOngoing);
  EXPECT_EQ(Playthrough("low1839-dlp", "8/8/8/3k4/8/8/8/K7 w - - 0 1").outcome(),
            draw_by(Reason::kInsufficientMaterial));
  EXPECT_EQ(Playthrough("low1839-dlp", "8/8/8/3km3/8/8/8/KM6 w - - 0 1").outcome(), kOngoing);
}

TEST(LowCountingTest, AKnightMatesAKhoonThatGoesStraight) {
  for (const char* ruleset : {"low1839:low.khoon=orthogonal", "low1839-dlp:low.khoon=orthogonal"}) {
    Playthrough game(ruleset, "k7/1K6/8/3N4/8/8/8/8 w - - 0 1");
    EXPECT_EQ(game.outcome(), kOngoing) << ruleset;
    EXPECT_EQ(game.play("d5c7").outcome(), (Outcome{Result::kWhiteWins, Reason::kCheckmate})) << ruleset;
  }
}

TEST(LowCountingTest, InsufficientMaterialFollowsTheStepsOfKhoonAndMet) {
  struct {
    const char* pieces;
    bool dead[4];  // Khoon any, khoon orthogonal; the same with mets that step forward.
  } const facts[] = {{"K7/8", {true, true, true, true}},        {"KN6/8", {true, false, true, false}},
                     {"KM6/8", {true, true, true, true}},       {"K7/2P5", {true, true, false, true}},
                     {"KM6/2M5", {true, true, false, false}},   {"KM6/1M6", {false, false, false, false}},
                     {"Km6/2M5", {true, true, false, false}},   {"KS6/8", {false, false, false, false}},
                     {"K7/2P1P3", {false, false, false, false}}};
  for (const auto& [pieces, dead] : facts) {
    for (int i = 0; i < 4; ++i) {
      const std::string ruleset = std::string("low1839:low.met=") + (i < 2 ? "ferz" : "forward") +
                                  ",low.khoon=" + (i % 2 == 0 ? "any" : "orthogonal");
      const std::string ranks(pieces);
      const std::string text = "8/8/8/3k4/8/8/" + ranks.substr(ranks.find('/') + 1) + "/" +
                               ranks.substr(0, ranks.find('/')) + " w - - 0 1";
      EXPECT_EQ(Playthrough(ruleset, text).outcome(),
                dead[i] ? draw_by(Reason::kInsufficientMaterial) : kOngoing)
          << ruleset << " " << text;
    }
  }
}

struct Piece {
  ChessKind kind;
  Color side;
  Bitboard squares;  // Where it may stand.
};

// In how many arrangements of both kings and these pieces Black is mated.
int mates_with(const char* ruleset, const std::vector<Piece>& pieces) {
  const GamePtr game = *make_game(ruleset);
  int mates = 0;
  const auto put = [](ChessKind kind, Color side, Square square, Position* position) {
    position->kind[kind] |= bit(square);
    position->side[index(side)] |= bit(square);
  };
  const std::function<void(const Position&, size_t)> add = [&](const Position& position, size_t next) {
    if (next < pieces.size()) {
      for (Bitboard free = pieces[next].squares & ~position.occupied(); free;) {
        Position with = position;
        put(pieces[next].kind, pieces[next].side, pop_first(&free), &with);
        add(with, next + 1);
      }
      return;
    }
    std::vector<std::string> reasons;
    if (game->count_moves(position) > 0) return;
    game->check(position, &reasons);
    mates += reasons.empty() && game->outcome(position, false, 1).reason == Reason::kCheckmate;
  };
  for (Square white = 0; white < kSquares; ++white) {
    for (Bitboard left = kFileA * 0xF; left;) {  // The other half is its mirror image.
      const Square black = pop_first(&left);
      if (black == white) continue;
      Position position;
      put(kKing, Color::kWhite, white, &position);
      put(kKing, Color::kBlack, black, &position);
      position.to_move = Color::kBlack;
      add(position, 0);
    }
  }
  return mates;
}

// A single met that steps forward mates, but has drawn at once.
TEST(LowCountingTest, WhatIsDeadMatesInNoArrangement) {
  const char* any[] = {"low1839", "low1839:low.promotion=8", "low1839-dlp"};
  const char* orthogonal[] = {"low1839:low.khoon=orthogonal", "low1839:low.khoon=orthogonal,low.promotion=8",
                              "low1839-dlp:low.khoon=orthogonal"};
  const auto lone = [](ChessKind kind) { return std::vector<Piece>{{kind, Color::kWhite, kAllSquares}}; };
  for (const char* ruleset : any) EXPECT_EQ(mates_with(ruleset, lone(kKnight)), 0) << ruleset;
  for (const char* ruleset : orthogonal) EXPECT_GT(mates_with(ruleset, lone(kKnight)), 0) << ruleset;
  for (const char* ruleset : orthogonal) EXPECT_EQ(mates_with(ruleset, lone(kPawn)), 0) << ruleset;
  for (const char* ruleset : {any[0], orthogonal[0]})
    EXPECT_EQ(mates_with(ruleset, lone(kMet)), 0) << ruleset;
  for (const Bitboard colour : {kDarkSquares, ~kDarkSquares}) {
    for (const Color second : {Color::kWhite, Color::kBlack}) {
      EXPECT_EQ(mates_with(orthogonal[0], {{kMet, Color::kWhite, colour}, {kMet, second, colour}}), 0);
    }
  }
  EXPECT_GT(
      mates_with(orthogonal[0], {{kMet, Color::kWhite, kDarkSquares}, {kMet, Color::kBlack, ~kDarkSquares}}),
      0);
}

TEST(LowCountingTest, OnlyABareKingStartsTheCountAndNothingRestartsIt) {
  EXPECT_EQ(Playthrough("low1839", "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1").play("f5f6m").fields(), "- - 0 1")
      << "no board's honour";
  Playthrough game("low1839", "8/8/8/8/1k1P3R/8/5m2/4K3 w - - 0 1");
  EXPECT_EQ(game.play("e1f2").fields(), "- 32 8 1") << "though a pawn is left";
  EXPECT_EQ(game.play("b4c4").fields(), "- 32 9 2");
  EXPECT_EQ(game.play("h4h8").fields(), "- 32 10 2");
  EXPECT_EQ(game.play("c4d4").fields(), "- 32 11 3") << "the loss of a piece changes nothing";
  EXPECT_EQ(Playthrough("low1839", "7k/8/8/8/SNN5/8/5m2/4K3 w - - 0 1").play("e1f2").fields(), "- 88 10 1")
      << "the khon is the highest piece";
}

TEST(LowCountingTest, CountDrawsOncePassedAndMateComesFirst) {
  EXPECT_EQ(Playthrough("low1839", "8/8/8/3k4/8/8/RR6/K7 w - 16 17 60").outcome(),
            draw_by(Reason::kCountExceeded));
  EXPECT_EQ(Playthrough("low1839", "R6k/1R6/8/8/8/8/8/K7 b - 16 17 60").outcome(),
            (Outcome{Result::kWhiteWins, Reason::kCheckmate}));
  EXPECT_EQ(Playthrough("low1839", "k7/2M5/1K6/8/8/8/8/8 b - - 0 1").outcome(), draw_by(Reason::kStalemate));
}

TEST(LowOptionsTest, RulesetsAreNamesForOptions) {
  EXPECT_EQ(Playthrough("low1839-dlp:low.met=forward,low.khoon=any").game().info().ruleset, "low1839-dlp");
  EXPECT_EQ(Playthrough("low1839-dlp:low.khon=silver").game().info().ruleset, "low1839-dlp:low.khon=silver");
  EXPECT_THAT(make_game("low1839:low.khon=gold").why(), HasSubstr("give one of silver, noback, first"));
  EXPECT_THAT(make_game("low1839:low.promotion=7").why(), HasSubstr("give one of 6, 8"));
  const Playthrough game("low1839");
  EXPECT_THAT(game.game().declarations(game.position()), IsEmpty());
}

}  // namespace
}  // namespace makzero::game
