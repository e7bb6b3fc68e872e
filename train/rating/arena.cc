#include "train/rating/arena.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "nn/environment.h"

namespace makzero::train {

namespace {

using game::Color;
using game::Move;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportInterval{100};

// The seed of part `part` of what `seed` seeds.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t part) {
  return mcts::Rng(seed ^ mcts::Rng(part).next()).next();
}

// A game that is being played. Game 2 i and game 2 i + 1 share opening i; a is White in the first.
class MatchGame {
 public:
  MatchGame(const game::Game& game, int number, std::uint64_t seed, const MatchOpening& opening)
      : game_(game),
        number_(number),
        seed_(seed),
        start_(opening.start),
        opening_plies_(static_cast<int>(opening.moves.size())),
        state_(game, opening.start) {
    for (const Move move : opening.moves) play(move);
  }

  void play(Move move) {
    const Color enemy = other(state_.position().to_move);
    const int before = material(game_.info(), state_.position(), enemy);
    state_.play(move);
    captured_ += std::max(0, before - material(game_.info(), state_.position(), enemy));
    const int lead = material_lead(game_.info(), state_.position());
    white_lead_ = std::max(white_lead_, lead);
    black_lead_ = std::max(black_lead_, -lead);
    moves_.push_back(move);
  }

  int number() const { return number_; }
  bool over() const { return state_.over(); }
  bool a_is_white() const { return number_ % 2 == 0; }
  bool a_to_move() const { return (state_.position().to_move == Color::kWhite) == a_is_white(); }

  // Valid until the next move.
  Turn turn() const {
    return {&state_.position(),
            &state_.history(),
            &state_.legal(),
            &moves_,
            derived_seed(seed_, moves_.size()),
            &start_};
  }

  // Result, moves and seed; who played is for the match to add.
  MatchRecord record() const {
    MatchRecord record;
    record.set_ruleset(game_.info().ruleset);
    if (start_ != game_.initial()) record.set_start(position_text(game_, start_));
    record.set_opening_plies(opening_plies_);
    record.set_a_is_white(a_is_white());
    record.set_result(static_cast<std::uint32_t>(state_.outcome().result));
    record.set_reason(static_cast<std::uint32_t>(state_.outcome().reason));
    record.set_final_material(material_lead(game_.info(), state_.position()));
    record.set_captured(captured_);
    record.set_white_lead(white_lead_);
    record.set_black_lead(black_lead_);
    for (const Move move : moves_) record.add_moves(move.bits());
    record.set_seed(seed_);
    return record;
  }

 private:
  const game::Game& game_;
  int number_;
  std::uint64_t seed_;
  game::Position start_;
  int opening_plies_;
  game::GameState state_;
  std::vector<Move> moves_;
  int captured_ = 0;
  int white_lead_ = 0, black_lead_ = 0;  // The greatest so far.
};

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

// What the threads of a match share: which pair is next, and what is finished. Thread-safe.
class Match {
 public:
  Match(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b, const MatchOptions& options,
        const std::function<bool(const MatchProgress&)>& progress)
      : game_(game),
        a_(a),
        b_(b),
        options_(options),
        progress_(progress),
        pairs_((options.games + 1) / 2),
        timed_(a.time || b.time) {
    finished_.resize(2 * pairs_);
  }

