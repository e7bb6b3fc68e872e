#include "train/match/timed_players.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "mcts/alpha_beta/alpha_beta.h"

namespace makzero::train {

namespace {

using game::Move;
using std::chrono::nanoseconds;

constexpr int kMaxSimulations = 100'000'000;
constexpr int kFirstSimulations = 64;       // Of the search that measures the speed.
constexpr int kNodesPerMillisecond = 2048;  // Of alpha-beta, roughly: as many table entries.
constexpr std::int64_t kMaxTableEntries = 1 << 22;

// How many leaves are evaluated at once, as in a game against a person: virtual losses cost strength.
int leaves_of(int simulations) { return std::clamp(simulations / 16, 1, 8); }

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

void TimedPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    const nanoseconds start = time_.clock();
    const game::MoveList& legal = *turns[i].legal;
    moves[i] = legal.size() == 1 ? legal[0] : search(turns[i], balance_.next());
    balance_.add(time_.clock() - start);
  }
}

TimedSearchPlayer::TimedSearchPlayer(const game::Game& game, const mcts::SearchOptions& options,
                                     std::unique_ptr<mcts::Evaluator> evaluator, MoveTime time)
    : TimedPlayer(std::move(time)), game_(game), options_(options), evaluator_(std::move(evaluator)) {
  const game::Position position = game.initial();
  mcts::Search search(game, options_, 1);
  search.set_simulations(kFirstSimulations);
  search.set_root(position, game::History(position));
  const nanoseconds start = this->time().clock();
  while (!search.done()) step(&search, leaves_of(kFirstSimulations));
  rate_.add(kFirstSimulations, seconds(this->time().clock() - start));
}

Move TimedSearchPlayer::search(const Turn& turn, nanoseconds allowed) {
  const nanoseconds start = time().clock();
  const auto expected = [&](int done, nanoseconds used) {
    return rate_.expected(done, seconds(used), seconds(allowed - used));
  };
  mcts::Search search(game_, options_, turn.seed);
  search.set_simulations(kMaxSimulations, expected(0, nanoseconds(0)));
  search.set_root(*turn.position, *turn.history);
  step(&search, 1);
  nanoseconds used = time().clock() - start;
  for (; used < allowed && !search.done(); used = time().clock() - start) {
    const int planned = expected(search.simulations(), used);
    search.set_simulations(kMaxSimulations, planned);
    step(&search, leaves_of(planned));
  }
  rate_.add(search.simulations(), seconds(used));
  return search.result().best;
}

void TimedSearchPlayer::step(mcts::Search* search, int most_leaves) {
  lockstep_.gather(search, most_leaves);
  lockstep_.step(evaluator_.get());
}

Move TimedAlphaBetaPlayer::search(const Turn& turn, nanoseconds allowed) {
  mcts::AlphaBetaLimits limits;
  limits.time = allowed;
  limits.clock = time().clock;
  limits.seed = turn.seed;
  const auto expected_nodes = kNodesPerMillisecond * (allowed / std::chrono::milliseconds(1));
  mcts::MaterialSearch search(game_, mcts::MaterialEvaluation(game_.info()), mcts::kBaselineOptions,
                              static_cast<std::size_t>(std::min(expected_nodes, kMaxTableEntries)));
  return search.search(*turn.position, *turn.history, limits).best();
}

}  // namespace makzero::train
