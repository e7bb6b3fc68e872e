#include "train/hub/pair_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::train {
namespace {

constexpr std::chrono::milliseconds kLook{1000};
constexpr std::chrono::milliseconds kRenewal = Hub::kPairLease / 5;
constexpr int kPairsPerThread = 2;  // At once: networks evaluate their games together.

// The network cannot be had at present.
class NoNetwork : public models::Error {
 public:
  using models::Error::Error;
};

}  // namespace

PairPlayer::PairPlayer(PairPlayerOptions options, std::span<const game::GamePtr> games)
    : options_(std::move(options)), games_(games) {
  std::filesystem::remove_all(options_.folder);
}

void PairPlayer::pump(Hub* hub) {
  for (; !finished_.empty(); finished_.pop_back())
    hub->finish_pair(finished_.back().taken, finished_.back().played);
  if (has_pairs() && Clock::now() >= next_renewal_) {
    next_renewal_ = Clock::now() + kRenewal;
    hub->renew_pairs(options_.worker, taken_);
  }
  if (!has_pairs() && Clock::now() >= next_look_) take(hub);
}

void PairPlayer::take(Hub* hub) {
  next_look_ = Clock::now() + kLook;
  const std::optional<MatchJob> job = hub->job();
  if (!job || job->id == refused_job_) return;
  try {
    if (job->id != job_) read(hub, *job);
  } catch (const NoNetwork&) {
    return;  // The trainer lends it again.
  } catch (const HubError&) {
    throw;
  } catch (const models::Error& error) {
    options_.log(error.what());
    refused_job_ = job->id;
    return;
  }
  const int pairs = (match_->options.games + 1) / 2;
  for (TakenPair& taken : hub->take_pairs(options_.worker, pairs_at_once())) {
    const bool is_known = std::ranges::find(taken_, taken.pair, &TakenPair::pair) != taken_.end();
    if (taken.job == job_ && taken.pair >= 0 && taken.pair < pairs && !is_known)
      taken_.push_back(std::move(taken));
  }
  next_renewal_ = Clock::now() + kRenewal;
}

std::size_t PairPlayer::pairs_at_once() const { return std::size_t{kPairsPerThread} * options_.threads; }

void PairPlayer::read(Hub* hub, const MatchJob& job) {
  const auto find_network = [&](const std::string& id) {
    std::filesystem::path path = options_.folder / id;
    const std::optional<std::string> bytes = hub->fetch_network(id);
    if (!bytes) throw NoNetwork("network " + id + " is not at the hub");
    std::filesystem::create_directories(options_.folder);
    models::write_text_file(path, *bytes);
    return path;
  };
  job_.clear();
  std::filesystem::remove_all(options_.folder);
  match_ = read_job(job.text, games_, find_network);
  match_->options.threads = options_.threads;
  match_->options.backend = options_.backend;
  job_ = job.id;
}

void PairPlayer::play(const std::stop_token& stop, const std::function<void()>& meanwhile) {
  MatchOptions part = match_->options;
  part.stop = stop;
  for (const TakenPair& taken : taken_) part.pairs.push_back(taken.pair);
  const MatchResult result =
      play_match(*match_->game, match_->a, match_->b, part, [&](const MatchProgress&) { meanwhile(); });
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    const MatchPair pair{result.pairs[i], result.games[2 * i], result.games[2 * i + 1]};
    const auto taken = std::ranges::find(taken_, pair.pair, &TakenPair::pair);
    finished_.push_back({*taken, {pair.pair, options_.worker, pair_frame(job_, pair)}});
    taken_.erase(taken);
    ++played_;
  }
  next_look_ = {};
}

void PairPlayer::return_pairs(Hub* hub) {
  if (has_pairs()) hub->return_pairs(options_.worker, taken_);
  taken_.clear();
}

}  // namespace makzero::train
