#include "train/self_play/self_play.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>

#include "mcts/lockstep.h"
#include "mcts/rng.h"
#include "nn/runtime.h"
#include "nn/system.h"
#include "train/config.h"
#include "train/replay/shard_index.h"
#include "train/self_play/counting_evaluator.h"

namespace makzero::train {
namespace {

constexpr std::chrono::milliseconds kSinkInterval{250};

// Where workers leave games and failures for the calling thread.
class Outbox {
 public:
  void add(std::vector<GameRecord>* games) {
    const std::lock_guard lock(mutex_);
    std::move(games->begin(), games->end(), std::back_inserter(games_));
    games->clear();
    ready_.notify_one();
  }

  void add_failure(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    ready_.notify_one();
  }

  // Waits for games or a failure, at most a moment.
  std::vector<GameRecord> wait() {
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, kSinkInterval, [this] { return !games_.empty() || failure_; });
    return std::exchange(games_, {});
  }

  std::vector<GameRecord> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(games_, {});
  }

  std::exception_ptr failure() {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<GameRecord> games_;
  std::exception_ptr failure_;
};

}  // namespace

SelfPlayStatistics SelfPlayStatistics::operator-(const SelfPlayStatistics& before) const {
  return {evaluations - before.evaluations,   batches - before.batches,
          cpu_seconds - before.cpu_seconds,   forward_seconds - before.forward_seconds,
          card_seconds - before.card_seconds, small_plies - before.small_plies,
          small_nodes - before.small_nodes,   small_cpu_seconds - before.small_cpu_seconds};
}

SelfPlayStatistics& SelfPlayStatistics::operator+=(const SelfPlayStatistics& more) {
  evaluations += more.evaluations;
  batches += more.batches;
  cpu_seconds += more.cpu_seconds;
  forward_seconds += more.forward_seconds;
  card_seconds += more.card_seconds;
  small_plies += more.small_plies;
  small_nodes += more.small_nodes;
  small_cpu_seconds += more.small_cpu_seconds;
  return *this;
}

// The games of one thread. Counters are read by others while it runs.
class SelfPlay::Worker {
 public:
  Worker(GamePool* pool, const Config& config, std::uint64_t seed)
      : pool_(pool), config_(config), rng_(seed) {
    if (config.self_play().small_share() == 0) return;
    small_game_.emplace(pool, config, mcts::Rng(seed + 1).next());
    opponent_.emplace(config.self_play().small_nodes());
  }

  void set_small_networks(const std::shared_ptr<const SmallNetworks>& networks) {
    if (!small_game_) return;
    small_game_->set_networks(networks);
    opponent_->set_networks(networks);
    for (SelfPlayGame& game : games_) game.set_opponent(&*opponent_);
  }

  void add_game(std::optional<double> first_length_share) {
    games_.emplace_back(pool_, config_, rng_.next(), first_length_share);
  }

  void set_phase(const SelfPlayPhase& phase) {
    phase_ = phase;
    for (SelfPlayGame& game : games_) game.set_phase(phase);
  }

  int games() const { return static_cast<int>(games_.size()); }

  // Steps all games until `deliver`, which is called after each round and may take the finished games,
  // returns false.
  void run(const EvaluatorFactory& make_evaluator,
           const std::function<bool(std::vector<GameRecord>*)>& deliver) {
    std::vector<GameRecord> finished;
    cpu_before_ = cpu_nanoseconds_.load(std::memory_order_relaxed) - nn::thread_cpu_nanoseconds();
    add_to(&(before_ = {}));
    if (plays_small_alone()) {
      do {
        play_small(&finished);
      } while (deliver(&finished));
      return;
    }
    nn::set_thread_count(1);
    const std::unique_ptr<mcts::Evaluator> network = make_evaluator();
    CountingEvaluator counting(network.get(), &meter_);
    std::vector<Group> groups = make_groups(counting.batches_under_way());
    size_t turn = 0;
    do {
      Group& group = groups[turn++ % groups.size()];
      group.lockstep.backup();
      for (SelfPlayGame& game : group.games) game.gather(&group.lockstep, &finished);
      group.lockstep.begin(&counting);
      count_time();
      while (small_is_due()) play_small(&finished);
    } while (deliver(&finished));
    for (Group& group : groups) group.lockstep.backup();
  }

  void add_to(SelfPlayStatistics* sum) const {
    sum->evaluations += meter_.rows.load(std::memory_order_relaxed);
    sum->batches += meter_.batches.load(std::memory_order_relaxed);
    sum->cpu_seconds += static_cast<double>(cpu_nanoseconds_.load(std::memory_order_relaxed)) * 1e-9;
    sum->forward_seconds +=
        static_cast<double>(meter_.cpu_nanoseconds.load(std::memory_order_relaxed)) * 1e-9;
    sum->small_plies += small_plies_.load(std::memory_order_relaxed);
    sum->small_nodes += small_nodes_.load(std::memory_order_relaxed);
    sum->small_cpu_seconds +=
        static_cast<double>(small_cpu_nanoseconds_.load(std::memory_order_relaxed)) * 1e-9;
  }

