// Makruk, Ok and Ka Ok against Fairy-Stockfish: the packaged program, and `ffish`, a later version for
// Node.js.
//
// Both play what `makruk`, `cambodian` and `karouk` play, so all that they say of a position must be equal,
// but:
//  - max_plies is ours alone, a safety net; here it is off.
//  - Fairy-Stockfish writes the checks left in Ka Ok, "1+1"; we read them and leave them out.
//  - It draws by count and repetition where a player claims it; here one always does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include "game/perft.h"
#include "tests/support/evidence.h"
#include "tests/support/random_games.h"

namespace makzero::game {
namespace {

constexpr size_t kPositions = 2500;

struct Peer {
  std::string name;
  std::string command;
  std::string file;    // Without which the command fails.
  std::string remedy;  // What installs it.
  int depth;           // Of its perft.
  bool tells_ends;     // Captures, results, and the count where a bare king took the last pawn.
};

const Peer kPackaged = {.name = "fairy-stockfish",
                        .command = "/usr/games/fairy-stockfish",
                        .file = "/usr/games/fairy-stockfish",
                        .remedy = "install the package fairy-stockfish",
                        .depth = 3,
                        .tells_ends = false};
const Peer kFfish = {.name = "ffish",
                     .command = "node '" MAKZERO_SOURCE "/tests/game/ffish_engine.js' '" MAKZERO_FFISH "'",
                     .file = MAKZERO_FFISH "/ffish.js",
                     .remedy = "`tests/run.sh install` does it",
                     .depth = 2,
                     .tells_ends = true};

// What programs say of a position.
struct Standing {
  std::string text;
  bool check = false;
  std::map<std::string, std::uint64_t> leaves;  // By the first move.
  std::vector<std::string> captures;
  std::string result;

  bool operator==(const Standing&) const = default;
};

// GoogleTest prints it when two differ.
void PrintTo(const Standing& standing, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << standing.text << (standing.check ? ", check" : "") << ", result " << standing.result
       << ", captures";
  for (const std::string& move : standing.captures) *out << " " << move;
  *out << ", leaves";
  for (const auto& [move, leaves] : standing.leaves) *out << " " << move << ":" << leaves;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// What we say of it.
Standing our_standing(const Game& game, const RandomStop& stop, int depth) {
  const Position& position = stop.position;
  Standing standing;
  standing.text = position_text(game, position);
  standing.check = game.threats(position, other(position.to_move)).targets & position.kind[0];
  standing.result = result_text(stop.outcome.result);
  for (const auto& [move, leaves] : perft_divide(game, position, depth)) {
    const std::string text = move_text(game, position, move);
    standing.leaves[text] = leaves;
    if (contains(position.enemy(), move.destination())) standing.captures.push_back(text);
  }
  std::sort(standing.captures.begin(), standing.captures.end());
  return standing;
}

// What is left of it where a peer does not tell the ends.
Standing without_ends(Standing standing) {
  const std::vector<std::string> fields = words(standing.text);
  standing.text = fields[0] + " " + fields[1];
  standing.captures.clear();
  standing.result.clear();
  return standing;
}

// What the peer prints for these commands.
std::string answers(const Peer& peer, const std::string& commands) {
  const std::string path = testing::TempDir() + "fairy_test_" + peer.name + ".txt";
  std::ofstream(path) << commands;
  const std::string command = peer.command + " < '" + path + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[4096];
  while (pipe && fgets(buffer, sizeof buffer, pipe.get())) text += buffer;
  std::remove(path.c_str());
  return text;
}

// "e2e4", "e5e6m".
bool is_move(const std::string& text) {
  return (text.size() == 4 || text.size() == 5) && std::isdigit(text[1]) && std::isdigit(text[3]);
}

// Reads "Fen: ...", "Checkers: e3", "Captures: ...", "Result: ..." of every position, and of each its divide
// "e2e4: 20 ... Nodes searched: 8902", which may come later: the packaged program counts beside its input.
std::vector<Standing> read_standings(const std::string& text) {
  static const std::regex kChecksLeft(" [01]\\+[01]");
  std::vector<Standing> standings(1);
  size_t described = 0, divided = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon), value = line.substr(colon + 2);
    if (name == "Fen") {
      standings.resize(++described + 1);
      standings[described].text = std::regex_replace(value, kChecksLeft, "");
    }
    if (name == "Checkers") standings[described].check = !value.empty();
    if (name == "Captures") standings[described].captures = words(value);
    if (name == "Result") standings[described].result = value;
    if (name == "Nodes searched") ++divided;
    if (is_move(name)) standings[divided + 1].leaves[name] = std::stoull(value);
  }
  standings.erase(standings.begin());
  return standings;
}

std::vector<RandomStop> random_stops(const Game& game) {
  RandomGames games(game, 30);
  std::vector<RandomStop> stops;
  while (stops.size() < kPositions) {
    for (RandomStop& stop : games.next(30)) stops.push_back(std::move(stop));
  }
  return stops;
}

struct Comparison {
  std::string ruleset;  // Also the peer's name of its variant.
  const Peer* peer;
};

// GoogleTest prints it when a comparison fails.
void PrintTo(const Comparison& comparison, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << comparison.ruleset << " and " << comparison.peer->name;
}

class FairyTest : public testing::TestWithParam<Comparison> {};

TEST_P(FairyTest, SaysTheSameOfRandomGames) {
  const auto& [ruleset, peer] = GetParam();
  if (!std::filesystem::exists(peer->file)) GTEST_SKIP() << peer->file << " is missing: " << peer->remedy;
  const auto game = make_game(ruleset + ":max_plies=0");
  const std::vector<RandomStop> stops = random_stops(**game);
  std::string commands = "setoption name UCI_Variant value " + ruleset + "\n";
  for (const RandomStop& stop : stops) {
    commands += "position fen " + stop.start + (stop.moves.empty() ? "" : " moves " + stop.moves) + "\nd\n";
    commands += "go perft " + std::to_string(peer->depth) + "\n";
  }
  const std::string text = answers(*peer, commands + "quit\n");
  const std::vector<Standing> theirs = read_standings(text);
  ASSERT_EQ(theirs.size(), stops.size()) << text.substr(0, 1000);
  std::uint64_t leaves = 0;
  int ends = 0;
  for (size_t i = 0; i < stops.size(); ++i) {
    const Standing ours = our_standing(**game, stops[i], peer->depth);
    ASSERT_EQ(peer->tells_ends ? ours : without_ends(ours),
              peer->tells_ends ? theirs[i] : without_ends(theirs[i]));
    for (const auto& [move, count] : ours.leaves) leaves += count;
    ends += stops[i].outcome.over();
  }
  const std::string compared = std::to_string(ends) + " of them ends: moves, checks, perft " +
                               std::to_string(peer->depth) +
                               (peer->tells_ends ? ", captures, counts, results" : "");
  record({.ruleset = ruleset,
          .what = "positions of random games, " + compared,
          .cases = stops.size(),
          .leaves = leaves,
          .sources = {{text.substr(0, text.find(" by ")), stops.size()}}});
}

// In the packaged program Ok and Ka Ok still have other first moves and counts.
INSTANTIATE_TEST_SUITE_P(Packaged, FairyTest, testing::Values(Comparison{"makruk", &kPackaged}));
INSTANTIATE_TEST_SUITE_P(Ffish, FairyTest,
                         testing::Values(Comparison{"makruk", &kFfish}, Comparison{"cambodian", &kFfish},
                                         Comparison{"karouk", &kFfish}));

}  // namespace
}  // namespace makzero::game
