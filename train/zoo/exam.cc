#include "train/zoo/exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/signature.h"
#include "models/endings_file.h"
#include "models/error.h"
#include "train/rating/baseline_maker.h"
#include "train/zoo/exam_endings.h"
#include "train/zoo/match_book.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;

constexpr int kBatch = 10;                   // Games that are lost at most where the exam is killed.
constexpr int kMostMen[] = {8, 16, 24, 32};  // Rows of the leads.
constexpr double kMsOfOthers = 1;            // A move of players without a time, for estimates.

double ms_of(const models::PlayerSpec& player) {
  return player.strength.time ? static_cast<double>(player.strength.time->count()) : kMsOfOthers;
}

struct PlannedMatch {
  std::string_view part;
  game::GamePtr rules;
  models::PlayerSpec a, b;
  std::vector<MatchOpening> openings;
  int games;
};

// All matches of an exam in their order.
std::vector<PlannedMatch> plan_of(const game::Game& game, const ExamRequest& request) {
  if (request.match.openings.empty()) return {};
  const game::GamePtr rules = *game::make_game(game.info().ruleset);
  const milliseconds short_time = std::max(milliseconds(1), request.time / 2);
  const auto player = [&](milliseconds time) { return with_default_time(request.player, time); };
  const std::vector<MatchOpening>& openings = request.match.openings;
  const int games = (request.match.games + 1) / 2 * 2;
  std::vector<PlannedMatch> plan;
  plan.reserve(request.pool.size());
  for (const models::PlayerSpec& opponent : request.pool)
    plan.push_back(
        {kPool, rules, player(request.time), with_default_time(opponent, request.time), openings, games});
  if (const std::string decided = decided_ruleset(game); !decided.empty()) {
    for (const models::PlayerSpec& opponent : {request.control, request.strongest}) {
      plan.push_back({kDecided, *game::make_game(decided), player(request.time),
                      with_default_time(opponent, request.time), openings, games});
      // Endings are solved for games that limits draw.
      plan.back().a.endings = plan.back().b.endings = std::nullopt;
    }
  }
  plan.push_back({kSafety, rules, player(short_time), with_default_time(request.strongest, 10 * short_time),
                  openings, games});
  if (!request.leads.empty())
    plan.push_back({kLeads, rules, player(short_time), with_default_time(request.control, short_time),
                    request.leads, 2 * static_cast<int>(request.leads.size())});
  std::erase_if(plan, [](const PlannedMatch& match) { return match.a.name() == match.b.name(); });
  return plan;
}

// True if the games are the first of the match: two of each opening, one after the other.
bool are_of(const PlannedMatch& match, std::span<const MatchRecord> games) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    const MatchOpening& opening = match.openings[i / 2 % match.openings.size()];
    const bool is_initial = opening.start == match.rules->initial();
    const auto plays = [](game::Move move, std::uint32_t bits) { return move.bits() == bits; };
    if (games[i].a_is_white() != (i % 2 == 0) || games[i].opening_plies() != opening.moves.size() ||
        games[i].start() != (is_initial ? "" : game::position_text(*match.rules, opening.start)) ||
        !std::equal(opening.moves.begin(), opening.moves.end(), games[i].moves().begin(), plays))
      return false;
  }
  return true;
}

// Plays what is missing of the matches, and estimates how long the rest takes.
class Hall {
 public:
  Hall(const ExamRequest& request, const ShowProgress& progress) : request_(request), progress_(progress) {}

  void expect(const PlannedMatch& match) { work_left_ += work(match, match.games); }

  // Games of the match, fewer where it was stopped.
  std::vector<MatchRecord> play(const PlannedMatch& match) {
    MatchBook book(request_.folder, std::string(match.part),
                   fmt::format("{:016x}", game::rules_signature(*match.rules)));
    const MatchBook::Players players = {match.a.name(), match.b.name()};
    const std::size_t on_record = std::min<std::size_t>(book.of(players).size(), match.games);
    if (!are_of(match, std::span(book.of(players)).first(on_record)))
      throw models::Error(request_.folder,
                          "holds games from other openings than this exam's: choose another folder (--to)");
    work_left_ -= work(match, static_cast<int>(on_record));
    while (static_cast<int>(book.of(players).size()) < match.games && !request_.match.stop.stop_requested())
      book.add(play_batch(match, static_cast<int>(book.of(players).size())));
    std::vector<MatchRecord> games = book.of(players);
    games.resize(std::min<std::size_t>(games.size(), match.games));
    return games;
  }

 private:
  // In milliseconds of a move each.
  static double work(const PlannedMatch& match, int games) {
    return games * (ms_of(match.a) + ms_of(match.b));
  }