 private:
  // Of this thread, all runs together.
  void count_time() {
    cpu_nanoseconds_.store(cpu_before_ + nn::thread_cpu_nanoseconds(), std::memory_order_relaxed);
  }

  // Whether the games of the small network have had less than their share of this run.
  bool small_is_due() const {
    if (!small_game_) return false;
    const double share = config_.self_play().small_share();
    SelfPlayStatistics now;
    add_to(&now);
    now = now - before_;
    if (!config_.deterministic()) return now.small_cpu_seconds < share * now.cpu_seconds;
    const double tower = static_cast<double>(now.evaluations) / phase_.simulations;
    return static_cast<double>(now.small_plies) * (1 - share) < share * tower;
  }

  bool plays_small_alone() const { return games_.empty() || phase_.by_alpha_beta; }

  // Plays a move of the small network. Beside a tower the games are chosen by the tower's rows.
  void play_small(std::vector<GameRecord>* finished) {
    const std::int64_t begin = nn::thread_cpu_nanoseconds();
    if (auto record = small_game_->play_move()) {
      if (plays_small_alone()) pool_->count_rows(pool_->index_of(record->ruleset()), count_rows(*record));
      finished->push_back(*std::move(record));
    }
    small_cpu_nanoseconds_ += nn::thread_cpu_nanoseconds() - begin;
    small_nodes_ = static_cast<std::int64_t>(small_game_->nodes());
    ++small_plies_;
    count_time();
  }

  // Games whose leaves are one batch: it is evaluated while the other groups are searched.
  struct Group {
    std::span<SelfPlayGame> games;
    mcts::Lockstep lockstep;
  };

  std::vector<Group> make_groups(size_t count) {
    count = std::min(count, games_.size());
    std::vector<Group> groups(count);
    for (size_t i = 0; i < count; ++i) {
      const size_t begin = games_.size() * i / count, end = games_.size() * (i + 1) / count;
      groups[i].games = std::span(games_).subspan(begin, end - begin);
    }
    return groups;
  }

  GamePool* pool_;
  const Config& config_;
  mcts::Rng rng_;
  std::vector<SelfPlayGame> games_;
  EvaluatorMeter meter_;
  SelfPlayPhase phase_;
  std::optional<SmallGame> small_game_;
  std::optional<SmallSearcher> opponent_;  // Of the tower.
  SelfPlayStatistics before_;              // This run.
  std::int64_t cpu_before_ = 0;            // To be added to the processor time of the thread.
  // For readers of statistics alone: no order needed.
  std::atomic<std::int64_t> cpu_nanoseconds_ = 0, small_cpu_nanoseconds_ = 0;
  std::atomic<std::int64_t> small_plies_ = 0, small_nodes_ = 0;
};

SelfPlay::SelfPlay(GamePool* pool, const Config& config, int threads, std::uint64_t seed, bool stagger)
    : in_lockstep_(config.deterministic()), team_(in_lockstep_ ? 0 : threads) {
  mcts::Rng rng(seed);
  const bool has_tower = trains_tower(config);
  const int games = config.self_play().games();
  const int per_thread =
      games > 0 && threads > 0 ? (games + threads - 1) / threads : config.self_play().games_per_thread();
  for (int i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(pool, config, rng.next()));
    for (int j = 0; has_tower && j < per_thread; ++j)
      workers_.back()->add_game(stagger ? std::optional((j + 1.0) / per_thread) : std::nullopt);
  }
}

SelfPlay::~SelfPlay() = default;

void SelfPlay::run(const EvaluatorFactory& make_evaluator, const Sink& sink) {
  if (in_lockstep_) {
    workers_.front()->run(make_evaluator, [&](std::vector<GameRecord>* finished) {
      return sink(std::exchange(*finished, {}));
    });
    return;
  }
  Outbox outbox;
  std::stop_source stop;  // Of the workers.
  team_.start([&](int number) {
    try {
      workers_[number]->run(make_evaluator, [&](std::vector<GameRecord>* finished) {
        if (!finished->empty()) outbox.add(finished);
        return !stop.stop_requested();
      });
    } catch (...) {
      outbox.add_failure(std::current_exception());
    }
  });
  std::exception_ptr failure;
  try {
    while (!outbox.failure() && sink(outbox.wait())) {
    }
  } catch (...) {
    failure = std::current_exception();
  }
  stop.request_stop();
  team_.wait();
  if (!failure) failure = outbox.failure();
  if (failure) std::rethrow_exception(failure);
  sink(outbox.take());
}

void SelfPlay::set_phase(const SelfPlayPhase& phase) {
  for (const auto& worker : workers_) worker->set_phase(phase);
}

void SelfPlay::set_small_networks(const std::shared_ptr<const SmallNetworks>& networks) {
  for (const auto& worker : workers_) worker->set_small_networks(networks);
}

SelfPlayStatistics SelfPlay::statistics() const {
  SelfPlayStatistics sum;
  for (const auto& worker : workers_) worker->add_to(&sum);
  return sum;
}

int SelfPlay::games_in_flight() const {
  int games = 0;
  for (const auto& worker : workers_) games += worker->games();
  return games;
}

}  // namespace makzero::train
