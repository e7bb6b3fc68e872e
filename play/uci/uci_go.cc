#include "play/uci/uci_go.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "game/notation.h"
#include "game/plain_text.h"
#include "play/engine/clock.h"
#include "play/uci/uci_words.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

// The words that a number follows, with the least that it may be; some clients send a negative rest of time.
const std::vector<std::pair<std::string, std::int64_t>>& numbers() {
  static const std::vector<std::pair<std::string, std::int64_t>> kNumbers = {
      {"nodes", 1},          {"depth", 1}, {"movetime", 1}, {"mate", 1},      {"wtime", -INT32_MAX},
      {"btime", -INT32_MAX}, {"winc", 0},  {"binc", 0},     {"movestogo", 0}, {"perft", 0}};
  return kNumbers;
}

std::vector<std::string> known_words() {
  std::vector<std::string> words = {"infinite", "ponder", "searchmoves"};
  for (const auto& [word, unused] : numbers()) words.push_back(word);
  return words;
}

// The legal moves from words[*at] on up to the next word that is known; moves *at to the last of them.
void read_moves(const std::vector<std::string>& words, size_t* at, const PlayedGame& game, UciGo* go) {
  const std::vector<std::string> known = known_words();
  while (*at + 1 < words.size() && std::find(known.begin(), known.end(), words[*at + 1]) == known.end()) {
    const game::Parsed<game::Move> move = game::parse_move(game.rules(), game.position(), words[++*at]);
    if (move) go->limits.search_moves.push_back(*move);
    if (!move) go->faults.push_back("go: searchmoves: " + move.why());
  }
}

// The number behind words[*at], which it moves to; the nearest that is allowed where it is another, the least
// where there is none.
int read_number(const std::vector<std::string>& words, size_t* at, std::int64_t minimum, UciGo* go) {
  const std::string& word = words[*at];
  const std::string text = *at + 1 < words.size() ? words[*at + 1] : "";
  const auto number = nearest_number(text, minimum, INT32_MAX);
  if (number) ++*at;
  const auto taken = static_cast<int>(number.value_or(std::max<std::int64_t>(1, minimum)));
  if (!number || game::parse_number<std::int64_t>(text) != number) {
    const std::string range =
        std::to_string(std::max<std::int64_t>(0, minimum)) + " to " + std::to_string(INT32_MAX);
    go->faults.push_back("go: '" + word + "' needs a number from " + range +
                         " after it: " + std::to_string(taken) + " is taken");
  }
  return taken;
}

}  // namespace

UciGo read_go(const std::vector<std::string>& words, const PlayedGame& game, milliseconds overhead) {
  UciGo go;
  std::map<std::string, int> given;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto known = std::find_if(numbers().begin(), numbers().end(),
                                    [&](const auto& entry) { return entry.first == word; });
    if (word == "infinite") {
      go.infinite = true;
    } else if (word == "ponder") {
      go.ponder = true;
    } else if (word == "searchmoves") {
      read_moves(words, &i, game, &go);
    } else if (known == numbers().end()) {
      go.faults.push_back("go: unknown word '" + word + "'" + game::did_you_mean(word, known_words()));
    } else {
      given[word] = read_number(words, &i, known->second, &go);
    }
  }
  const auto number = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional<int>(found->second);
  };
  go.limits.nodes = number("nodes");
  go.limits.depth = number("depth");
  go.limits.mate = number("mate");
  go.perft = number("perft");
  if (const auto time = number("movetime")) go.limits.time = milliseconds(*time);
  const bool white = game.position().to_move == game::Color::kWhite;
  if (const auto rest = number(white ? "wtime" : "btime"); rest && !go.limits.time) {
    const ClockTimes clock{milliseconds(*rest), milliseconds(number(white ? "winc" : "binc").value_or(0)),
                           number("movestogo").value_or(0)};
    const MoveTime time = time_for_move(clock, overhead);
    if (go.limits.endless() && game.legal().size() == 1) go.limits.depth = 1;  // Forced: answered at once.
    go.limits.time = time.planned;
    go.limits.most_time = time.most;
  }
  return go;
}

}  // namespace makzero::play
