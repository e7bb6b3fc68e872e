// Ok and its rulesets: leaps, rights, counting, texts and options. "Fact N" is the number in the rules' list
// of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "game/perft.h"
#include "game/rules/first_moves.h"
#include "tests/support/any_arrangement.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Outcome kOngoing = {};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }

const char* const kStart = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1";

// What may be played from a square (or from all) after some moves from a position.
struct Legal {
  const char* fact;
  const char* ruleset;
  const char* position;
  const char* played;
  const char* from;
  const char* moves;
};

TEST(OkTest, KingsAndMetsLeapAsTheirFirstMove) {
  const Legal facts[] = {
      {"45 met", "ok", "", "e3e4 e6e5", "e1", "e1d2 e1e3 e1f2"},
      {"45 king", "ok", "", "e3e4 e6e5", "d1", "d1b2 d1c2 d1d2 d1e2 d1f2"},
      {"48 a king that moved leaps no more", "ok", "", "d1c2 d6d5 c2d1 d5d4", "d1", "d1c2 d1d2 d1e2"},
      {"49 Black's leaps, no capture yet", "ok", "", "e3e4 d6d5 d3d4", "e8", "e8c7 e8d7 e8e7 e8f7 e8g7"},
      {"49 after a capture: king", "ok", "", "e3e4 d6d5 e4d5", "e8", "e8d7 e8e7 e8f7"},
      {"49 after a capture: met", "ok", "", "e3e4 d6d5 e4d5", "d8", "d8c7 d8e7"},
      {"49 cambodian after a capture: king", "cambodian", "", "e3e4 d6d5 e4d5", "e8",
       "e8c7 e8d7 e8e7 e8f7 e8g7"},
      {"49 cambodian after a capture: met", "cambodian", "", "e3e4 d6d5 e4d5", "d8", "d8c7 d8d6 d8e7"},
      {"51 no leap out of check, none that takes", "ok", "", "b1d2 g8e7 d2e4 d6d5 e4d6", "", "e8d7"},
      {"52 a met's leap blocks a check", "ok", "4k3/8/8/8/8/K6r/8/4M3 w E - 0 1", "", "e1", "e1e3"},
      {"53 a king in check does not leap", "ok", "4k3/8/8/8/8/3r4/8/3K4 w D - 0 1", "", "d1",
       "d1c1 d1c2 d1e1 d1e2"},
      {"55 a king that leaps lateral alone", "ok",
       "rnsmksnr/8/1ppppppp/p7/2P5/PP1PPPPP/8/RNSKMSNR w DEde - 0 2", "", "d1", "d1b2 d1c2 d1d2 d1e2 d1f2"},
      {"55 a king that leaps anywhere", "ok:ok.king_leap=any",
       "rnsmksnr/8/1ppppppp/p7/2P5/PP1PPPPP/8/RNSKMSNR w DEde - 0 2", "", "d1",
       "d1b2 d1c2 d1c3 d1d2 d1e2 d1f2"},
      {"a pinned met does not leap", "ok", "4k3/8/8/8/8/8/8/r2KM2r w DE - 0 1", "", "e1", ""},
      {"a king does not leap onto an attacked square", "ok", "1r2k3/8/8/8/8/8/8/3K4 w D - 0 1", "", "d1",
       "d1c1 d1c2 d1d2 d1e1 d1e2 d1f2"},
      {"a met does not take by leaping", "ok", "4k3/8/8/8/8/4m3/8/3KM3 w E - 0 1", "", "e1", "e1d2 e1f2"},
      {"unless it may", "ok:ok.met_leap_captures=on", "4k3/8/8/8/8/4m3/8/3KM3 w E - 0 1", "", "e1",
       "e1d2 e1e3 e1f2"},
      {"but never its own", "ok:ok.met_leap_captures=on", "4k3/8/8/8/8/4P3/8/3KM3 w E - 0 1", "", "e1",
       "e1d2 e1f2"},
  };
  for (const Legal& fact : facts) {
    Playthrough game(fact.ruleset, fact.position);
    EXPECT_EQ(game.play(fact.played).moves(fact.from), fact.moves) << "fact " << fact.fact;
  }
}

TEST(OkTest, StartHasTwentyFiveMoves) {
  for (const char* ruleset : {"ok", "cambodian"}) {
    const Playthrough game(ruleset);
    EXPECT_EQ(game.text(), kStart);
    EXPECT_EQ(game.legal().size(), 25);
    EXPECT_EQ(game.moves("d1"), "d1b2 d1c2 d1d2 d1e2 d1f2");
  }
}

