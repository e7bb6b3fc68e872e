// Moves as people write them, in every notation and every game, and as people type them.
#include "play/notation/written_move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/played_game.h"

namespace makzero::play {
namespace {

using testing::HasSubstr;

constexpr Notation kAll[] = {Notation::kLetters, Notation::kFigurines, Notation::kThai, Notation::kPlayOk,
                             Notation::kCoordinates};

struct Table {
  game::GamePtr rules;
  game::Position position;

  Table(const std::string& ruleset, const std::string& text)
      : rules(*game::make_game(ruleset)), position(*game::parse_position(*rules, text)) {}

  std::string write(const std::string& move, Notation notation = Notation::kLetters) const {
    return written_move(*rules, position, *game::parse_move(*rules, position, move), notation);
  }
  // The coordinates of the move that was read, or why none was.
  std::string read(const std::string& text) const {
    const auto move = parse_written_move(*rules, position, text);
    return move ? game::move_text(*rules, position, *move) : move.why();
  }
};

std::string san(const std::string& fen, const std::string& move) { return Table("makruk", fen).write(move); }

TEST(WrittenMoveTest, CapturesPromotionsChecksAndMateOfChess) {
  EXPECT_EQ(san("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "e5d6m"), "exd6=M");
  EXPECT_EQ(san("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6m"), "e6=M");
  EXPECT_EQ(san("4k3/8/8/8/8/8/R6N/4K3 w - - 0 1", "a2a8"), "Ra8+");
  EXPECT_EQ(san("7k/R7/1R6/8/8/8/8/K7 w - - 0 1", "b6b8"), "Rb8#");
}

TEST(WrittenMoveTest, TwoPiecesOfAKindAreToldApartByFileRankOrBoth) {
  EXPECT_EQ(san("7k/8/8/8/8/8/7K/R6R w - - 0 1", "a1d1"), "Rad1");
  EXPECT_EQ(san("7k/8/8/8/8/R7/7K/R7 w - - 0 1", "a3a2"), "R3a2");
  EXPECT_EQ(san("4k3/8/8/8/M7/8/M1M5/4K3 w - - 0 1", "a2b3"), "Ma2b3");
}

// As ffish writes them (Notation.THAI_SAN), but for the piece of a promotion, which stays "M" there.
TEST(WrittenMoveTest, ThaiLettersAndDigits) {
  const Table start("makruk", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
  const auto thai = [](const Table& table, const std::string& move) {
    return table.write(move, Notation::kThai);
  };
  EXPECT_EQ(thai(start, "e3e4"), "จ๔");
  EXPECT_EQ(thai(start, "b1d2"), "ม-ง๒");
  EXPECT_EQ(thai(start, "c1c2"), "ค-ค๒");
  EXPECT_EQ(thai(start, "d1e2"), "ข-จ๒");
  EXPECT_EQ(thai(start, "e1d2"), "ม็-ง๒");
  EXPECT_EQ(thai(start, "a1a2"), "ร-ก๒");
  EXPECT_EQ(thai(Table("makruk", "7k/8/8/8/8/8/7K/R6R w - - 0 1"), "a1d1"), "รก-ง๑");
  EXPECT_EQ(thai(Table("makruk", "7k/8/8/8/8/R7/7K/R7 w - - 0 1"), "a3a2"), "ร๓-ก๒");
  const Table pawn("makruk", "3k4/8/8/2p5/1P6/2K5/8/R7 w - - 0 1");
  EXPECT_EQ(thai(pawn, "b4c5"), "ขxค๕");
  EXPECT_EQ(thai(pawn, "a1a8"), "ร-ก๘+");
  EXPECT_EQ(thai(Table("makruk", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"), "e5e6m"), "จ๖=ม็");
  EXPECT_EQ(thai(Table("makyek", "8/8/m7/2Mm4/8/8/8/4M3 w"), "e1e5"), "จ๑-จ๕xง๕");
}

TEST(WrittenMoveTest, Figurines) {
  const Table start("makruk", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
  EXPECT_EQ(start.write("b1d2", Notation::kFigurines), "♘d2");
  EXPECT_EQ(start.write("e1d2", Notation::kFigurines), "♕d2");
  EXPECT_EQ(start.write("e3e4", Notation::kFigurines), "e4");
}

TEST(WrittenMoveTest, MenAreWrittenBySquaresWithAllThatIsTaken) {
  EXPECT_EQ(Table("makyek", "8/8/m7/2Mm4/8/8/8/4M3 w").write("e1e5"), "e1-e5xd5");
  EXPECT_EQ(Table("makyek", "8/8/m7/2M1m3/3M4/8/8/8 w").write("d4d5"), "d4-d5");
  EXPECT_EQ(Table("rek", "4k3/8/8/8/3M1M2/8/4M3/4K3 w").write("e2e7"), "e2-e7");
  const game::GamePtr gala = *game::make_game("gala");
  EXPECT_EQ(written_move(*gala, gala->initial(), *game::parse_move(*gala, gala->initial(), "@d4")), "@d4");
}

TEST(WrittenMoveTest, PeopleLeaveOutMarksAndWritePiecesSmall) {
  const Table table("makruk", "4k3/8/3p4/4P3/8/8/8/1N2K1N1 w - - 0 1");
  for (const char* text : {"exd6=M", "exd6", "ed6", "e5xd6", "e5d6m", "e5-d6", "exd6=m", "exd6=M+!?",
                           "Pe5xd6", "จxง๖", "จ๕xง๖=ม็", "e5×d6"}) {
    EXPECT_EQ(table.read(text), "e5d6m") << text;
  }
  for (const char* text :
       {"Nd2", "nd2", "Nb1d2", "Nbd2", "N1d2", "♘d2", "♞d2", "ม-ง๒", "มง๒", "b1d2", "Nb1-d2!"}) {
    EXPECT_EQ(table.read(text), "b1d2") << text;
  }
  EXPECT_THAT(table.read("d2"), HasSubstr("'d2' is not legal"));
  EXPECT_THAT(Table("makruk", "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1").read("Nd2"),
              HasSubstr("'Nd2' is ambiguous: write one of Nbd2 Nfd2"));
  EXPECT_THAT(table.read("Na5"), HasSubstr("is not legal: write it like"));
  const Table men("makyek", "8/8/m7/2Mm4/8/8/8/4M3 w");
  for (const char* text : {"e1-e5xd5", "e1-e5", "e1e5", "จ๑-จ๕xง๕", "จ๑จ๕"}) {
    EXPECT_EQ(men.read(text), "e1e5") << text;
  }
}

TEST(WrittenMoveTest, AnOwnPieceInTheWayIsNamed) {
  const Table table("makruk", "4k3/8/8/8/8/5P2/8/1N2K1N1 w - - 0 1");
  for (const char* text : {"Nf3", "nf3", "♘f3", "ม-ฉ๓", "g1f3"})
    EXPECT_EQ(table.read(text), "move '" + std::string(text) + "' is not legal: your own pawn stands on f3");
  EXPECT_THAT(Table("makyek", "8/8/8/8/8/M7/8/M7 w").read("a1a3"), HasSubstr("your own man stands on a3"));
}

// "ข" is the king and the second file, "ค" the khon and the third.
TEST(WrittenMoveTest, AThaiLetterMayBeAPieceOrAFile) {
  EXPECT_EQ(Table("makruk", "3k4/8/8/2p5/1P6/8/3K4/R7 w - - 0 1").read("ขxค๕"), "b4c5");
  EXPECT_EQ(Table("makruk", "3k4/8/8/2p5/2K5/8/8/R7 w - - 0 1").read("ขxค๕"), "c4c5");
  EXPECT_THAT(Table("makruk", "3k4/8/8/2p5/1PK5/8/8/R7 w - - 0 1").read("ขxค๕"),
              HasSubstr("ambiguous: write one of Kxc5 bxc5"));
  EXPECT_EQ(Table("makruk", "3k4/8/8/8/1PS5/8/8/K7 w - - 0 1").read("ค-ค๕"), "c4c5");
  EXPECT_EQ(Table("makruk", "3k4/8/8/8/1P6/8/8/K7 w - - 0 1").read("ข๕"), "b4b5");
}

class EveryGameTest : public testing::TestWithParam<std::string> {};

// In every position of some games the texts of a notation tell the moves apart, or are refused as ambiguous,
// which only Thai is.
TEST_P(EveryGameTest, WhatIsWrittenReadsBack) {
  PlayedGame game(*game::make_game(GetParam()));
  std::mt19937_64 rng(5);
  for (int ply = 0; ply < 60 && !game.outcome().over(); ++ply) {
    for (const Notation notation : kAll) {
      std::map<std::string, game::Move> written;
      for (const game::Move move : game.legal()) {
        const std::string text = written_move(game.rules(), game.position(), move, notation);
        const auto read = parse_written_move(game.rules(), game.position(), text);
        if (notation == Notation::kThai && !read && read.why().find("ambiguous") != std::string::npos)
          continue;
        ASSERT_TRUE(read) << read.why();
        EXPECT_EQ(*read, move) << text;
        EXPECT_TRUE(written.emplace(text, move).second) << text;
      }
    }
    game.play(game.legal()[static_cast<int>(rng() % game.legal().size())]);
  }
}

std::vector<std::string> games() {
  std::vector<std::string> names = game::ruleset_names();
  names.emplace_back("hunt:chain=on");
  names.emplace_back("makyek:custodian_total=one");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryGameTest, testing::ValuesIn(games()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace makzero::play
