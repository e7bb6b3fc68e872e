#include "train/match/small_players.h"

#include <cassert>
#include <utility>

#include "mcts/alpha_beta/alpha_beta.h"
#include "models/small_network_file.h"
#include "train/match/timed_players.h"

namespace makzero::train {
namespace {

constexpr std::size_t kTimedEntries = std::size_t{1} << 20;  // 16 MiB.

// A table that a search of this depth does not overflow much; clearing it must cost less than the search.
std::size_t table_entries(int depth) { return std::size_t{1} << std::min(10 + 2 * depth, 20); }

class SmallPlayer : public Player {
 public:
  SmallPlayer(const game::Game& game, const mcts::SmallNetwork& network, int depth)
      : search_(game, {game.info(), network}, mcts::alpha_beta_options(game.info()), table_entries(depth)) {
    limits_.depth = depth;
  }

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override {
    assert(turns.size() == moves.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      search_.clear();
      moves[i] = search_.search(*turns[i].position, *turns[i].history, limits_).best();
    }
  }

 private:
  mcts::NetworkSearch search_;
  mcts::AlphaBetaLimits limits_;
};

class TimedSmallPlayer : public TimedPlayer {
 public:
  TimedSmallPlayer(const game::Game& game, const mcts::SmallNetwork& network, MoveTime time)
      : TimedPlayer(std::move(time)),
        search_(game, {game.info(), network}, mcts::alpha_beta_options(game.info()), kTimedEntries) {}

 private:
  game::Move search(const Turn& turn, std::chrono::nanoseconds allowed) override {
    mcts::AlphaBetaLimits limits;
    limits.time = allowed;
    limits.clock = time().clock;
    if (std::exchange(played_, turn.game) != turn.game) search_.clear();
    return search_.search(*turn.position, *turn.history, limits).best();
  }

  mcts::NetworkSearch search_;
  int played_ = 0;  // The game of the last turn.
};

}  // namespace

std::unique_ptr<Player> make_small_player(const game::Game& game, const PlayerSpec::Small& small,
                                          std::optional<std::chrono::milliseconds> time) {
  const mcts::SmallNetwork network = models::load_small_network(small.file, game.info().ruleset);
  if (time) return std::make_unique<TimedSmallPlayer>(game, network, MoveTime{*time});
  return std::make_unique<SmallPlayer>(game, network, small.depth);
}

}  // namespace makzero::train
