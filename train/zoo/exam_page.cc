// The report of an exam as a page and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "train/zoo/exam.h"

namespace makzero::train {
namespace {

std::string match_rows(const ExamReport& report, std::string_view part) {
  std::string text;
  for (const ExamMatch& match : report.matches) {
    if (match.part != part) continue;
    const MatchScore& score = match.score;
    text += fmt::format("| {} | {} | {}-{}-{} | {:.1f} % | {:+.0f} ({:+.0f} to {:+.0f}) | {:+.2f} |\n",
                        match.opponent, score.games, score.wins, score.draws, score.losses,
                        100 * score.score(), match.elo.elo, match.elo.low, match.elo.high, match.men);
  }
  if (text.empty()) return "";
  return "| opponent | games | won-drawn-lost | score | Elo difference (95 %) | men a game "
         "|\n|---|---|---|---|---|---|\n" +
         text;
}

std::string section(const std::string& title, const std::string& rows, const std::string& none) {
  return "\n## " + title + "\n\n" + (rows.empty() ? none + "\n" : rows);
}

std::string lead_rows(const ExamReport& report) {
  if (report.leads.empty()) return "";
  std::string text =
      "| men on the board | leading: games | won | lost | trailing: games | not lost "
      "|\n|---|---|---|---|---|---|\n";
  for (const ExamLeads& row : report.leads)
    text += fmt::format("| to {} | {} | {} | {} | {} | {} |\n", row.most, row.led, row.won, row.lost,
                        row.trailed, row.saved);
  return text;
}

std::string rating_rows(const ExamReport& report) {
  std::string text = fmt::format("| player | Elo above {} (95 %) | games |\n|---|---|---|\n", report.anchor);
  for (const Rating& rating : report.pool)
    text += fmt::format("| {} | {:.0f} ({:.0f} to {:.0f}) | {} |\n", rating.player, rating.elo, rating.low,
                        rating.high, rating.games);
  return text;
}

// "93 (93.0 %)".
std::string share(int part, int whole) {
  return whole == 0 ? "-" : fmt::format("{} ({:.1f} %)", part, 100.0 * part / whole);
}

std::string ending_rows(const ExamReport& report) {
  if (!report.endings) return "";
  const ExamEndings& endings = *report.endings;
  return fmt::format(
      "| positions | number | value kept | then won against perfect defence, within the rules' limits "
      "|\n|---|---|---|---|\n| won | {} | {} | {} |\n| drawn | {} | {} | |\n| all | {} | {} | |\n",
      endings.won, share(endings.won_kept, endings.won), share(endings.finished, endings.won), endings.drawn,
      share(endings.drawn_kept, endings.drawn), endings.won + endings.drawn,
      share(endings.won_kept + endings.drawn_kept, endings.won + endings.drawn));
}

}  // namespace

std::string exam_page(const ExamReport& report) {
  const auto none = [](const char* suite) {
    return fmt::format("No positions: `makzero exam GAME --make {} --to FILE` makes them.", suite);
  };
  const std::string endings =
      section("Solved endings: positions in which at most half of the moves keep the value",
              ending_rows(report), "No tables: " + report.no_endings + ".");
  std::string page = fmt::format("# Exam of {}: {}\n", report.game, report.player);
  if (report.matches.empty()) return page + endings;
  page += fmt::format(
      "\n{} ms of processor time a move, safety, leads and puzzles {} ms; openings that no development match "
      "uses.\n\n{}",
      report.time->count(), std::max<long>(1, report.time->count() / 2), rating_rows(report));
  page += section("Pool", match_rows(report, kPool), "No opponents.");
  page += section("Decided variant: no game is drawn for its length, as both players know",
                  match_rows(report, kDecided), "The game has none.");
  page += section("Safety: against ten times the time", match_rows(report, kSafety), "No opponent.");
  page += endings;
  page += section("Leads of four men or more, against the control", lead_rows(report), none("leads"));
  page += section("Puzzles: gains that a shallow search misses",
                  report.puzzles == 0 ? ""
                                      : fmt::format("{} of {} solved ({:.1f} %)\n", report.solved,
                                                    report.puzzles, 100.0 * report.solved / report.puzzles),
                  none("puzzles"));
  return page;
}

std::string exam_json(const ExamReport& report) {
  nlohmann::ordered_json json = {
      {"game", report.game}, {"player", report.player}, {"ms", nullptr}, {"anchor", nullptr}};
  if (report.time) json["ms"] = report.time->count();
  if (!report.anchor.empty()) json["anchor"] = report.anchor;
  json["ratings"] = nlohmann::json::array();
  for (const Rating& rating : report.pool)
    json["ratings"].push_back({{"player", rating.player},
                               {"elo", rating.elo},
                               {"low", rating.low},
                               {"high", rating.high},
                               {"games", rating.games}});
  json["matches"] = nlohmann::json::array();
  for (const ExamMatch& match : report.matches)
    json["matches"].push_back({{"part", match.part},
                               {"ruleset", match.ruleset},
                               {"opponent", match.opponent},
                               {"games", match.score.games},
                               {"wins", match.score.wins},
                               {"draws", match.score.draws},
                               {"losses", match.score.losses},
                               {"score", match.score.score()},
                               {"elo", match.elo.elo},
                               {"elo_low", match.elo.low},
                               {"elo_high", match.elo.high},
                               {"men", match.men}});
  json["leads"] = nlohmann::json::array();
  for (const ExamLeads& row : report.leads)
    json["leads"].push_back({{"most_men", row.most},
                             {"led", row.led},
                             {"won", row.won},
                             {"lost", row.lost},
                             {"trailed", row.trailed},
                             {"saved", row.saved}});
  json["endings"] = nullptr;
  if (const auto& endings = report.endings)
    json["endings"] = {{"won", endings->won},
                       {"won_kept", endings->won_kept},
                       {"finished", endings->finished},
                       {"drawn", endings->drawn},
                       {"drawn_kept", endings->drawn_kept}};
  json["puzzles"] = report.puzzles == 0
                        ? nlohmann::ordered_json(nullptr)
                        : nlohmann::ordered_json{{"positions", report.puzzles}, {"solved", report.solved}};
  return json.dump(2) + "\n";
}

}  // namespace makzero::train