TEST(OkTest, KingLeapsAnywhereWithTwentySevenMoves) {
  const char* position = "rnsmksnr/8/1ppppppp/p7/2P5/PP1PPPPP/8/RNSKMSNR w DEde - 0 2";
  EXPECT_EQ(Playthrough("ok:ok.king_leap=any", position).legal().size(), 27);
  EXPECT_EQ(Playthrough("ok", position).legal().size(), 26);
}

// The met leaps over a piece; the others say which rights a line of moves leaves.
TEST(OkTest, LeapsOutliveCapturesInCambodian) {
  const char* position = "rnsmksnr/8/ppp1pppp/3p4/4P3/PPPP1PPP/8/RNSKMSNR w DEde - 0 2";
  for (const auto& [ruleset, leaves] : {std::pair("ok", 725u), std::pair("cambodian", 728u)}) {
    const Playthrough game(ruleset, position);
    EXPECT_EQ(perft(game.game(), game.position(), 2), leaves) << ruleset;
  }
}

TEST(OkTest, RightsEnd) {
  struct {
    const char* fact;
    const char* ruleset;
    const char* position;
    const char* moves;
    const char* after;
  } facts[] = {
      {"46", "ok", "", "e3e4 e6e5 g1e2 g8e7 e1e3",
       "rnsmks1r/4n3/pppp1ppp/4p3/4P3/PPPPMPPP/4N3/RNSK1S1R b Dde - 3 3"},
      {"47", "ok", "", "e3e4 d6d5 e1e3 d8d6 d1b2 e8g7",
       "rns2snr/6k1/pppmpppp/3p4/4P3/PPPPMPPP/1K6/RNS2SNR w - - 4 4"},
      {"47", "cambodian", "", "e3e4 d6d5 e1e3 d8d6 d1b2 e8g7",
       "rns2snr/6k1/pppmpppp/3p4/4P3/PPPPMPPP/1K6/RNS2SNR w - - 4 4"},
      {"48", "ok", "", "d1c2 d6d5 c2d1 d5d4", "rnsmksnr/8/ppp1pppp/8/3p4/PPPPPPPP/8/RNSKMSNR w Ede - 0 3"},
      {"49", "ok", "", "e3e4 d6d5 e4d5", "rnsmksnr/8/ppp1pppp/3P4/8/PPPP1PPP/8/RNSKMSNR b - - 0 2"},
      {"49", "cambodian", "", "e3e4 d6d5 e4d5", "rnsmksnr/8/ppp1pppp/3P4/8/PPPP1PPP/8/RNSKMSNR b DEde - 0 2"},
      {"54", "cambodian", "rnsmk1nr/4s3/pppppppp/8/8/PPPPPPPP/R7/1NSKMSNR w DEde - 2 2", "a2e2",
       "rnsmk1nr/4s3/pppppppp/8/8/PPPPPPPP/4R3/1NSKMSNR b DEd - 3 2"},
      {"54", "ok", "rnsmk1nr/4s3/pppppppp/8/8/PPPPPPPP/R7/1NSKMSNR w DEde - 2 2", "a2e2",
       "rnsmk1nr/4s3/pppppppp/8/8/PPPPPPPP/4R3/1NSKMSNR b DEde - 3 2"},
      {"a rook aims by taking, too", "cambodian", "4k3/8/8/r2P4/8/8/8/3KM3 b DEe - 0 9", "a5d5",
       "4k3/8/8/3r4/8/8/8/3KM3 w Ee 126 0 10"},
      {"a piece that is taken at home", "cambodian", "4k3/8/8/8/8/8/8/3KM2r b DEe - 0 9", "h1e1",
       "4k3/8/8/8/8/8/8/3Kr3 w e 30 6 10"},
  };
  for (const auto& fact : facts) {
    EXPECT_EQ(Playthrough(fact.ruleset, fact.position).play(fact.moves).text(), fact.after)
        << "fact " << fact.fact << ", " << fact.ruleset;
  }
}

