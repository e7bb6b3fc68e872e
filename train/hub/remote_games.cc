#include "train/hub/remote_games.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "game/catalog.h"
#include "models/file_io.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr std::size_t kMostGames = 64 * Intake::kBatch;  // Of one call: training goes on meanwhile.
constexpr std::chrono::milliseconds kInterval{250};      // Between two looks at the hub.
constexpr std::chrono::milliseconds kTick{50};
constexpr std::chrono::seconds kReports{2};  // Between two looks at the reports of workers.

constexpr std::ptrdiff_t kMostQuarantined = 1000;  // Deliveries; nothing is kept above it.

// Keeps a refused delivery for people: WORKER-SEQUENCE.frame, which is cut at the longest frame, and .txt,
// its sender and the fault. Throws models::Error where it cannot be written.
void quarantine(const std::filesystem::path& folder, const std::string& worker, const RefusedGame& refused) {
  std::filesystem::create_directories(folder);
  if (std::distance(std::filesystem::directory_iterator(folder), {}) >= 2 * kMostQuarantined) return;
  const GameMessage& game = refused.delivery.game;
  const std::filesystem::path path = folder / fmt::format("{}-{}.frame", worker, game.sequence);
  models::write_text_file(path, std::string_view(game.frame).substr(0, Intake::kMostFrameBytes));
  models::write_text_file(path.string() + ".txt",
                          fmt::format("worker {}\nsequence {}\nprevious {}\nentry {}\nrefused: {}\n", worker,
                                      game.sequence, game.previous, refused.delivery.id, refused.why));
}

}  // namespace

class RemoteGames::Sink : public GameSink {
 public:
  Sink(RemoteGames* remote, GamePool* pool, RemoteStore store)
      : remote_(remote), pool_(pool), store_(std::move(store)) {}

  std::optional<std::string> find_fault(const GameRecord& record) override {
    if (std::optional<std::string> fault = find_field_fault(record)) return fault;
    const auto is_of_run = [&](const game::GamePtr& game) {
      return game::game_of(game->info().ruleset) == game::game_of(record.ruleset());
    };
    if (std::ranges::none_of(pool_->games(), is_of_run))
      return fmt::format("'{}' is no ruleset of this run", record.ruleset());
    try {
      return find_record_fault(*pool_->rules_of(record.ruleset()), record);
    } catch (const models::Error& error) {
      return error.what();
    }
  }

  void keep(GameRecord record) override {
    remote_->lease_.wait_until_held();
    store_.keep(std::move(record));
  }

  void sync() override { store_.sync(); }

  void refuse(const RefusedGame& refused) override {
    const GameMessage& game = refused.delivery.game;
    const std::string worker = is_worker_name(game.worker) ? game.worker : "nameless";
    remote_->options_.log(fmt::format("refused worker={} sequence={} bytes={} why=\"{}\"", worker,
                                      game.sequence, game.frame.size(), refused.why));
    quarantine(remote_->options_.run / "quarantine", worker, refused);
  }

 private:
  RemoteGames* remote_;
  GamePool* pool_;
  RemoteStore store_;
};

RemoteGames::RemoteGames(RemoteOptions options)
    : options_(std::move(options)),
      lease_(options_.open, options_.run, options_.stop, options_.log),
      link_(options_.open, options_.log, static_cast<std::uint64_t>(getpid())) {}

RemoteGames::~RemoteGames() = default;

// Where the shards have lost games, the hub still knows that their workers do not have them any more.
void RemoteGames::begin(GamePool* pool, const std::string& game_list, RemoteStore store, const Marks& marks) {
  metadata_ = run_metadata(pool->games(), game_list);
  Marks all = marks;
  const auto ask = [&](Hub* hub) {
    for (const auto& [worker, mark] : hub->marks()) all[worker] = std::max(all[worker], mark);
  };
  while (!link_.attempt(ask) && !options_.stop.stop_requested()) std::this_thread::sleep_for(kTick);
  sink_ = std::make_unique<Sink>(this, pool, std::move(store));
  intake_ = std::make_unique<Intake>(sink_.get(), lease_.epoch(), std::move(all));
}

void RemoteGames::publish(PublishedNetwork network, std::string bytes) {
  network_ = std::move(network);
  network_bytes_ = std::move(bytes);
  is_published_ = false;
  next_ = {};
  collect();
}

// A hub that has lost the metadata of the run has lost everything.
void RemoteGames::publish_what_is_missing(Hub* hub) {
  if (hub->about() != metadata_) {
    hub->set_about(lease_.epoch(), metadata_);
    intake_->publish_all_marks();
    is_published_ = false;
  }
  if (is_published_ || network_.id.empty()) return;
  hub->publish_network(lease_.epoch(), network_, network_bytes_);
  is_published_ = true;
}

void RemoteGames::collect() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  lease_.wait_until_held();
  const bool done = link_.attempt([&](Hub* hub) {
    publish_what_is_missing(hub);
    for (std::size_t games = 0, some = 1; some > 0 && games < kMostGames; games += some)
      some = intake_->collect(hub);
    read_reports(hub);
  });
  if (!done) is_published_ = false;
}

void RemoteGames::read_reports(Hub* hub) {
  if (next_ < next_reports_) return;
  next_reports_ = next_ + kReports;
  backlog_ = hub->backlog();
  watch_.update(hub->worker_reports());
}

HubState RemoteGames::state() const { return {link_.is_away(), backlog_, counts(), watch_.workers()}; }

void RemoteGames::finish() {
  lease_.wait_until_held();
  link_.attempt([&](Hub* hub) { intake_->collect(hub); });
}

}  // namespace makzero::train
