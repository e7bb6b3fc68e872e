#include "train/zoo/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "train/rating/baseline_maker.h"
#include "train/self_play/ruleset_sampler.h"

namespace makzero::train {
namespace {

constexpr int kDraws = 1000;  // Of sampled rulesets.
constexpr int kPositionsPerGame = 8;
constexpr float kClear = 0.05F;  // Of a game: distance of the second-best move.

bool contains(const std::vector<game::GamePtr>& games, const std::string& ruleset) {
  return std::ranges::any_of(games, [&](const auto& game) { return game->info().ruleset == ruleset; });
}

bool is_clear(const Judgement& judgement) {
  return judgement.second && judgement.expected >= *judgement.second + kClear;
}

int pieces_of(const game::Position& position) {
  return game::size(position.occupied()) + position.hand[0] + position.hand[1];
}

// The player with twice the limit, of depth one ply more.
models::PlayerSpec stronger(models::PlayerSpec player) {
  models::Strength& strength = player.strength;
  if (strength.nodes) *strength.nodes *= 2;
  if (strength.time) *strength.time *= 2;
  if (strength.depth) ++*strength.depth;
  return player;
}

// The positions that are legal under other rules too, with a choice of moves there; without judgements.
std::vector<BaselinePosition> shared_positions(const game::Game& base, const game::Game& reading,
                                               const std::vector<BaselinePosition>& positions,
                                               std::vector<game::Move>* best_moves) {
  std::vector<BaselinePosition> shared;
  for (const BaselinePosition& each : positions) {
    const auto position = game::parse_position(reading, game::position_text(base, each.position));
    if (!position) continue;
    const game::GameState state(reading, *position);
    if (state.over() || state.legal().size() < 2) continue;
    shared.push_back({*position});
    best_moves->push_back(each.judgements.front().move);
  }
  return shared;
}

// Plays and searches for one comparison, and estimates how long the games take.
class Laboratory {
 public:
  Laboratory(const ReadingsRequest& request, const ShowProgress& progress)
      : request_(request), progress_(progress) {
    searching_.positions = request.positions;
    searching_.match = request.match;
    searching_.player = request.player;
    searching_.judges = {request.player};
    searching_.lines = 2;
    searching_.positions_per_game = kPositionsPerGame;
  }

  std::vector<MatchRecord> play(const game::Game& game) {
    MatchOptions options = request_.match;
    options.games = 2 * request_.openings;
    double seconds = 0;
    const auto show = [&](const MatchProgress& now) {
      seconds = now.seconds;
      const double played = played_ + now.score.games;
      Progress shown{game.info().ruleset, now.score.games, now.games};
      if (played > 0) {
        const double all = 2.0 * request_.openings * static_cast<double>(request_.readings.size());
        shown.seconds_left = (seconds_ + seconds) * (all - played) / played;
      }
      progress_(shown);
    };
    auto games = play_match(game, request_.player, request_.player, options, show).games;
    seconds_ += seconds;
    played_ += static_cast<double>(games.size());
    return games;
  }

  // Samples the positions. Returns false where it was stopped.
  bool sample_positions() {
    if (request_.positions == 0) return true;
    const auto baseline = make_baseline(base(), searching_, show_positions());
    if (!baseline) return false;
    positions_ = baseline->positions;
    std::erase_if(positions_,
                  [](const BaselinePosition& each) { return !is_clear(each.judgements.front()); });
    return true;
  }

  // Returns false where it was stopped.
  bool compare(const game::Game& game, Reading* reading) {
    const bool is_base = &game == &base();
    std::vector<game::Move> best;
    std::vector<BaselinePosition> shared = shared_positions(base(), game, positions_, &best);
    if (!add_judgements(game, is_base ? stronger(request_.player) : request_.player, searching_,
                        show_positions(), &shared))
      return false;
    reading->positions = static_cast<int>(shared.size());
    for (std::size_t i = 0; i < shared.size(); ++i)
      reading->same += shared[i].judgements.front().move == best[i];
    return true;
  }

 private:
  const game::Game& base() const { return *request_.readings.front(); }

  ShowProgress show_positions() const {
    return [this](const Progress& now) { progress_({"positions: " + now.what, now.done, now.of}); };
  }

  const ReadingsRequest& request_;
  const ShowProgress& progress_;
  BaselineRequest searching_;
  std::vector<BaselinePosition> positions_;  // Judged under the first reading.
  double played_ = 0, seconds_ = 0;
};

// "checkmate 64 %, ply limit 20 %".
std::string usual_ends(const Reading& reading) {
  static constexpr std::size_t kShown = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, reading.ends.size()); ++i)
    text += fmt::format("{}{} {:.0f} %", i > 0 ? ", " : "", reading.ends[i].first,
                        100.0 * reading.ends[i].second / reading.first.games);
  return text;
}

std::string agreement_text(const Reading& reading) {
  if (reading.positions == 0) return "none";
  return fmt::format("{:.0f} % of {}", 100.0 * reading.same / reading.positions, reading.positions);
}

}  // namespace

