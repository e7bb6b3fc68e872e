// Any lines are a session of `makzero analysis` that answers every line once, beside reports during a search.
// Limits are kept small.
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

std::string tame(const std::string& line) {
  json query = json::parse(line, nullptr, false);
  if (!query.is_object()) return line;
  const auto limit = [&query](const char* key, int most) {
    if (query.contains(key) && query[key].is_number() && query[key] > most) query[key] = most;
  };
  limit("maxVisits", kMostVisits);
  limit("maxTimeMs", kMostMilliseconds);
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
    answered += answer.value("isDuringSearch", nlohmann::json(false)) != true;
  }
  game::require(answered == asked, "every line is answered once");
  return 0;
}
