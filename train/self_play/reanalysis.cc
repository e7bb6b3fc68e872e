#include "train/self_play/reanalysis.h"

#include <utility>

#include "game/history.h"
#include "train/replay/game_replay.h"
#include "train/self_play/self_play_game.h"

namespace makzero::train {

std::optional<Sample> ReanalysisQueue::next() {
  const std::lock_guard lock(mutex_);
  if (samples_.empty()) return std::nullopt;
  const Sample sample = samples_.back();
  samples_.pop_back();
  return sample;
}

void ReanalysisQueue::add(ReanalyzedRow row) {
  const std::lock_guard lock(mutex_);
  reanalyzed_.push_back(std::move(row));
}

std::vector<ReanalyzedRow> ReanalysisQueue::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(reanalyzed_, {});
}

Reanalyser::Reanalyser(GamePool* pool, const Config& config, std::uint64_t seed)
    : pool_(pool), config_(config), rng_(seed) {}

void Reanalyser::gather(mcts::Lockstep<>* lockstep, ReanalysisQueue* queue) {
  for (;;) {
    if (!sample_) {
      sample_ = queue->next();
      if (!sample_) return;
      begin();
    }
    if (lockstep->gather(&*search_) > 0) return;
    queue->add(reanalyzed());
    sample_.reset();
  }
}

void Reanalyser::begin() {
  game_ = pool_->rules_of(sample_->game->ruleset());
  search_.emplace(*game_, search_options(config_), rng_.next());
  game::History history;
  const game::Position position = play_to(*game_, *sample_->game, sample_->ply, &history);
  search_->set_root(position, history);
}

ReanalyzedRow Reanalyser::reanalyzed() const {
  ReanalyzedRow row{*sample_, sample_->game->plies(sample_->ply)};
  record_search(search_->result(), &row.ply);
  return row;
}

}  // namespace makzero::train
