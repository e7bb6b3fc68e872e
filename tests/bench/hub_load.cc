// Stands in for hundreds of workers: real records at a given rate, through real spools and a real Redis.
//   hub_load --hub URL --run NAME --records RUN/replay --workers N --rate GAMES_PER_SECOND --seconds S
//            --spools DIR [--shards DIR] [--readers N --megabytes M]
// With --shards it is the trainer too, without learning: what the hub alone can carry. It publishes a network
// of M megabytes every ten seconds, which N readers fetch as workers do. With --spooled N every
// worker begins with N games in its spool, and at rate 0 these are all: how fast they arrive. A line every
// five seconds, and at the end whether every game is durable.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "game/catalog.h"
#include "mcts/rng.h"
#include "train/hub/network_fetch.h"
#include "train/hub/redis_hub.h"
#include "train/hub/remote_games.h"
#include "train/hub/spool.h"
#include "train/hub/spool_sender.h"
#include "train/replay/replay_store.h"
#include "train/run_state.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRound{250};  // As of workers.
constexpr std::chrono::seconds kLine{5};
constexpr std::chrono::seconds kFetch{2}, kGeneration{10};
constexpr std::size_t kStreamLimit = 1000;
constexpr std::size_t kSpoolBytes = std::size_t{64} << 20;

struct Options {
  std::string hub, run, records, spools, shards;
  int workers = 200, threads = 1, spooled = 0, readers = 0, megabytes = 0;
  double rate = 1, seconds = 60;
};

// What the senders have seen. Thread-safe.
struct Totals {
  std::atomic<std::int64_t> added = 0, durable = 0, bytes = 0, resends = 0, networks = 0;
  std::mutex mutex;
  std::vector<double>
      latencies;  // Seconds from XADD to the durable mark as the worker sees it, since a line.
  std::vector<double> all_latencies;
};

double quantile(std::vector<double>* values, double share) {
  if (values->empty()) return 0;
  std::sort(values->begin(), values->end());
  return (*values)[static_cast<std::size_t>(share * static_cast<double>(values->size() - 1))];
}

class LoadWorker {
 public:
  LoadWorker(const Options& options, int number, const HubAddress& address)
      : hub_(address, options.run),
        spool_(std::filesystem::path(options.spools) / std::to_string(number), kSpoolBytes),
        sender_(&spool_, kStreamLimit),
        rng_(static_cast<std::uint64_t>(number)),
        rate_(options.rate),
        next_game_(Clock::now() + pause()),
        next_round_(Clock::now() + std::chrono::duration_cast<Clock::duration>(kRound * rng_.uniform())) {}

  // A round where it is time for one; `is_playing`: new games too.
  void step(const std::vector<GameRecord>& records, bool is_playing, Totals* totals) {
    const Clock::time_point now = Clock::now();
    if (now < next_round_) return;
    next_round_ = now + kRound;
    if (is_playing) add_games(records, now, totals);
    try {
      sender_.pump(&hub_, now);
      report(totals);
    } catch (const HubError&) {
      sender_.forget_sent();
    }
    note_durable(totals);
  }

  void add_game(const std::vector<GameRecord>& records, Totals* totals) {
    spool_.add(records[rng_.below(records.size())]);
    totals->bytes += static_cast<std::int64_t>(spool_.games().back().frame.size());
    ++totals->added;
    ++games_;
  }

  bool is_done() const { return spool_.games().empty(); }

