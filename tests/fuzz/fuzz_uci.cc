// Any lines are a UCI session that goes on to its end and answers every "go" once. Numbers of "go" are kept
// small, and what has no bound is left out.
#include <algorithm>
#include <sstream>

#include "play/uci/uci.h"
#include "play/uci/uci_words.h"
#include "tests/fuzz/fuzzed_game.h"

namespace makzero::play {
namespace {

constexpr std::int64_t kMostNumber = 2;
constexpr int kMostSearches = 6;

// The session's script and how many searches it asks for.
struct Script {
  std::string text;
  int searches = 0;
};

Script tame(std::string_view text) {
  Script script;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = split_words(line);
    if (words.empty() || words[0] == "bench") continue;
    if (words[0] == "go") {
      if (std::find(words.begin(), words.end(), "perft") != words.end()) continue;
      if (++script.searches > kMostSearches) break;
      for (std::string& word : words) {
        const auto number = to_number(word);
        if (number) word = std::to_string(std::min(*number, kMostNumber));
      }
      line = join_words(words, 0, words.size());
    }
    script.text += line + "\n";
    if (words[0] == "quit") break;
  }
  script.searches = std::min(script.searches, kMostSearches);
  return script;
}

}  // namespace
}  // namespace makzero::play

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const auto [game, text] = game::split(data, size);
  const play::Script script = play::tame(text);
  std::istringstream in(script.text);
  std::ostringstream out;
  play::Uci(in, out, {.ruleset = game->info().ruleset}).run();
  std::istringstream answers(out.str());
  int told = 0;
  for (std::string line; std::getline(answers, line);) told += line.starts_with("bestmove ");
  game::require(told == script.searches, "every search is answered once");
  return 0;
}
