// The trainer's end of the hub: games of workers come in, networks go out.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "train/hub/hub_link.h"
#include "train/hub/hub_state.h"
#include "train/hub/intake.h"
#include "train/hub/run_metadata.h"
#include "train/hub/trainer_lease.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// The shards of the run.
struct RemoteStore {
  std::function<void(GameRecord)> keep;
  std::function<void()> sync;
};

struct RemoteOptions {
  HubOpener open;
  std::filesystem::path run;                    // Folder: RUN/quarantine, RUN/hub_epoch.
  std::stop_token stop = {};                    // Ends all waiting.
  std::function<void(const std::string&)> log;  // Called by several threads.
};

// RUN/quarantine/WORKER-SEQUENCE.frame: deliveries that were refused, as they came, each with a .txt that
// says from whom and why. Not thread-safe.
class RemoteGames {
 public:
  // Waits for the lease of the run.
  explicit RemoteGames(RemoteOptions options);
  ~RemoteGames();

  // Before the first collect(): `marks` are what the shards hold. The pool must outlive this.
  void begin(GamePool* pool, const std::string& game_list, RemoteStore store, const Marks& marks);

  // Keeps the games that have come; looks at the hub four times a second at most. Throws LeaseLost.
  void collect();

  // The network that workers play with from now on; sent with the next collect() where the hub is away.
  void publish(PublishedNetwork network, std::string bytes);

  // Returns where this trainer may write; throws LeaseLost.
  void wait_until_held() { lease_.wait_until_held(); }

  // Keeps what has come by now, if the hub is there.
  void finish();

  // As it was at the last look, some seconds ago at most.
  HubState state() const;

  IntakeCounts counts() const { return intake_ ? intake_->counts() : IntakeCounts(); }

 private:
  class Sink;
  void publish_what_is_missing(Hub* hub);
  void read_reports(Hub* hub);

  RemoteOptions options_;
  TrainerLease lease_;
  HubLink link_;
  RunMetadata metadata_;
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<Intake> intake_;
  PublishedNetwork network_;
  std::string network_bytes_;
  bool is_published_ = false;
  WorkerWatch watch_;
  std::size_t backlog_ = 0;
  std::chrono::steady_clock::time_point next_reports_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace makzero::train
