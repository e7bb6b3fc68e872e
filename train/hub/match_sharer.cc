#include "train/hub/match_sharer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "models/checkpoint.h"
#include "models/file_io.h"
#include "train/hub/rating_job.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr const char* kTrainer = "trainer";  // As a taker of pairs.
constexpr const char* kNoEntry = "0-0";      // Of a pair that was not taken from the stream.
constexpr std::chrono::milliseconds kRound{250}, kTick{50};
constexpr int kPairsPerThread = 2;  // At once: networks evaluate their games together.
constexpr std::chrono::seconds kLending = Hub::kNetworkLoan / 2;

bool holds(const std::vector<TakenPair>& taken, int pair) {
  return std::ranges::any_of(taken, [&](const TakenPair& each) { return each.pair == pair; });
}

}  // namespace

MatchSharer::MatchSharer(SharingTrainer trainer, const game::Game& game, const PlayerSpec& a,
                         const PlayerSpec& b, const MatchOptions& options,
                         const std::function<void(const MatchProgress&)>& progress)
    : trainer_(std::move(trainer)),
      game_(game),
      a_(a),
      b_(b),
      options_(options),
      progress_(progress),
      job_{trainer_.job, job_text(game, a, b, options)} {
  for (int pair = 0; 2 * pair < options.games; ++pair) pending_.insert(pair);
}

MatchResult MatchSharer::run() {
  while (!pending_.empty() && !stopped()) {
    look();
    report();
    if (mine_.empty()) {
      std::this_thread::sleep_for(kTick);
    } else if (!stopped()) {
      play();
    }
  }
  trainer_.link->attempt([&](Hub* hub) { hub->withdraw_job(trainer_.epoch); });
  std::vector<MatchPair> pairs;
  pairs.reserve(played_.size());
  for (auto& [number, pair] : played_) pairs.push_back(std::move(pair));
  return result_of_pairs(std::move(pairs));
}

// --- The hub.

void MatchSharer::look() {
  if (Clock::now() < next_look_) return;
  next_look_ = Clock::now() + kRound;
  const bool is_here = trainer_.link->attempt([&](Hub* hub) {
    const std::optional<MatchJob> known = hub->job();
    if (!known || known->id != job_.id) offer(hub);
    if (Clock::now() - lent_ > kLending) lend_networks(hub);
    if (!mine_.empty()) hub->renew_pairs(kTrainer, mine_);
    for (; !settled_.empty(); settled_.pop_back())
      hub->finish_pair(settled_.back(), {settled_.back().pair, kTrainer, ""});
    collect(hub);
    if (!is_playing_) take(hub);
  });
  if (is_playing_) return;
  // What came with a fault; alone, whatever has no result.
  for (const int pair : is_here ? refused_ : pending_) {
    if (mine_.size() >= pairs_at_once()) break;
    if (pending_.contains(pair) && !holds(mine_, pair)) mine_.push_back({kNoEntry, job_.id, pair});
  }
}

// A hub that has lost the job may have lost the networks too.
void MatchSharer::offer(Hub* hub) {
  lend_networks(hub);
  hub->offer_job(trainer_.epoch, job_, pending_of_others());
}

void MatchSharer::lend_networks(Hub* hub) {
  for (const PlayerSpec* player : {&a_, &b_}) {
    if (const PlayerSpec::Network* network = player->network())
      hub->lend_network(trainer_.epoch, network->id, models::read_text_file(network->checkpoint));
  }
  lent_ = Clock::now();
}

std::size_t MatchSharer::pairs_at_once() const { return std::size_t{kPairsPerThread} * options_.threads; }

std::vector<int> MatchSharer::pending_of_others() const {
  std::vector<int> pairs;
  std::ranges::copy_if(pending_, std::back_inserter(pairs),
                       [&](int pair) { return !refused_.contains(pair) && !holds(mine_, pair); });
  return pairs;
}

void MatchSharer::collect(Hub* hub) {
  for (const PlayedPair& played : hub->played_pairs(pending_of_others())) {
    ReadPair read = read_pair(job_.id, game_, a_, b_, options_, played);
    if (!read.pair) {
      refuse(played, read.why);
      continue;
    }
    count(std::move(*read.pair));
    ++pairs_of_workers_;
  }
}

void MatchSharer::refuse(const PlayedPair& played, const std::string& why) {
  const std::string worker = is_worker_name(played.worker) ? played.worker : "nameless";
  trainer_.log(fmt::format("refused worker={} job={} pair={} bytes={} why=\"{}\"", worker, job_.id,
                           played.pair, played.frame.size(), why));
  trainer_.quarantine->keep(
      fmt::format("{}-job-{}-{}", worker, job_.id, played.pair), played.frame,
      fmt::format("worker {}\njob {}\npair {}\nrefused: {}\n", worker, job_.id, played.pair, why));
  refused_.insert(played.pair);
}

void MatchSharer::take(Hub* hub) {
  for (TakenPair& taken : hub->take_pairs(kTrainer, pairs_at_once())) {
    if (taken.job == job_.id && pending_.contains(taken.pair) && !holds(mine_, taken.pair)) {
      mine_.push_back(std::move(taken));
    } else {
      settled_.push_back(std::move(taken));  // Offered again though it was played.
    }
  }
}

// --- Playing.

void MatchSharer::play() {
  MatchOptions part = options_;
  for (const TakenPair& taken : mine_) part.pairs.push_back(taken.pair);
  is_playing_ = true;
  const MatchResult result = play_match(game_, a_, b_, part, [&](const MatchProgress&) {
    look();
    report();
  });
  is_playing_ = false;
  for (std::size_t i = 0; i < result.pairs.size(); ++i)
    count({result.pairs[i], result.games[2 * i], result.games[2 * i + 1]});
  // Stopped, the others are withdrawn with the match.
  std::ranges::copy_if(mine_, std::back_inserter(settled_),
                       [&](const TakenPair& taken) { return !pending_.contains(taken.pair); });
  mine_.clear();
  next_look_ = {};
}

void MatchSharer::count(MatchPair pair) {
  if (pending_.erase(pair.pair) == 0) return;
  score_.add_pair(result_of(pair.first), result_of(pair.second));
  const int number = pair.pair;
  played_.emplace(number, std::move(pair));
}

void MatchSharer::report() {
  MatchProgress now;
  now.score = score_;
  now.games = 2 * static_cast<int>(pending_.size() + played_.size());
  now.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (now.score.games > 0) now.seconds_left = now.seconds * (now.games - now.score.games) / now.score.games;
  progress_(now);
}

}  // namespace makzero::train