 private:
  Clock::duration pause() {
    const double seconds = rate_ > 0 ? -std::log(1 - rng_.uniform()) / rate_ : 0;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  void add_games(const std::vector<GameRecord>& records, Clock::time_point now, Totals* totals) {
    for (; rate_ > 0 && next_game_ <= now; next_game_ += pause()) add_game(records, totals);
  }

  void report(Totals* totals) {
    if (Clock::now() < next_report_) return;
    next_report_ = Clock::now() + kLine;
    hub_.report_worker(
        spool_.worker(),
        fmt::format(R"({{"threads": 2, "games": {}, "games_per_second": {}}})", games_, rate_));
    totals->resends += sender_.resends() - resends_;
    resends_ = sender_.resends();
  }

  // Games that were sent since the last round, and those that the mark has passed.
  void note_durable(Totals* totals) {
    const Clock::time_point now = Clock::now();
    const std::uint64_t first = spool_.games().empty() ? last_sent_ + 1 : spool_.games().front().sequence;
    const std::lock_guard lock(totals->mutex);
    for (; !sent_.empty() && sent_.front().first < first; sent_.pop_front()) {
      totals->latencies.push_back(std::chrono::duration<double>(now - sent_.front().second).count());
      ++totals->durable;
    }
    const std::size_t sent = spool_.games().size() - sender_.waiting();
    for (std::size_t i = 0; i < sent; ++i) {
      const std::uint64_t sequence = spool_.games()[i].sequence;
      if (sequence <= last_sent_) continue;
      last_sent_ = sequence;
      sent_.emplace_back(sequence, now);
    }
  }

  RedisHub hub_;
  Spool spool_;
  SpoolSender sender_;
  mcts::Rng rng_;
  double rate_;
  Clock::time_point next_game_, next_round_, next_report_;
  std::deque<std::pair<std::uint64_t, Clock::time_point>> sent_;
  std::uint64_t last_sent_ = 0;
  std::int64_t games_ = 0, resends_ = 0;
};

std::vector<GameRecord> read_records(const std::string& folder) {
  static constexpr std::size_t kMost = 2000;
  ReplayStore store(folder, 1000, ReplayStore::kEverything);
  std::vector<GameRecord> records;
  for (const auto& game : store.window()) {
    records.push_back(*game);
    records.back().clear_worker();
    records.back().clear_sequence();
    if (records.size() >= kMost) break;
  }
  if (records.empty()) throw models::Error(folder, "has no games");
  return records;
}

// The trainer without learning: lease, checks, shards, marks.
class LoadTrainer {
 public:
  LoadTrainer(const Options& options, const HubAddress& address, const std::string& games)
      : pool_(*game::make_games(games), RulesetConfig()),
        store_(std::filesystem::path(options.shards) / "replay", 1000, 0),
        remote_({[address, run = options.run] { return std::make_shared<RedisHub>(address, run); },
                 options.shards, stop_.get_token(),
                 [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }}) {
    remote_.begin(&pool_, games,
                  {[this](GameRecord record) {
                     record.set_number(store_.next_number());
                     store_.add(std::move(record));
                   },
                   [this] { store_.sync(); }},
                  store_.marks());
    thread_ = std::thread([this, bytes = std::string(std::size_t{1'000'000} * options.megabytes, 'x')] {
      Clock::time_point next_network;
      for (std::int64_t generation = 0; !stop_.stop_requested();) {
        remote_.collect();
        if (!bytes.empty() && Clock::now() >= next_network) {
          next_network = Clock::now() + kGeneration;
          remote_.publish({fmt::format("network-{}", generation), generation}, bytes);
          ++generation;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
  }
  ~LoadTrainer() {
    stop_.request_stop();
    thread_.join();
  }
  LoadTrainer(const LoadTrainer&) = delete;
  LoadTrainer& operator=(const LoadTrainer&) = delete;

 private:
  std::stop_source stop_;
  GamePool pool_;
  ReplayStore store_;
  RemoteGames remote_;
  std::thread thread_;
};

// Fetches every network that is published.
void read_networks(const Options& options, const HubAddress& address, int number,
                   const std::atomic<bool>& end, Totals* totals) {
  RedisHub hub(address, options.run);
  mcts::Rng rng(static_cast<std::uint64_t>(number));
  std::string last;
  std::optional<NetworkFetch> fetch;
  for (; !end; std::this_thread::sleep_for(kRound)) {
    const auto newest = fetch ? std::nullopt : hub.newest_network();
    if (newest && newest->id != last) fetch.emplace(*newest, Clock::now(), kFetch, rng.uniform());
    if (!fetch) continue;
    last = fetch->id();
    if (!fetch->pump(&hub)) throw models::Error("network " + last + " is gone");
    if (!fetch->is_done()) continue;
    fetch.reset();
    ++totals->networks;
  }
}

void print_line(RedisHub* hub, Totals* totals, double seconds) {
  static std::int64_t durable_before = 0, bytes_before = 0;
  static double seconds_before = 0;
  std::vector<double> latencies;
  {
    const std::lock_guard lock(totals->mutex);
    latencies.swap(totals->latencies);
    totals->all_latencies.insert(totals->all_latencies.end(), latencies.begin(), latencies.end());
  }
  const double step = seconds - std::exchange(seconds_before, seconds);
  const std::int64_t durable = totals->durable, bytes = totals->bytes;
  auto memory = hub->server_info("memory");
  auto cpu = hub->server_info("cpu");
  std::printf(
      "t=%.0f added=%ld durable=%ld durable_per_second=%.1f megabytes_per_second=%.2f p50=%.2f p99=%.2f "
      "backlog=%zu networks=%ld redis_megabytes=%.0f peak=%.0f redis_cpu=%.1f own_cpu=%.1f resends=%ld\n",
      seconds, totals->added.load(), durable,
      static_cast<double>(durable - std::exchange(durable_before, durable)) / step,
      static_cast<double>(bytes - std::exchange(bytes_before, bytes)) / step / 1e6, quantile(&latencies, 0.5),
      quantile(&latencies, 0.99), hub->backlog(), totals->networks.load(),
      std::atof(memory["used_memory"].c_str()) / 1e6, std::atof(memory["used_memory_peak"].c_str()) / 1e6,
      std::atof(cpu["used_cpu_user"].c_str()) + std::atof(cpu["used_cpu_sys"].c_str()), processor_seconds(),
      totals->resends.load());
  std::fflush(stdout);
}

int run(const Options& options) {
  const HubAddress address = *parse_hub_address(options.hub);
  const std::vector<GameRecord> records = read_records(options.records);
  std::unique_ptr<LoadTrainer> trainer;
  if (!options.shards.empty())
    trainer = std::make_unique<LoadTrainer>(options, address, records.front().ruleset());
  std::vector<std::unique_ptr<LoadWorker>> workers;
  for (int i = 0; i < options.workers; ++i)
    workers.push_back(std::make_unique<LoadWorker>(options, i, address));
  Totals totals;
  for (const auto& worker : workers) {
    for (int i = 0; i < options.spooled; ++i) worker->add_game(records, &totals);
  }
  std::atomic<bool> is_playing = true, end = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < options.threads; ++t) {
    threads.emplace_back([&, t] {
      while (!end) {
        for (std::size_t i = t; i < workers.size(); i += options.threads)
          workers[i]->step(records, is_playing, &totals);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  for (int i = 0; i < options.readers; ++i)
    threads.emplace_back([&, i] { read_networks(options, address, i, end, &totals); });
  RedisHub hub(address, options.run);
  const Clock::time_point begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  while (seconds() < options.seconds && (options.rate > 0 || totals.durable < totals.added)) {
    std::this_thread::sleep_for(options.rate > 0 ? kLine : std::chrono::seconds(1));
    print_line(&hub, &totals, seconds());
  }
  is_playing = false;
  const double most = seconds() + 60;
  while (totals.durable < totals.added && seconds() < most) std::this_thread::sleep_for(kRound);
  print_line(&hub, &totals, seconds());
  end = true;
  for (std::thread& thread : threads) thread.join();
  const bool is_done = std::ranges::all_of(workers, [](const auto& worker) { return worker->is_done(); });
  std::printf("end added=%ld durable=%ld bytes_per_game=%.0f p50=%.2f p99=%.2f %s\n", totals.added.load(),
              totals.durable.load(), static_cast<double>(totals.bytes) / static_cast<double>(totals.added),
              quantile(&totals.all_latencies, 0.5), quantile(&totals.all_latencies, 0.99),
              is_done ? "nothing lost" : "GAMES ARE MISSING");
  return is_done ? 0 : 1;
}

}  // namespace
}  // namespace makzero::train

int main(int argc, char** argv) {
  makzero::train::Options options;
  CLI::App app("Load of many workers on a hub");
  app.add_option("--hub", options.hub)->required();
  app.add_option("--run", options.run)->required();
  app.add_option("--records", options.records)->required();
  app.add_option("--spools", options.spools)->required();
  app.add_option("--shards", options.shards);
  app.add_option("--workers", options.workers);
  app.add_option("--threads", options.threads);
  app.add_option("--rate", options.rate);
  app.add_option("--spooled", options.spooled);
  app.add_option("--seconds", options.seconds);
  app.add_option("--readers", options.readers);
  app.add_option("--megabytes", options.megabytes);
  CLI11_PARSE(app, argc, argv);
  return makzero::train::run(options);
}