TEST(OkTest, AMetThatTakesByLeapingGuardsAndGivesCheck) {
  const char* spec = "ok:ok.met_leap_captures=on";
  EXPECT_EQ(Playthrough(spec, "8/8/8/8/4k3/8/8/K3M3 b E - 0 1").moves("e4e3"), "") << "e3 is guarded";
  EXPECT_EQ(Playthrough(spec, "8/8/8/8/4k3/8/8/K3M3 b - - 0 1").moves("e4e3"), "e4e3");
  EXPECT_EQ(Playthrough("ok", "8/8/8/8/4k3/8/8/K3M3 b E - 0 1").moves("e4e3"), "e4e3");
  EXPECT_EQ(Playthrough(spec, "8/8/8/8/7r/4k3/8/K3M3 b E - 0 1").moves("h4"), "") << "nothing stops a leap";
  EXPECT_EQ(Playthrough(spec, "8/8/8/8/8/4k3/6n1/K3M3 b E - 0 1").moves("g2"), "g2e1");
  EXPECT_THAT(parse_position(**make_game(spec), "8/8/8/8/8/4k3/8/K3M3 w E - 0 1").why(),
              HasSubstr("Black is in check but White is to move"));
}

// The right to leap is gone after a capture, so that any capture answers a leap's check.
TEST(OkTest, ACaptureAnywhereEndsTheCheckOfALeapUnlessLeapsOutliveIt) {
  const char* dies = "ok:ok.met_leap_captures=on";
  const char* stays = "ok:ok.met_leap_captures=on,ok.leaps_after_captures=on";
  const char* leap = "3mk3/8/3K4/8/p7/8/8/R7 w d - 0 1";
  EXPECT_EQ(Playthrough(dies, leap).moves("a1"), "a1a4");
  EXPECT_EQ(Playthrough(stays, leap).moves("a1"), "");
  const char* guarded = "3mk3/8/3n4/3K4/8/8/8/8 w d - 0 1";
  EXPECT_EQ(Playthrough(dies, guarded).moves("d5d6"), "d5d6") << "the king takes what the leap guards";
  EXPECT_EQ(Playthrough(stays, guarded).moves("d5d6"), "");
  const char* doubled = "3mk3/8/r2K4/8/p7/8/8/R7 w d - 0 1";
  EXPECT_EQ(Playthrough(dies, doubled).moves("a1"), "") << "the rook still gives check";
  EXPECT_EQ(Playthrough(dies, "3mk3/8/r2K4/8/8/1N6/8/R7 w d - 0 1").moves("a1"), "a1a6");
}

// White to move; Black's met has its leap, and White's king often stands where it leads.
Position random_position_before_a_leap(std::mt19937_64* rng) {
  const auto pick = [rng](int count) { return static_cast<int>((*rng)() % count); };
  Position position;
  const auto put = [&position](ChessKind kind, Color side, Square square) {
    if (contains(position.occupied(), square)) return;
    position.kind[kind] |= bit(square);
    position.side[index(side)] |= bit(square);
  };
  position.rights = kMetUnmoved << 4;
  put(kMet, Color::kBlack, kMetHome<Color::kBlack>);
  put(kKing, Color::kWhite, pick(2) ? square_at(3, 5) : pick(kSquares));
  put(kKing, Color::kBlack, pick(kSquares));
  for (int i = 0; i < 6; ++i)
    put(static_cast<ChessKind>(kMet + pick(5)), pick(2) ? Color::kWhite : Color::kBlack, pick(kSquares));
  return position;
}

TEST(OkTest, WithCapturingLeapsTheLegalMovesAreThoseThatLeaveTheKingOutOfTheirReach) {
  const GamePtr plain = *make_game("ok");
  for (const char* after_captures : {"off", "on"}) {
    const GamePtr game =
        *make_game("ok:ok.met_leap_captures=on,ok.leaps_after_captures=" + std::string(after_captures));
    std::mt19937_64 rng(3);
    int checks = 0;
    for (int i = 0; i < 100'000; ++i) {
      const Position position = random_position_before_a_leap(&rng);
      std::vector<std::string> reasons;
      game->check(position, &reasons);
      if (!reasons.empty()) continue;
      checks += contains(position.kind[kKing], square_at(3, 5));
      MoveList tried, legal;
      plain->legal_moves(position, &tried);
      game->legal_moves(position, &legal);
      std::vector<Move> expected;
      for (const Move move : tried) {
        Position next = position;
        game->apply(move, &next);
        if (!(game->threats(next, Color::kBlack).targets & next.kind[kKing])) expected.push_back(move);
      }
      ASSERT_THAT(std::vector<Move>(legal.begin(), legal.end()), testing::UnorderedElementsAreArray(expected))
          << position_text(*game, position);
      ASSERT_EQ(game->count_moves(position), legal.size()) << position_text(*game, position);
    }
    EXPECT_GT(checks, 1000);
  }
}

