#include "train/hub/trainer_lease.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "models/file_io.h"

namespace makzero::train {
namespace {

constexpr std::chrono::milliseconds kTick{50};

std::string holder_name(const std::filesystem::path& run) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("{}:{}", host.data(), std::filesystem::absolute(run).lexically_normal().string());
}

std::int64_t read_epoch(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return 0;
  return std::strtoll(models::read_text_file(path).c_str(), nullptr, 10);
}

}  // namespace

TrainerLease::TrainerLease(HubOpener open, const std::filesystem::path& run, const std::stop_token& stop,
                           std::function<void(const std::string&)> log)
    : open_(std::move(open)),
      stop_(stop),
      log_(std::move(log)),
      link_(
          open_,
          [this](const std::string& line) {  // Later the trainer's own link says it.
            if (epoch_ == 0) log_(line);
          },
          static_cast<std::uint64_t>(getpid())),
      holder_(holder_name(run)) {
  take(run);
  renewer_ = std::thread([this] { renew_until_end(); });
}

TrainerLease::~TrainerLease() {
  end_ = true;
  renewer_.join();
  if (lost_) return;
  try {
    open_()->release_lease(holder_, epoch_);
  } catch (const models::Error&) {
    // It runs out by itself.
  }
}

void TrainerLease::take(const std::filesystem::path& run) {
  const std::filesystem::path path = run / "hub_epoch";
  std::string waiting_for;
  while (epoch_ == 0) {
    if (stop_.stop_requested()) throw LeaseLost("stopped before this trainer had the lease of the run");
    link_.attempt([&](Hub* hub) {
      const Clock::time_point asked = Clock::now();
      const auto epoch = hub->take_lease(holder_, kTime, read_epoch(path));
      if (epoch) {
        epoch_ = *epoch;
        return note_renewal(asked);
      }
      const std::string holder = hub->lease().holder;
      if (holder != waiting_for) log_(fmt::format("lease waits, held by {}", holder));
      waiting_for = holder;
    });
    if (epoch_ == 0) std::this_thread::sleep_for(4 * kTick);
  }
  models::write_text_file(path, fmt::format("{}\n", epoch_));
  log_(fmt::format("lease epoch={}", epoch_));
}

void TrainerLease::note_renewal(Clock::time_point asked) {
  held_until_ = (asked + kTime - kMargin).time_since_epoch().count();
}

void TrainerLease::renew_until_end() {
  Clock::time_point next = Clock::now() + kRenewal;
  while (!end_ && !lost_) {
    std::this_thread::sleep_for(kTick);
    if (Clock::now() < next) continue;
    const Clock::time_point asked = Clock::now();
    bool renewed = false;
    const bool asked_well =
        link_.attempt_now([&](Hub* hub) { renewed = hub->renew_lease(holder_, epoch_, kTime); });
    if (asked_well && !renewed) lost_ = true;
    if (renewed) note_renewal(asked);
    next = asked + (renewed ? kRenewal : kRenewal / 4);
  }
}

void TrainerLease::wait_until_held() {
  bool waited = false;
  while (!lost_ && !is_held()) {
    if (!waited) log_("lease not renewed: waits for the hub before it writes");
    waited = true;
    if (stop_.stop_requested())
      throw LeaseLost("stopped while nobody knew whether this trainer still had the run");
    std::this_thread::sleep_for(kTick);
  }
  if (lost_) throw LeaseLost("another trainer has taken the run over; this one has stopped writing");
  if (waited) log_("lease renewed");
}

}  // namespace makzero::train
