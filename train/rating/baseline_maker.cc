#include "train/rating/baseline_maker.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "mcts/searcher_batch.h"
#include "models/player/player.h"

namespace makzero::train {
namespace {

constexpr size_t kTogether = 16;  // Searches whose leaves are one batch.

// The position after so many moves of a game.
game::GameState state_after(const game::Game& game, const MatchRecord& record, int plies) {
  game::GameState state(game);
  for (int ply = 0; ply < plies; ++ply) state.play(game::Move::from_bits(record.moves(ply)));
  return state;
}

// Games until there are enough positions, which are as their text says them: without what only a game knows.
class PositionSource {
 public:
  PositionSource(const game::Game& game, const BaselineRequest& request, const ShowProgress& progress)
      : game_(game), request_(request), progress_(progress), rng_(request.match.seed) {}

  std::vector<BaselinePosition> draw() {
    for (std::uint64_t round = 0; missing() > 0 && !request_.match.stop.stop_requested(); ++round) {
      for (const MatchRecord& record : play(round)) take_from(record);
    }
    return std::move(positions_);
  }

 private:
  int missing() const { return request_.positions - static_cast<int>(positions_.size()); }

  std::vector<MatchRecord> play(std::uint64_t round) {
    MatchOptions options = request_.match;
    options.games = std::max(2, missing() / request_.positions_per_game);
    options.seed += round;
    return play_match(game_, request_.player, request_.player, options,
                      [&](const MatchProgress& now) {
                        progress_({"games", now.score.games, now.games});
                      })
        .games;
  }

  void take_from(const MatchRecord& record) {
    const int plies = record.moves_size() - static_cast<int>(record.opening_plies());
    if (plies <= 0) return;
    for (int i = 0; i < request_.positions_per_game && missing() > 0; ++i) {
      const auto ply = record.opening_plies() + static_cast<unsigned>(rng_.below(plies));
      const game::GameState state = state_after(game_, record, static_cast<int>(ply));
      if (state.over() || state.legal().size() < 2) continue;
      const std::string text = game::position_text(game_, state.position());
      if (seen_.insert(text).second) positions_.push_back({*game::parse_position(game_, text)});
    }
  }

  const game::Game& game_;
  const BaselineRequest& request_;
  const ShowProgress& progress_;
  mcts::Rng rng_;
  std::set<std::string> seen_;
  std::vector<BaselinePosition> positions_;
};

// One search of each position by a judge, in groups, by several threads.
class Judging {
 public:
  Judging(const game::Game& game, const BaselineRequest& request, const models::PlayerSpec& judge,
          const ShowProgress& progress, std::vector<BaselinePosition>* positions)
      : game_(game), request_(request), judge_(judge), progress_(progress), positions_(*positions) {}

  // Throws what a thread has thrown.
  void run() {
    std::vector<std::jthread> threads(request_.match.threads);
    for (std::jthread& thread : threads) thread = std::jthread([this] { work(); });
    threads.clear();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() try {
    const auto player = models::load_player(game_, judge_, {.backend = request_.match.backend});
    const size_t together = judge_.one_game_at_a_time() ? 1 : kTogether;
    std::vector<std::unique_ptr<mcts::Searcher>> searchers(together);
    for (auto& searcher : searchers) searcher = player->make_searcher({});
    while (!request_.match.stop.stop_requested()) {
      const size_t begin = next_.fetch_add(together, std::memory_order_relaxed);
      if (begin >= positions_.size()) return;
      const size_t count = std::min(together, positions_.size() - begin);
      search(*player, searchers, std::span(positions_).subspan(begin, count));
      const std::lock_guard lock(mutex_);
      progress_({judge_.name(), static_cast<int>(done_ += count), static_cast<int>(positions_.size())});
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }

  void search(const models::Player& player, const std::vector<std::unique_ptr<mcts::Searcher>>& searchers,
              std::span<BaselinePosition> rows) {
    std::vector<mcts::Searcher*> all;
    mcts::Limits limits = models::limits_of(player);
    limits.lines = request_.lines;
    for (size_t i = 0; i < rows.size(); ++i) {
      const game::GameState state(game_, rows[i].position);
      all.push_back(searchers[i].get());
      all.back()->forget();
      all.back()->begin({&state.position(), &state.history(), &state.legal(), &state.position()}, limits);
    }
    mcts::SearcherBatch batch;
    while (batch.step(all, {}, player.evaluator.get())) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::vector<mcts::Line> lines = all[i]->info().lines;
      Judgement judgement{lines.front().moves.front(), lines.front().value.score()};
      if (request_.lines > 1 && lines.size() > 1) judgement.second = lines[1].value.score();
      rows[i].judgements.push_back(judgement);
    }
  }

  const game::Game& game_;
  const BaselineRequest& request_;
  const models::PlayerSpec& judge_;
  const ShowProgress& progress_;
  std::vector<BaselinePosition>& positions_;
  std::atomic<size_t> next_ = 0;  // Each takes its own group: no order needed.
  std::mutex mutex_;              // Of the next, and of progress_.
  size_t done_ = 0;
  std::exception_ptr error_;
};

}  // namespace

bool add_judgements(const game::Game& game, const models::PlayerSpec& judge, const BaselineRequest& request,
                    const ShowProgress& progress, std::vector<BaselinePosition>* positions) {
  Judging(game, request, judge, progress, positions).run();
  return !request.match.stop.stop_requested();
}

std::optional<Baseline> make_baseline(const game::Game& game, const BaselineRequest& request,
                                      const ShowProgress& progress) {
  Baseline baseline;
  baseline.positions = PositionSource(game, request, progress).draw();
  for (const models::PlayerSpec& judge : request.judges) {
    baseline.judges.push_back(judge.name());
    if (!add_judgements(game, judge, request, progress, &baseline.positions)) return std::nullopt;
  }
  return baseline;
}

}  // namespace makzero::train
