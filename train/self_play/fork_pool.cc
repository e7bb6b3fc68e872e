#include "train/self_play/fork_pool.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace makzero::train {
namespace {

// A policy has two bytes a move.
bool has_alternative(const PlyRecord& ply) { return ply.policy().size() > 2; }

}  // namespace

std::optional<Opening> fork_of(const game::Position& start, const GameRecord& record, int longest) {
  int fork = -1;
  float most = 0;
  for (int i = static_cast<int>(record.opening_plies()); i < std::min(longest, record.plies_size()); ++i) {
    const PlyRecord& ply = record.plies(i);
    if (!ply.full_search() || !has_alternative(ply) || ply.surprise() <= most) continue;
    fork = i;
    most = ply.surprise();
  }
  if (fork < 0) return std::nullopt;
  const auto move_of = [](const PlyRecord& ply) {
    return game::Move::from_bits(static_cast<std::uint16_t>(ply.move()));
  };
  Opening opening{start, {}, 1, move_of(record.plies(fork))};
  for (int i = 0; i < fork; ++i) opening.moves.push_back(move_of(record.plies(i)));
  return opening;
}

void ForkPool::add(const std::string& ruleset, Opening fork) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() == kMost) entries_.pop_front();
  entries_.push_back({ruleset, std::move(fork)});
}

std::optional<Opening> ForkPool::take(const std::string& ruleset, mcts::Rng* rng) {
  const std::lock_guard lock(mutex_);
  std::vector<std::deque<Entry>::iterator> fitting;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->ruleset == ruleset) fitting.push_back(entry);
  }
  if (fitting.empty()) return std::nullopt;
  const auto taken = fitting[rng->below(fitting.size())];
  Opening fork = std::move(taken->fork);
  entries_.erase(taken);
  return fork;
}

}  // namespace makzero::train
