#include "train/match/arena.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>
#include <utility>

#include "nn/runtime.h"
#include "train/match/match_game.h"
#include "train/match/match_player.h"

namespace makzero::train {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportInterval{100};

// Processor time of a player's moves.
struct TimeUsed {
  std::chrono::nanoseconds time{};
  std::int64_t moves = 0;

  TimeUsed& operator+=(const TimeUsed& more) {
    time += more.time;
    moves += more.moves;
    return *this;
  }

  std::optional<double> ms_per_move() const {
    if (moves == 0) return std::nullopt;
    return std::chrono::duration<double, std::milli>(time).count() / static_cast<double>(moves);
  }
};

int pairs_of(const MatchOptions& options) { return (options.games + 1) / 2; }

std::array<std::unique_ptr<MatchGame>, 2> begin_pair(const game::Game& game, const MatchOptions& options,
                                                     int pair) {
  const int in_match = options.first_pair + pair;
  const std::uint64_t seed = derived_seed(options.seed, in_match);
  const std::vector<MatchOpening>& written = options.openings;
  const MatchOpening opening =
      written.empty() ? MatchOpening{game.initial(), draw_match_opening(game, options.opening_plies, seed)}
                      : written[in_match % written.size()];
  const auto begin = [&](int side) {
    return std::make_unique<MatchGame>(game, 2 * pair + side, derived_seed(seed, 2 * in_match + side),
                                       opening, options.test && !options.played_out);
  };
  return {begin(0), begin(1)};
}

// Whether the games of one thread fill the batches of a card. Searches on a clock have one game each.
bool shares_batches(const models::PlayerSpec& a, const models::PlayerSpec& b, const MatchOptions& options) {
  return options.backend.device != "cpu" && !a.strength.time && !b.strength.time;
}

// What the threads of a match share: which pair is next, and what is finished. Thread-safe.
class Match {
 public:
  Match(const game::Game& game, const models::PlayerSpec& a, const models::PlayerSpec& b,
        const MatchOptions& options, const std::function<void(const MatchProgress&)>& progress)
      : game_(game),
        a_(a),
        b_(b),
        options_(options),
        progress_(progress),
        pairs_(pairs_of(options)),
        threads_(shares_batches(a, b, options) ? 1 : options.threads),
        one_game_at_a_time_(a.one_game_at_a_time() || b.one_game_at_a_time()) {
    finished_.resize(2 * pairs_);
  }

