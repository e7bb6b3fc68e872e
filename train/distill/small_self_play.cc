#include "train/distill/small_self_play.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "mcts/alpha_beta/alpha_beta.h"
#include "mcts/draw_value.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/small_network_file.h"
#include "train/config.h"
#include "train/run_folder.h"
#include "train/self_play/leaf_log.h"
#include "train/self_play/opening.h"
#include "train/self_play/ruleset_sampler.h"

namespace makzero::train {
namespace {

using game::GamePtr;
using game::Position;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kTableEntries = 1 << 15;  // Twice what a move's search stores.
constexpr std::uint64_t kMostLeafBytes = std::uint64_t{20} << 30;
constexpr int kMostPlies = 400;   // Of a game; what is longer has no result.
constexpr int kVariedPlies = 60;  // In which one move of kRandomMove is random.
constexpr std::uint64_t kRandomMove = 32;
constexpr std::int64_t kGamesPerReport = 8;

// Of games that begin with few pieces anywhere: from there a short search finds the mates and the last men
// that its network has to lead to, and that few games between equals reach.
constexpr double kEndgameShare = 0.2;

// What is kept of a position until its game has ended.
struct Searched {
  Position position;
  int occurrences;
  double expected;  // Of the side to move, in [0, 1].
};

struct PlayedLeaves {
  std::string ruleset;
  std::vector<Leaf> leaves;
};

double expected_of(mcts::LogitScore score) {
  if (score.proven()) return score.value > 0 ? 1 : 0;
  return mcts::expected_result(score);
}

class Worker {
 public:
  Worker(const SmallSelfPlayRequest& request, const OpeningConfig& openings, std::uint64_t seed)
      : request_(request), openings_(openings), rng_(seed) {}

  PlayedLeaves play_game() {
    const GamePtr rules = sample_rules();
    mcts::NetworkSearch search(*rules, {rules->info(), request_.network},
                               mcts::alpha_beta_options(rules->info()), kTableEntries);
    const Opening opening = sample_opening(*rules, openings_, &rng_);
    Position position = opening.start;
    game::History history(position);
    for (const game::Move move : opening.moves) play(*rules, move, &position, &history);
    std::vector<Searched> searched;
    mcts::AlphaBetaLimits limits;
    limits.nodes = request_.nodes;
    game::MoveList legal;
    game::Outcome outcome;
    for (int ply = 0; ply < kMostPlies; ++ply) {
      rules->legal_moves(position, &legal);
      outcome = rules->outcome(position, !legal.empty(), history.occurrences());
      if (outcome.over()) break;
      const mcts::NetworkSearch::Result& found = search.search(position, history, limits);
      const bool varied = ply < kVariedPlies && rng_.below(kRandomMove) == 0;
      const Position before = position;
      const int occurrences = history.occurrences();
      play(*rules, varied ? legal[static_cast<int>(rng_.below(legal.size()))] : found.best(), &position,
           &history);
      if (!varied && is_quiet(*rules, before, position))
        searched.push_back({before, occurrences, expected_of(found.score())});
    }
    return {rules->info().ruleset, leaves_of(*rules, searched, outcome, position)};
  }

 private:
  GamePtr sample_rules() {
    if (request_.game != game::game_of(request_.game)) return *game::make_game(request_.game);
    for (;;) {
      const std::string ruleset = sample_ruleset(request_.game, &rng_);
      if (!held_out(ruleset)) return *game::make_game(ruleset);
    }
  }

  static void play(const game::Game& rules, game::Move move, Position* position, game::History* history) {
    rules.apply(move, position);
    history->push(*position);
  }

  // Whether nothing was taken, and nothing had to be answered.
  static bool is_quiet(const game::Game& rules, const Position& before, const Position& after) {
    if (game::size(after.occupied()) < game::size(before.occupied())) return false;
    if (before.obliged[0] | before.obliged[1]) return false;
    if (!rules.info().takes_by_arrival) return true;
    const game::Bitboard own_kings = game::kings(rules.info(), before) & before.own();
    return !(rules.threats(before, other(before.to_move)).targets & own_kings);
  }

  // The result of a game in [0, 1].
  static double result_for(const mcts::DrawValue& draw_value, game::Color side, const game::Outcome& outcome,
                           const Position& last) {
    if (outcome.result == win_of(side)) return 1;
    if (outcome.result == win_of(other(side))) return 0;
    return draw_value.of(outcome.reason, last, side);
  }

  std::vector<Leaf> leaves_of(const game::Game& rules, const std::vector<Searched>& searched,
                              const game::Outcome& outcome, const Position& last) const {
    const double weight = outcome.over() ? request_.result_weight : 0;
    const mcts::DrawValue draw_value(rules);
    std::vector<Leaf> leaves;
    for (const Searched& each : searched) {
      const double result = result_for(draw_value, each.position.to_move, outcome, last);
      const auto win = static_cast<float>(each.expected + weight * (result - each.expected));
      if (const auto leaf = make_leaf(rules.info(), each.position, each.occurrences, {win, 0, 1 - win}))
        leaves.push_back(*leaf);
    }
    return leaves;
  }

  const SmallSelfPlayRequest& request_;
  const OpeningConfig& openings_;
  mcts::Rng rng_;
};

}  // namespace

SmallSelfPlayProgress play_small(const SmallSelfPlayRequest& request,
                                 const std::function<void(const SmallSelfPlayProgress&)>& progress,
                                 const std::stop_token& stop) {
  const auto config = preset_config("quick", request.game);
  if (!config) throw models::Error(config.why());
  OpeningConfig openings = config->opening();
  openings.set_endgame_share(kEndgameShare);
  LeafLog log(RunPaths(request.run).leaves(), kMostLeafBytes);
  log.begin(models::small_network_id(request.network), 0);
  const Clock::time_point begin = Clock::now();
  std::mutex mutex;  // Of what follows.
  SmallSelfPlayProgress now;
  std::exception_ptr failed;
  const auto work = [&](std::uint64_t number) {
    try {
      Worker worker(request, openings, request.seed * 1000 + number);
      for (;;) {
        const PlayedLeaves played = worker.play_game();
        const std::lock_guard lock(mutex);
        if (now.positions >= request.positions || stop.stop_requested() || failed) return;
        log.add(played.ruleset, played.leaves);
        now.positions += static_cast<std::int64_t>(played.leaves.size());
        now.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (now.positions > 0) {
          now.seconds_left = now.seconds * static_cast<double>(request.positions - now.positions) /
                             static_cast<double>(now.positions);
        }
        if (++now.games % kGamesPerReport == 0) progress(now);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(request.threads);
  for (int i = 0; i < request.threads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
  log.flush();
  return now;
}

}  // namespace makzero::train