TEST(OkTest, CountsAreThoseOfMakrukOrOfTheSeaGames) {
  struct {
    const char* fact;
    const char* ruleset;
    const char* position;
    const char* moves;
    const char* fields;
  } facts[] = {
      {"56", "cambodian", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1", "g5g6m", "- 86 8 1"},
      {"56", "ok", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1", "g5g6m", "- 88 8 1"},
      {"as 57", "cambodian", "5k2/8/2p5/3p4/8/1PPP4/4R3/4K3 w - - 0 30", "e2d2", "- 126 0 30"},
      {"as 57", "ok", "5k2/8/2p5/3p4/8/1PPP4/4R3/4K3 w - - 0 30", "e2d2", "- - 1 30"},
      {"four pieces do not count", "cambodian", "5k2/8/2pp4/3p4/8/1PPP4/4R3/4K3 w - - 0 30", "e2d2",
       "- - 1 30"},
      {"a bare king with pawns left starts nothing", "cambodian", "8/8/8/3k4/7P/8/RR6/K7 w - - 0 60", "a2a3",
       "- - 1 60"},
      {"and lets a count run on", "cambodian", "8/8/8/3km3/7P/8/RR6/K7 w - 126 50 60", "b2b5 d5d6 b5e5",
       "- 126 53 61"},
      {"by taking the last pawn", "cambodian", "8/8/4k3/5P2/8/2RMK3/8/8 b - 126 100 50", "e6f5", "- 30 7 51"},
      {"a shorter count is replaced", "cambodian", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 126 97 1", "e5f6",
       "- 42 8 1"},
  };
  for (const auto& fact : facts) {
    EXPECT_EQ(Playthrough(fact.ruleset, fact.position).play(fact.moves).fields(), fact.fields)
        << "fact " << fact.fact << ", " << fact.ruleset;
  }
}

// Black is in check in it and White to move, which no game reaches.
TEST(OkTest, ThreePiecesCountThoughPawnsAreLeft) {
  const std::pair<const char*, const char*> facts[] = {
      {"cambodian", " - 126 0 30"}, {"ok", " - - 1 30"}, {"makruk", " - - 1 30"}};
  for (const auto& [ruleset, fields] : facts) {
    const AnyArrangement game(*make_game(ruleset));
    auto position = *parse_position(game, "4k3/8/2p5/3p4/8/1PPP4/4R3/4K3 w - - 0 30");
    game.apply(*parse_move(game, position, "e2d2"), &position);
    EXPECT_EQ(game.fields_text(position), fields) << ruleset;
  }
}

TEST(OkTest, SeaGamesCountDrawsAtItsNumber) {
  EXPECT_EQ(Playthrough("cambodian", "8/8/8/3k4/8/8/RR6/K7 w - 14 15 60").outcome(),
            draw_by(Reason::kCountExceeded));
  EXPECT_EQ(Playthrough("cambodian", "8/8/8/3k4/8/8/RR6/K7 b - 14 14 60").outcome(), kOngoing);
}

// White's rook mates on the eighth rank.
const char* const kFewPieces = "6k1/8/5MK1/7p/8/m7/P7/1R6 w - - 0 60";

TEST(OkManualCountingTest, SeaGamesAreDeclaredWithThreePiecesAndPawns) {
  Playthrough game("cambodian:count.mode=manual", kFewPieces);
  EXPECT_THAT(game.game().declarations(game.position()), IsEmpty()) << "White has four pieces";
  game.play("b1c1");
  EXPECT_EQ(game.fields(), "- - 1 60") << "nothing starts by itself";
  game.declare(Declaration::kStartCount);
  EXPECT_EQ(game.fields(), "- 126 0 60");
  EXPECT_EQ(game.play("a3b2").fields(), "- 126 1 61");
  EXPECT_EQ(game.position().counter, Counter::kBlack);
  EXPECT_EQ(Playthrough("cambodian:count.mode=manual", game.text()).position().counter, Counter::kBlack);
  const Playthrough ok("ok:count.mode=manual", "6k1/8/5MK1/7p/8/m7/P7/1R6 b - - 0 60");
  EXPECT_THAT(ok.game().declarations(ok.position()), IsEmpty()) << "Makruk's count waits for the last pawn";
}

TEST(OkManualCountingTest, ADeclaredSeaGamesCountIsKeptWhereItEndsSooner) {
  const char* sooner = "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 126 97 1";
  EXPECT_EQ(Playthrough("cambodian:count.mode=manual", sooner).play("e5f6").fields(), "- 126 98 1");
  EXPECT_EQ(
      Playthrough("ok:count.mode=manual", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 1").play("e5f6").fields(),
      "- 44 8 1");
  const char* later = "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 126 21 1";
  EXPECT_EQ(Playthrough("cambodian:count.mode=manual", later).play("e5f6").fields(), "- 42 8 1");
}

TEST(OkTest, AMoveThatLosesARightMakesAnotherPosition) {
  Playthrough game("ok");
  game.play("d1c2 e8e7 c2d1 e7e8");
  const std::string king_back = game.text();
  EXPECT_THAT(king_back, HasSubstr(" w Ed "));
  for (const char* moves : {"d1c2 e8e7 c2d1"}) EXPECT_EQ(game.play(moves).outcome(), kOngoing);
  EXPECT_EQ(game.play("e7e8").outcome(), kOngoing) << "the start had more rights: this is the second time";
  EXPECT_EQ(game.play("d1c2 e8e7 c2d1 e7e8").outcome(), draw_by(Reason::kRepetition));
}

TEST(OkTextTest, RightsAreWrittenInOneOrderAndMayBeMissing) {
  EXPECT_EQ(Playthrough("ok", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w edED - 0 1").text(), kStart);
  EXPECT_EQ(Playthrough("ok", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w").position().rights, 0);
  EXPECT_EQ(Playthrough("ok", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w De 0 0 1").fields(), "De - 0 1");
}

TEST(OkTextTest, RightsNeedTheirPieceAtHome) {
  const auto why = [](const char* fields) {
    return parse_position(**make_game("ok"), std::string("4k3/8/8/8/8/8/8/R3K3 b ") + fields).reasons();
  };
  EXPECT_THAT(why("e"), IsEmpty());
  EXPECT_THAT(why("De"),
              ElementsAre("first-move right 'D' needs White's K on d1: place it or leave the right "
                          "out"));
  EXPECT_THAT(why("Ed"),
              ElementsAre(HasSubstr("'E' needs White's M on e1"), HasSubstr("'d' needs Black's M on d8")));
  EXPECT_THAT(why("B"), ElementsAre("first-move right 'B' is unknown: write '-' or some of DEde"));
}

TEST(OkOptionsTest, RulesetsAreNamesForOptions) {
  EXPECT_EQ(
      Playthrough("ok:ok.rook_aim=on,ok.leaps_after_captures=on,ok.counting=seagames").game().info().ruleset,
      "ok:ok.rook_aim=on,ok.leaps_after_captures=on,ok.counting=seagames");
  EXPECT_EQ(Playthrough("cambodian:ok.rook_aim=on").game().info().ruleset, "cambodian");
  EXPECT_EQ(Playthrough("cambodian:ok.rook_aim=off").game().info().ruleset, "cambodian:ok.rook_aim=off");
  EXPECT_EQ(Playthrough("ok-cutechess:ok.king_leap=any").game().info().ruleset,
            "ok-cutechess:ok.king_leap=any");
}

TEST(OkOptionsTest, WrongValuesAreAnsweredWithTheAllowedOnes) {
  EXPECT_THAT(make_game("ok:ok.king_leap=forward").why(), HasSubstr("give one of lateral, any"));
  EXPECT_THAT(make_game("cambodian:ok.counting=thai").why(), HasSubstr("give one of makruk, seagames"));
  EXPECT_THAT(make_game("ok:ok.rook_aims=on").why(), HasSubstr("did you mean 'ok.rook_aim'?"));
}

TEST(OkTest, LeftAndRightAreAlikeOnceNoFirstMoveIsLeft) {
  const Playthrough start("ok"), later("ok", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 9");
  EXPECT_EQ(start.game().symmetries(start.position()), 0b01);
  EXPECT_EQ(start.game().symmetries(later.position()), 0b11);
}

}  // namespace
}  // namespace makzero::game