  // Plays the match with `threads` threads, this one among them.
  MatchResult run() {
    std::vector<std::thread> threads;
    for (int i = 1; i < std::min(options_.threads, pairs_); ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
    return result();
  }

 private:
  // What one thread does: plays pairs until none is left.
  void work() {
    try {
      nn::set_thread_count(1);
      const std::unique_ptr<Player> a = make_player(game_, a_, options_.backend);
      const std::unique_ptr<Player> b = make_player(game_, b_, options_.backend);
      // Half of the games wait for either player.
      const int share = (pairs_ + options_.threads - 1) / options_.threads;
      const int pairs_at_once = std::min(share, std::max(a->batch(), b->batch()));
      const int most_games = timed_ ? 1 : 2 * pairs_at_once;
      std::vector<std::unique_ptr<MatchGame>> games;
      for (;;) {
        while (static_cast<int>(games.size()) < most_games && start_pair(&games)) continue;
        if (games.empty() || stop_) return;
        const std::span playing = std::span(games).first(timed_ ? 1 : games.size());
        const TimeUsed used_a = play_one_ply(playing, a.get(), true);
        const TimeUsed used_b = play_one_ply(playing, b.get(), false);
        const std::lock_guard lock(mutex_);
        used_a_ += used_a;
        used_b_ += used_b;
        collect_finished(&games);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  // Adds the two games of the next opening; false when there is none left.
  bool start_pair(std::vector<std::unique_ptr<MatchGame>>* games) {
    const int pair = next_pair_++;
    if (pair >= pairs_) return false;
    const std::uint64_t pair_seed = derived_seed(options_.seed, pair);
    const MatchOpening opening = opening_of(pair, pair_seed);
    for (const int number : {2 * pair, 2 * pair + 1}) {
      games->push_back(std::make_unique<MatchGame>(game_, number, derived_seed(pair_seed, number), opening));
    }
    return true;
  }

  MatchOpening opening_of(int pair, std::uint64_t seed) const {
    const std::vector<MatchOpening>& written = options_.openings;
    if (!written.empty()) return written[pair % written.size()];
    return {game_.initial(), draw_match_opening(game_, options_.opening_plies, seed)};
  }

  // One move in every game in which this player is to move.
  static TimeUsed play_one_ply(std::span<const std::unique_ptr<MatchGame>> games, Player* player, bool is_a) {
    std::vector<MatchGame*> waiting;
    std::vector<Turn> turns;
    for (const auto& game : games) {
      if (game->over() || game->a_to_move() != is_a) continue;
      waiting.push_back(game.get());
      turns.push_back(game->turn());
    }
    if (turns.empty()) return {};
    std::vector<Move> moves(turns.size());
    const std::chrono::nanoseconds start = player->processor_time();
    player->choose(turns, moves);
    const std::chrono::nanoseconds time = player->processor_time() - start;
    for (size_t i = 0; i < waiting.size(); ++i) waiting[i]->play(moves[i]);
    return {time, static_cast<std::int64_t>(moves.size())};
  }

  // REQUIRES: the mutex is held.
  void collect_finished(std::vector<std::unique_ptr<MatchGame>>* games) {
    for (const auto& game : *games) {
      if (!game->over()) continue;
      finished_[game->number()] = signed_record(*game);
      score_.add(result_of(*finished_[game->number()]));
      if (options_.test) test_ = sequential_state(*options_.test, pair_scores(options_.test->by_material));
      if (test_ && test_->decided()) stop_ = true;
      report();
    }
    std::erase_if(*games, [](const auto& game) { return game->over(); });
    if (steady_clock::now() - last_report_ >= kReportInterval) report();
  }

  MatchRecord signed_record(const MatchGame& game) const {
    MatchRecord record = game.record();
    record.set_player_a(a_.name);
    record.set_player_b(b_.name);
    record.set_generation_a(a_.generation);
    record.set_generation_b(b_.generation);
    record.set_played_unix(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
    return record;
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
    if (!progress_(now)) stop_ = true;
  }

  // Of the openings that were played from both sides.
  std::vector<double> pair_scores(bool by_material) const {
    const auto points = [by_material](const MatchRecord& game) {
      const GameResult result = result_of(game);
      return by_material ? points_by_material(result) : result.points;
    };
    std::vector<double> scores;
    for (int pair = 0; pair < pairs_; ++pair) {
      const auto &first = finished_[2 * pair], &second = finished_[2 * pair + 1];
      if (first && second) scores.push_back((points(*first) + points(*second)) / 2);
    }
    return scores;
  }

  MatchResult result() const {
    MatchResult result;
    for (int pair = 0; pair < pairs_; ++pair) {
      const auto &first = finished_[2 * pair], &second = finished_[2 * pair + 1];
      if (!first || !second) continue;
      result.games.push_back(*first);
      result.games.push_back(*second);
    }
    result.score = score_of(result.games);
    result.elo = estimate_elo(pair_scores(false));
    result.test = test_;
    result.ms_per_move_a = used_a_.ms_per_move();
    result.ms_per_move_b = used_b_.ms_per_move();
    return result;
  }

  const game::Game& game_;
  const PlayerSpec &a_, &b_;
  const MatchOptions& options_;
  const std::function<bool(const MatchProgress&)>& progress_;
  const int pairs_;
  const bool timed_;  // A player has a time per move.
  const steady_clock::time_point start_ = steady_clock::now();
  std::atomic<int> next_pair_ = 0;
  std::atomic<bool> stop_ = false;  // A hint between threads; results are handed over under the mutex.

  std::mutex mutex_;                                  // Guards what follows.
  std::vector<std::optional<MatchRecord>> finished_;  // By number.
  MatchScore score_;
  std::optional<SequentialState> test_;
  TimeUsed used_a_, used_b_;
  steady_clock::time_point last_report_ = start_;
  std::exception_ptr error_;
};

}  // namespace

MatchResult play_match(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                       const MatchOptions& options,
                       const std::function<bool(const MatchProgress&)>& progress) {
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
