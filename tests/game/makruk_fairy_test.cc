// Makruk's move generator against the packaged Fairy-Stockfish, move by move.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "game/perft.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

const char* const kProgram = "/usr/games/fairy-stockfish";
constexpr int kDepth = 3;

// Leaves by the text of the first move.
using Divide = std::map<std::string, std::uint64_t>;

// The position after up to 150 random moves from the start.
Position random_position(const Game& game, std::mt19937_64* random) {
  Position position = game.initial();
  for (auto plies = (*random)() % 150; plies > 0; --plies) {
    MoveList legal;
    game.legal_moves(position, &legal);
    if (game.outcome(position, legal, 1).over()) break;
    game.apply(legal[static_cast<int>((*random)() % legal.size())], &position);
  }
  return position;
}

// What the program prints for these commands.
std::string answers(const std::string& commands) {
  const std::string path = testing::TempDir() + "makruk_fairy_commands.txt";
  std::ofstream(path) << commands;
  const std::string command = std::string(kProgram) + " < '" + path + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[4096];
  while (pipe && fgets(buffer, sizeof buffer, pipe.get())) text += buffer;
  std::remove(path.c_str());
  return text;
}

// Splits "e2e4: 20 ... Nodes searched: 8902" into one table per search.
std::vector<Divide> read_divides(const std::string& text) {
  std::vector<Divide> divides;
  Divide divide;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("Nodes searched")) {
      divides.push_back(divide);
      divide.clear();
    } else if (colon == 4 || colon == 5) {
      divide[line.substr(0, colon)] = std::stoull(line.substr(colon + 2));
    }
  }
  return divides;
}

TEST(MakrukFairyTest, PerftDividesAreEqualOnRandomPositions) {
  if (!std::ifstream(kProgram))
    GTEST_SKIP() << kProgram << " is missing: install the package fairy-stockfish";
  const auto game = make_game("makruk");
  std::mt19937_64 random(30);
  std::vector<Position> positions;
  std::string commands = "setoption name UCI_Variant value makruk\n";
  for (int i = 0; i < 200; ++i) {
    positions.push_back(random_position(**game, &random));
    commands += "position fen " + position_text(**game, positions.back()) + "\n";
    for (int depth = 1; depth <= kDepth; ++depth) commands += "go perft " + std::to_string(depth) + "\n";
  }
  const std::vector<Divide> expected = read_divides(answers(commands + "quit\n"));
  ASSERT_EQ(expected.size(), positions.size() * kDepth);
  for (size_t i = 0; i < expected.size(); ++i) {
    const Position& position = positions[i / kDepth];
    const int depth = static_cast<int>(i % kDepth) + 1;
    Divide divide;
    for (const auto& [move, leaves] : perft_divide(**game, position, depth)) {
      divide[move_text(**game, position, move)] = leaves;
    }
    EXPECT_EQ(divide, expected[i]) << position_text(**game, position) << " depth " << depth;
  }
}

}  // namespace
}  // namespace makzero::game
