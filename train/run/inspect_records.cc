// What game and match records say, for people.
#include "train/run/inspect_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/outcome.h"
#include "models/error.h"
#include "models/framed_file.h"
#include "models/inspect.h"
#include "train/replay/game_replay.h"
#include "train/replay/record.pb.h"
#include "train/replay/shard_index.h"

namespace makzero::train {
namespace {

using models::FactSheet;
using models::FileKind;

constexpr std::size_t kGamesShown = 2;

// How often each text occurred.
using Tally = std::map<std::string, std::int64_t>;

// "makyek 12, makruk 3", most frequent first, at most six of them.
std::string tally_text(const Tally& tally) {
  static constexpr std::size_t kMost = 6;
  std::vector<std::pair<std::string, std::int64_t>> rows(tally.begin(), tally.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) {
    words.push_back(fmt::format("{} {}", rows[i].first, rows[i].second));
  }
  if (rows.size() > kMost) words.push_back(fmt::format("and {} more", rows.size() - kMost));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

// Throws for damage, returns a remark on an unfinished end.
std::string state_text(const std::filesystem::path& path, const models::Recovery& recovery) {
  if (recovery.damages.empty()) return "every byte verified";
  std::string damages = fmt::format("{}", fmt::join(recovery.damages, "; "));
  if (!recovery.torn)
    throw models::Error(path, damages + "; `makzero fsck --repair` on the run keeps what is good");
  return damages;
}

// Reads every record of a file; throws for damage, returns a remark on an unfinished end.
template <class Record>
std::string read_records(const std::filesystem::path& path, FileKind kind,
                         const std::function<void(const Record&)>& visit) {
  const models::Recovery recovery = models::recover_frames(path, kind, [&](std::string_view bytes) {
    Record record;
    if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      throw models::Error(path, "a record cannot be parsed; was it written by a newer version?");
    }
    visit(record);
  });
  return state_text(path, recovery);
}

// The game with its moves, or why it cannot be played through.
std::string shown_game(const GameRecord& record) {
  const auto game = game::make_game(record.ruleset());
  if (!game) return game.why() + "\n";
  try {
    replay_game(**game, record, {});
  } catch (const models::Error& error) {
    return std::string(error.what()) + "\n";
  }
  return game_text(**game, record);
}

// A match game as a game whose plies have no searches.
GameRecord as_game(const MatchRecord& match, std::size_t number) {
  GameRecord game;
  game.set_ruleset(match.ruleset());
  game.set_start(match.start());
  game.set_number(number);
  game.set_result(match.result());
  game.set_reason(match.reason());
  game.set_final_material(match.final_material());
  game.set_opening_plies(static_cast<std::uint32_t>(match.moves_size()));
  for (const std::uint32_t move : match.moves()) game.add_plies()->set_move(move);
  return game;
}

std::string result_of_record(std::uint32_t result) {
  return std::string(game::result_text(static_cast<game::Result>(result)));
}

std::string reason_of_record(std::uint32_t reason) {
  return std::string(game::reason_text(static_cast<game::Reason>(reason)));
}

std::string title(const std::filesystem::path& path, FileKind kind) {
  return fmt::format("{} {}: {}", models::kind_text(kind), path.string(),
                     models::size_text(std::filesystem::file_size(path)));
}

// The mean of a sum, 0 without games.
double per_game(std::int64_t sum, std::int64_t games) {
  return games == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(games);
}

}  // namespace

std::string inspect_games(const std::filesystem::path& path) {
  Tally rulesets, results, reasons, networks, generations, builds;
  std::int64_t games = 0, rows = 0, plies = 0;
  std::string shown;
  const std::string state = read_records<GameRecord>(path, FileKind::kGames, [&](const GameRecord& record) {
    if (static_cast<std::size_t>(games) < kGamesShown) shown += "\n" + shown_game(record);
    ++games;
    rows += count_rows(record);
    plies += record.plies_size();
    ++rulesets[record.ruleset()];
    ++results[result_of_record(record.result())];
    ++reasons[reason_of_record(record.reason())];
    ++networks[record.network().empty() ? "none" : record.network()];
    ++generations[std::to_string(record.generation())];
    ++builds[record.build()];
  });
  FactSheet sheet(title(path, FileKind::kGames));
  sheet.add("state", state);
  sheet.add("games", fmt::format("{}, {:.1f} plies each", games, per_game(plies, games)));
  sheet.add("rows", fmt::format("{} to learn from", rows));
  sheet.add("rulesets", tally_text(rulesets));
  sheet.add("results", tally_text(results));
  sheet.add("reasons", tally_text(reasons));
  sheet.add("networks", tally_text(networks));
  sheet.add("generations", tally_text(generations));
  sheet.add("builds", tally_text(builds));
  return sheet.text() + shown;
}

std::string inspect_matches(const std::filesystem::path& path) {
  Tally rulesets, pairs, results, reasons;
  std::int64_t games = 0, plies = 0;
  std::string shown;
  const std::string state =
      read_records<MatchRecord>(path, FileKind::kMatches, [&](const MatchRecord& record) {
        const auto number = static_cast<std::size_t>(games);
        if (number < kGamesShown) {
          const std::string& white = record.a_is_white() ? record.player_a() : record.player_b();
          const std::string& black = record.a_is_white() ? record.player_b() : record.player_a();
          shown +=
              fmt::format("\n{} (White) against {}\n{}", white, black, shown_game(as_game(record, number)));
        }
        ++games;
        plies += record.moves_size();
        ++rulesets[record.ruleset()];
        ++pairs[record.player_a() + " v " + record.player_b()];
        ++results[result_of_record(record.result())];
        ++reasons[reason_of_record(record.reason())];
      });
  FactSheet sheet(title(path, FileKind::kMatches));
  sheet.add("state", state);
  sheet.add("games", fmt::format("{}, {:.1f} plies each", games, per_game(plies, games)));
  sheet.add("rulesets", tally_text(rulesets));
  sheet.add("players", tally_text(pairs));
  sheet.add("results", tally_text(results));
  sheet.add("reasons", tally_text(reasons));
  return sheet.text() + shown;
}

}  // namespace makzero::train
