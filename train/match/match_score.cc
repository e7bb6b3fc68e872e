#include "train/match/match_score.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "game/outcome.h"

namespace makzero::train {

namespace {

using game::Result;

constexpr double kZ = 1.959964;  // Standard deviations on either side of a 95 % interval.

double per_game(double wins, double draws, int games) {
  return games == 0 ? 0.5 : (wins + draws / 2) / games;
}

// The mean of `count` values of which `mean` was the mean of the first count - 1.
double updated_mean(double mean, double value, int count) { return mean + (value - mean) / count; }

}  // namespace

double MatchScore::score() const { return per_game(wins, draws, games); }
double MatchScore::score_by_material() const { return per_game(material_wins, material_draws, games); }
double MatchScore::score_by_pairs() const { return per_game(pair_wins, pair_draws, pairs); }
double MatchScore::decisive_share() const {
  return games == 0 ? 0 : static_cast<double>(wins + losses) / games;
}

GameResult result_of(const MatchRecord& game) {
  const Result a_wins = game.a_is_white() ? Result::kWhiteWins : Result::kBlackWins;
  const auto result = static_cast<Result>(game.result());
  GameResult of_a;
  of_a.points = result == Result::kDraw ? 0.5 : result == a_wins ? 1 : 0;
  const int gained = game.final_material() - game.initial_material();
  of_a.lead = game.a_is_white() ? gained : -gained;
  of_a.captured = game.captured();
  of_a.plies = game.moves_size();
  return of_a;
}

GameResult reversed(const GameResult& result) {
  return {1 - result.points, -result.lead, result.captured, result.plies};
}

double points_by_material(const GameResult& result) {
  if (result.points != 0.5 || result.lead == 0) return result.points;
  return result.lead > 0 ? 1 : 0;
}

double points_by_pair(const GameResult& first, const GameResult& second) {
  const double points = first.points + second.points;
  if (points != 1) return points > 1 ? 1 : 0;
  const int lead = first.lead + second.lead;
  return lead == 0 ? 0.5 : lead > 0 ? 1 : 0;
}

void MatchScore::add(const GameResult& game) {
  const bool win = game.points == 1, draw = game.points == 0.5;
  games += 1;
  wins += win;
  draws += draw;
  losses += !win && !draw;
  material_wins += win || (draw && game.lead > 0);
  material_draws += draw && game.lead == 0;
  captures_per_game = updated_mean(captures_per_game, game.captured / 100.0, games);
  plies_per_game = updated_mean(plies_per_game, game.plies, games);
}

void MatchScore::add_pair(const GameResult& first, const GameResult& second) {
  add(first);
  add(second);
  const double points = points_by_pair(first, second);
  pairs += 1;
  pair_wins += points == 1;
  pair_draws += points == 0.5;
}

Conversion conversion_of(std::span<const MatchRecord> games, int lead) {
  Conversion conversion;
  for (const MatchRecord& game : games) {
    if ((game.a_is_white() ? game.white_lead() : game.black_lead()) < lead) continue;
    ++conversion.led;
    conversion.won += result_of(game).points == 1;
  }
  return conversion;
}

std::vector<std::pair<std::string, int>> end_reasons(std::span<const MatchRecord> games) {
  std::map<std::string, int> counts;
  for (const MatchRecord& game : games)
    ++counts[std::string(game::reason_text(static_cast<game::Reason>(game.reason())))];
  std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return reasons;
}

MatchScore score_of(std::span<const GameResult> games) {
  MatchScore score;
  for (size_t i = 0; i + 1 < games.size(); i += 2) score.add_pair(games[i], games[i + 1]);
  if (games.size() % 2 == 1) score.add(games.back());
  return score;
}

MatchScore score_of(std::span<const MatchRecord> games) {
  std::vector<GameResult> results;
  results.reserve(games.size());
  for (const MatchRecord& game : games) results.push_back(result_of(game));
  return score_of(results);
}

std::vector<double> pair_scores(std::span<const GameResult> games, bool by_material) {
  const auto points = [by_material](const GameResult& game) {
    return by_material ? points_by_material(game) : game.points;
  };
  std::vector<double> scores;
  for (std::size_t i = 0; i + 1 < games.size(); i += 2)
    scores.push_back((points(games[i]) + points(games[i + 1])) / 2);
  return scores;
}

// The mean of many pairs is normal: with variance v of one pair, log likelihood ratio of means s1 and s0
// after n pairs of mean m is n (s1 - s0) (2 m - s0 - s1) / (2 v). Half a pair at either end keeps v above 0.
SequentialState sequential_state(const SequentialTest& test, const std::vector<double>& pair_scores) {
  SequentialState state;
  state.lower = std::log(test.beta / (1 - test.alpha));
  state.upper = std::log((1 - test.beta) / test.alpha);
  const double pairs = static_cast<double>(pair_scores.size()) + 1;
  double mean = 0.5 / pairs;
  for (const double score : pair_scores) mean += score / pairs;
  double variance = 0.5 * (mean * mean + (1 - mean) * (1 - mean)) / pairs;
  for (const double score : pair_scores) variance += (score - mean) * (score - mean) / pairs;
  const double s0 = score_of_elo(test.elo0), s1 = score_of_elo(test.elo1);
  state.ratio = pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
  return state;
}

double score_of_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double elo_of_score(double score) { return 400 * std::log10(score / (1 - score)); }

EloEstimate estimate_elo(const std::vector<double>& pair_scores) {
  // The half game on either side: a quarter of a pair at 0 and a quarter at 1.
  const double pairs = static_cast<double>(pair_scores.size()) + 0.5;
  double mean = 0.25 / pairs;
  for (const double score : pair_scores) mean += score / pairs;
  double variance = 0.25 * (mean * mean + (1 - mean) * (1 - mean)) / pairs;
  for (const double score : pair_scores) variance += (score - mean) * (score - mean) / pairs;

  // Wilson (1927), for so many independent games as have the same standard error.
  const double games = mean * (1 - mean) * pairs / variance;
  const double centre = (mean + kZ * kZ / (2 * games)) / (1 + kZ * kZ / games);
  const double half_width =
      kZ * std::sqrt(mean * (1 - mean) / games + kZ * kZ / (4 * games * games)) / (1 + kZ * kZ / games);
  return {elo_of_score(mean), elo_of_score(centre - half_width), elo_of_score(centre + half_width)};
}

}  // namespace makzero::train