  std::vector<MatchRecord> play_batch(const PlannedMatch& match, int done) {
    MatchOptions options = request_.match;
    options.games = std::min(kBatch * request_.match.threads, match.games - done);
    options.openings = match.openings;
    options.first_pair = done / 2;  // Of a pair that was torn both games.
    double seconds = 0;
    const auto show = [&](const MatchProgress& now) {
      seconds = now.seconds;
      const double worked = work_done_ + work(match, now.score.games);
      Progress progress{
          fmt::format("{}: {}", match.part, match.b.name()), done + now.score.games, match.games, {}};
      if (worked > 0)
        progress.seconds_left = (seconds_ + seconds) / worked * (work_left_ - work(match, now.score.games));
      progress_(progress);
    };
    std::vector<MatchRecord> games = play_match(*match.rules, match.a, match.b, options, show).games;
    const double worked = work(match, static_cast<int>(games.size()));
    seconds_ += seconds;
    work_done_ += worked;
    work_left_ -= worked;
    return games;
  }

  const ExamRequest& request_;
  const ShowProgress& progress_;
  double work_left_ = 0, work_done_ = 0, seconds_ = 0;
};

ExamMatch result_of_match(const PlannedMatch& match, std::span<const MatchRecord> records) {
  std::vector<GameResult> games;
  for (const MatchRecord& record : records) games.push_back(result_of(record));
  ExamMatch result{match.part,
                   match.rules->info().ruleset,
                   match.b.name(),
                   score_of(games),
                   estimate_elo(pair_scores(games, false)),
                   0};
  for (const GameResult& game : games) result.men += game.lead / 100.0 / static_cast<double>(games.size());
  return result;
}

std::vector<ExamLeads> count_leads(const PlannedMatch& match, std::span<const MatchRecord> records) {
  std::vector<ExamLeads> rows;
  for (const int most : kMostMen) {
    ExamLeads& row = rows.emplace_back();
    row.most = most;
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const game::Position& start = match.openings[i / 2].start;
    const bool leads = (game::material_gain(*match.rules, start) > 0) == records[i].a_is_white();
    const double points = result_of(records[i]).points;
    ExamLeads& row = *std::ranges::find_if(
        rows, [&](const ExamLeads& each) { return game::size(start.occupied()) <= each.most; });
    ++(leads ? row.led : row.trailed);
    row.won += leads && points == 1;
    row.lost += leads && points == 0;
    row.saved += !leads && points > 0;
  }
  std::erase_if(rows, [](const ExamLeads& row) { return row.led + row.trailed == 0; });
  return rows;
}

// Puzzles whose solution the player finds; none where it was stopped.
std::optional<int> solve(const game::Game& game, const ExamRequest& request, const ShowProgress& progress) {
  BaselineRequest judging;
  judging.match = request.match;
  std::vector<BaselinePosition> positions = request.puzzles.positions;
  const models::PlayerSpec player =
      with_default_time(request.player, std::max(milliseconds(1), request.time / 2));
  if (!add_judgements(
          game, player, judging,
          [&](const Progress& now) {
            progress({"puzzles", now.done, now.of});
          },
          &positions))
    return std::nullopt;
  int solved = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    solved += positions[i].judgements.back().move == request.puzzles.positions[i].judgements.back().move;
  return solved;
}

}  // namespace

std::string decided_ruleset(const game::Game& game) {
  const game::GameInfo& info = game.info();
  if (const std::string ruleset = game::material_result_ruleset(info); !ruleset.empty()) return ruleset;
  const game::OptionInfo* option = game::find_option(info, "limit_result");
  if (!option || std::ranges::count(option->values, "hunter_wins") == 0) return {};
  return game::with_option(info.ruleset, "limit_result=hunter_wins");
}

std::optional<ExamReport> take_exam(const game::Game& game, const ExamRequest& request,
                                    const ShowProgress& progress) {
  ExamReport report;
  report.game = game.info().ruleset;
  report.player = with_default_time(request.player, request.time).name();
  if (!request.player.limited()) report.time = request.time;
  const std::vector<PlannedMatch> plan = plan_of(game, request);
  Hall hall(request, progress);
  for (const PlannedMatch& match : plan) hall.expect(match);
  std::vector<PairResult> pool;
  for (const PlannedMatch& match : plan) {
    const std::vector<MatchRecord> games = hall.play(match);
    if (request.match.stop.stop_requested()) return std::nullopt;
    const ExamMatch result = result_of_match(match, games);
    const MatchScore& score = result.score;
    if (match.part == kPool)
      pool.push_back(
          {match.a.name(), match.b.name(), 1.0 * score.wins, 1.0 * score.draws, 1.0 * score.losses});
    if (match.part == kLeads) {
      report.leads = count_leads(match, games);
    } else {
      report.matches.push_back(result);
    }
  }
  if (!pool.empty()) {
    report.anchor = with_default_time(request.anchor, request.time).name();
    report.pool = fit_ratings(pool, report.anchor);
  }
  if (const auto endings = models::installed_endings(game)) {
    report.endings =
        take_endings(game, *endings, with_default_time(request.player, request.time), request, progress);
    if (!report.endings) return std::nullopt;
  } else {
    report.no_endings = models::missing_endings(game.info());
  }
  report.puzzles = static_cast<int>(request.puzzles.positions.size());
  if (report.puzzles > 0) {
    const std::optional<int> solved = solve(game, request, progress);
    if (!solved) return std::nullopt;
    report.solved = *solved;
  }
  return report;
}

}  // namespace makzero::train