  // Plays the match with so many threads, this one among them.
  MatchResult run() {
    std::vector<std::thread> threads;
    for (int i = 1; i < std::min(threads_, pairs_); ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (error_) {
      if (options_.on_failure) options_.on_failure(result());
      std::rethrow_exception(error_);
    }
    return result();
  }

 private:
  // What one thread does: plays pairs until none is left.
  void work() {
    try {
      nn::set_thread_count(1);
      MatchPlayer a(game_, a_, options_.backend);
      MatchPlayer b(game_, b_, options_.backend);
      // Half of the games wait for either player.
      const int share = (pairs_ + threads_ - 1) / threads_;
      const int pairs_at_once = std::min(share, std::max(a.batch(), b.batch()));
      const int most_games = one_game_at_a_time_ ? 1 : 2 * pairs_at_once;
      std::vector<std::unique_ptr<MatchGame>> games;
      for (;;) {
        while (static_cast<int>(games.size()) < most_games && start_pair(&games)) continue;
        if (games.empty() || stopped()) return;
        const std::span playing = std::span(games).first(one_game_at_a_time_ ? 1 : games.size());
        const TimeUsed used_a = play_one_ply(playing, &a, true);
        const TimeUsed used_b = play_one_ply(playing, &b, false);
        const std::lock_guard lock(mutex_);
        used_a_ += used_a;
        used_b_ += used_b;
        collect_finished(&games);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      end_.request_stop();
    }
  }

  bool stopped() const { return end_.stop_requested() || options_.stop.stop_requested(); }

  // Adds the two games of the next opening; false when there is none left.
  bool start_pair(std::vector<std::unique_ptr<MatchGame>>* games) {
    const int next = next_pair_++;
    if (next >= pairs_) return false;
    for (auto& game : begin_pair(game_, options_, next)) games->push_back(std::move(game));
    return true;
  }

  // One move in every game in which this player is to move.
  static TimeUsed play_one_ply(std::span<const std::unique_ptr<MatchGame>> games, MatchPlayer* player,
                               bool is_a) {
    std::vector<MatchGame*> waiting;
    std::vector<Turn> turns;
    for (const auto& game : games) {
      if (game->over() || game->a_to_move() != is_a) continue;
      waiting.push_back(game.get());
      turns.push_back(game->turn());
    }
    if (turns.empty()) return {};
    const std::chrono::nanoseconds start = player->processor_time();
    const std::vector<Choice> choices = player->choose(turns);
    const std::chrono::nanoseconds time = player->processor_time() - start;
    for (size_t i = 0; i < waiting.size(); ++i) waiting[i]->play(choices[i]);
    return {time, static_cast<std::int64_t>(choices.size())};
  }

  // REQUIRES: the mutex is held.
  void collect_finished(std::vector<std::unique_ptr<MatchGame>>* games) {
    for (const auto& game : *games) {
      if (!game->over()) continue;
      MatchRecord record = game->record();
      record.set_player_a(a_.name());
      record.set_player_b(b_.name());
      record.set_generation_a(a_.generation());
      record.set_generation_b(b_.generation());
      record.set_played_unix(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
      score_.add(result_of(record));
      finished_[game->number()] = std::move(record);
      if (options_.test && !(test_ && test_->decided()))
        test_ = sequential_state(*options_.test, pair_scores(options_.test->by_material));
      if (test_ && test_->decided()) end_.request_stop();
      report();
    }
    std::erase_if(*games, [](const auto& game) { return game->over(); });
    if (steady_clock::now() - last_report_ >= kReportInterval) report();
  }

  // REQUIRES: the mutex is held.
  void report() {
    last_report_ = steady_clock::now();
    if (!progress_) return;
    MatchProgress now;
    now.score = score_;
    now.games = 2 * pairs_;
    now.test = test_;
    now.seconds = std::chrono::duration<double>(last_report_ - start_).count();
    if (score_.games > 0) now.seconds_left = now.seconds * (now.games - score_.games) / score_.games;
    progress_(now);
  }

  // Of the openings that were played from both sides.
  std::vector<double> pair_scores(bool by_material) const {
    std::vector<GameResult> results;
    for (std::size_t i = 0; i < finished_.size(); i += 2) {
      if (finished_[i] && finished_[i + 1])
        results.insert(results.end(), {result_of(*finished_[i]), result_of(*finished_[i + 1])});
    }
    return train::pair_scores(results, by_material);
  }

  MatchResult result() const {
    MatchResult result;
    for (std::size_t i = 0; i < finished_.size(); i += 2) {
      if (finished_[i] && finished_[i + 1])
        result.games.insert(result.games.end(), {*finished_[i], *finished_[i + 1]});
    }
    result.score = score_of(result.games);
    result.elo = estimate_elo(pair_scores(false));
    result.test = test_;
    result.ms_per_move_a = used_a_.ms_per_move();
    result.ms_per_move_b = used_b_.ms_per_move();
    return result;
  }

  const game::Game& game_;
  const models::PlayerSpec &a_, &b_;
  const MatchOptions& options_;
  const std::function<void(const MatchProgress&)>& progress_;
  const int pairs_;
  const int threads_;
  const bool one_game_at_a_time_;
  const steady_clock::time_point start_ = steady_clock::now();
  std::atomic<int> next_pair_ = 0;
  std::stop_source end_;  // A player has failed, or the sequential test is decided.

  std::mutex mutex_;                                  // Guards what follows.
  std::vector<std::optional<MatchRecord>> finished_;  // By number.
  MatchScore score_;
  std::optional<SequentialState> test_;
  TimeUsed used_a_, used_b_;
  steady_clock::time_point last_report_ = start_;
  std::exception_ptr error_;
};

}  // namespace

MatchResult play_match(const game::Game& game, const models::PlayerSpec& a, const models::PlayerSpec& b,
                       const MatchOptions& options,
                       const std::function<void(const MatchProgress&)>& progress) {
  return Match(game, a, b, options, progress).run();
}

std::string match_json(const MatchResult& result) {
  const MatchScore& score = result.score;
  nlohmann::ordered_json json;
  json["games"] = score.games;
  json["wins"] = score.wins;
  json["draws"] = score.draws;
  json["losses"] = score.losses;
  // Without a game there is no score: null.
  const auto known = [&](double value) {
    return score.games > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  json["score"] = known(score.score());
  json["score_by_material"] = known(score.score_by_material());
  json["score_by_pairs"] = known(score.score_by_pairs());
  json["elo"] = known(result.elo.elo);
  json["elo_low"] = known(result.elo.low);
  json["elo_high"] = known(result.elo.high);
  json["captures_per_game"] = known(score.captures_per_game);
  json["decisive_share"] = known(score.decisive_share());
  json["plies_per_game"] = known(score.plies_per_game);
  const Conversion led = conversion_of(result.games, kGreatLead);
  json["great_leads"] = led.led;
  json["great_leads_won"] = led.won;
  if (result.ms_per_move_a) json["ms_per_move_a"] = *result.ms_per_move_a;
  if (result.ms_per_move_b) json["ms_per_move_b"] = *result.ms_per_move_b;
  if (result.test) {
    json["log_likelihood_ratio"] = result.test->ratio;
    json["better"] = result.test->ratio >= result.test->upper   ? "yes"
                     : result.test->ratio <= result.test->lower ? "no"
                                                                : "undecided";
  }
  json["reasons"] = nlohmann::ordered_json::object();
  for (const auto& [reason, games] : end_reasons(result.games)) json["reasons"][reason] = games;
  return json.dump();
}

}  // namespace makzero::train
