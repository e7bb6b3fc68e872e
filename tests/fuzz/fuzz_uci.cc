// Any lines are a UCI session that goes on to its end and answers every "go" once. Numbers of "go" are kept
// small, and what has no bound is left out.
#include <algorithm>
#include <sstream>

#include "game/plain_text.h"
#include "play/plain_lines.h"
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
  std::istringstream bytes{std::string(text)};
  PlainLines lines(bytes);
  for (std::string line; lines.next(&line);) {
    std::vector<std::string> words = split_words(line);
    if (words.empty() || words[0] == "bench") continue;
    // Behind unknown words these would be commands.
    const auto is_bounded = [](const std::string& word) {
      return word == "go" || word == "bench" || word == "quit";
    };
    if (words[0] != "go" && std::any_of(words.begin() + 1, words.end(), is_bounded)) continue;
    if (words[0] == "go") {
      if (std::find(words.begin(), words.end(), "perft") != words.end()) continue;
      if (++script.searches > kMostSearches) break;
      for (std::string& word : words) {
        const auto number = game::parse_number<std::int64_t>(word);
        const size_t digit = word.find_first_not_of("+-");
        if (number) {
          word = std::to_string(std::min(*number, kMostNumber));
        } else if (digit != std::string::npos && word[digit] >= '0' && word[digit] <= '9') {
          word = std::to_string(kMostNumber);  // "266@d4" is read as 266.
        }
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
