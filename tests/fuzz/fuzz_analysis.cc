// Any lines are a session of `makzero analysis` that answers every line once, beside warnings and reports
// during a search. Limits are kept small.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "play/analysis/analysis.h"
#include "play/json/game_json.h"
#include "play/plain_lines.h"
#include "tests/fuzz/fuzzed_game.h"

namespace makzero::play {
namespace {

using nlohmann::json;

constexpr int kMostLines = 8, kMostVisits = 16, kMostMilliseconds = 5;
constexpr int kMostBrackets = 100;  // Of a line that is read here; for others stands one that is refused.
const std::string kDeepLine(kMostBrackets, '[');

// The last answer to a line: no warning before it and no report during the search. Actions are answered by
// themselves, whatever they hold.
bool ends(const json& answer) {
  if (answer.contains("action")) return true;
  return !answer.contains("warning") && answer.value("isDuringSearch", json(false)) != true;
}

std::string tame(const std::string& line) {
  if (std::ranges::count(line, '[') + std::ranges::count(line, '{') > kMostBrackets) return kDeepLine;
  json query = json::parse(line, nullptr, false);
  if (!query.is_object()) return line;
  const auto limit = [](json* fields, const char* key, const json& most) {
    if (fields->contains(key) && (*fields)[key].is_number() && (*fields)[key] > most) (*fields)[key] = most;
  };
  for (json* fields : {&query, &query["overrideSettings"]}) {
    if (!fields->is_object()) continue;
    limit(fields, "maxVisits", kMostVisits);
    limit(fields, "maxTimeMs", kMostMilliseconds);
    limit(fields, "maxTime", kMostMilliseconds / 1000.0);
  }
  if (query["overrideSettings"].is_null()) query.erase("overrideSettings");
  const auto turns = query.find("analyzeTurns");
  if (turns != query.end() && turns->is_array() && turns->size() > 1) query.erase(turns);
  const auto player = query.find("player");
  if (player != query.end() && player->is_string() && player->get<std::string>().starts_with("alphabeta:")) {
    *player = "alphabeta:1";
  }
  return json_text(query);
}

}  // namespace
}  // namespace makzero::play

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const auto [game, text] = game::split(data, size);
  std::string script;
  int asked = 0;
  std::istringstream bytes{std::string(text)};
  play::PlainLines lines(bytes);
  for (std::string line; lines.next(&line) && asked < play::kMostLines;) {
    script += play::tame(line) + "\n";
    asked += line.find_first_not_of(" \t\r") != std::string::npos;
  }
  std::istringstream in(script);
  std::ostringstream out;
  play::Analysis(in, out, {.game = game->info().ruleset, .player = {}, .visits = 8}, {}).run();
  int answered = 0;
  std::istringstream answers(out.str());
  for (std::string line; std::getline(answers, line);) {
    const nlohmann::json answer = nlohmann::json::parse(line, nullptr, false);
    game::require(answer.is_object(), "an answer is a JSON object");
    answered += play::ends(answer);
  }
  game::require(answered == asked, "every line is answered once");
  return 0;
}