std::vector<game::GamePtr> readings_of(const game::GamePtr& base, int sampled, std::uint64_t seed) {
  std::vector<game::GamePtr> readings = {base};
  const std::string_view game = game::game_of(base->info().ruleset);
  const auto add = [&](const std::string& ruleset) {
    if (!contains(readings, ruleset)) readings.push_back(*game::make_game(ruleset));
  };
  for (const std::string& ruleset : game::rulesets_of(game)) add(ruleset);
  mcts::Rng rng(seed);
  const std::size_t wanted = readings.size() + static_cast<std::size_t>(sampled);
  for (int draw = 0; draw < kDraws && readings.size() < wanted; ++draw) add(sample_ruleset(game, &rng));
  return readings;
}

Reading count_reading(const game::Game& game, std::span<const MatchRecord> games) {
  Reading reading;
  reading.ruleset = game.info().ruleset;
  const bool white_begins = game.initial().to_move == game::Color::kWhite;
  std::vector<GameResult> results;
  std::int64_t positions = 0, moves = 0, captures = 0;
  for (const MatchRecord& record : games) {
    const GameResult result = result_of(record);
    results.push_back(record.a_is_white() == white_begins ? result : reversed(result));
    game::GameState state(game);
    for (const std::uint32_t bits : record.moves()) {
      ++positions;
      moves += static_cast<std::int64_t>(state.legal().size());
      state.play(game::Move::from_bits(bits));
    }
    captures += pieces_of(game.initial()) - pieces_of(state.position());
  }
  reading.first = score_of(results);
  reading.advantage = estimate_elo(pair_scores(results, false));
  reading.captures = static_cast<double>(captures) / std::max<double>(1, static_cast<double>(games.size()));
  reading.moves = static_cast<double>(moves) / std::max<double>(1, static_cast<double>(positions));
  reading.ends = end_reasons(games);
  return reading;
}

std::optional<ReadingsReport> compare_readings(const ReadingsRequest& request, const ShowProgress& progress) {
  ReadingsReport report;
  report.game = request.readings.front()->info().title;
  report.player = request.player.name();
  report.openings = request.openings;
  report.opening_plies = request.match.opening_plies;
  Laboratory laboratory(request, progress);
  if (!laboratory.sample_positions()) return std::nullopt;
  for (const game::GamePtr& game : request.readings) {
    report.readings.push_back(count_reading(*game, laboratory.play(*game)));
    if (request.match.stop.stop_requested() || !laboratory.compare(*game, &report.readings.back()))
      return std::nullopt;
  }
  return report;
}

std::string readings_page(const ReadingsReport& report) {
  std::string page = fmt::format(
      "# Readings of {}\n\n{} against itself from {} openings of {} random plies.\n\n"
      "| ruleset | plies | decided | drawn | first mover's score | advantage in Elo (95 %) | captures | "
      "legal "
      "moves | best move as in the first | usual ends |\n|---|---|---|---|---|---|---|---|---|---|\n",
      report.game, report.player, report.openings, report.opening_plies);
  for (const Reading& each : report.readings) {
    const double decided = 100 * each.first.decisive_share();
    page += fmt::format(
        "| `{}` | {:.0f} | {:.0f} % | {:.0f} % | {:.1f} % | {:+.0f} ({:+.0f} to {:+.0f}) | {:.1f} | {:.1f} | "
        "{} "
        "| {} |\n",
        each.ruleset, each.first.plies_per_game, decided, 100 - decided, 100 * each.first.score(),
        each.advantage.elo, each.advantage.low, each.advantage.high, each.captures, each.moves,
        agreement_text(each), usual_ends(each));
  }
  return page;
}

std::string readings_json(const ReadingsReport& report) {
  nlohmann::ordered_json json = {{"game", report.game},
                                 {"player", report.player},
                                 {"openings", report.openings},
                                 {"opening_plies", report.opening_plies}};
  json["readings"] = nlohmann::json::array();
  for (const Reading& each : report.readings) {
    nlohmann::ordered_json row = {{"ruleset", each.ruleset},
                                  {"games", each.first.games},
                                  {"plies_per_game", each.first.plies_per_game},
                                  {"decisive_share", each.first.decisive_share()},
                                  {"first_wins", each.first.wins},
                                  {"draws", each.first.draws},
                                  {"first_losses", each.first.losses},
                                  {"first_score", each.first.score()},
                                  {"first_elo", each.advantage.elo},
                                  {"first_elo_low", each.advantage.low},
                                  {"first_elo_high", each.advantage.high},
                                  {"captures_per_game", each.captures},
                                  {"legal_moves", each.moves},
                                  {"positions", each.positions},
                                  {"same_best_move", each.same}};
    row["reasons"] = nlohmann::ordered_json::object();
    for (const auto& [reason, games] : each.ends) row["reasons"][reason] = games;
    json["readings"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace makzero::train
