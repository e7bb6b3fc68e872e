#include "nn/caching_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>
#include <utility>

namespace makzero::nn {
namespace {

using mcts::EvalRequest;
using mcts::Evaluation;

// Everything that an evaluation depends on.
struct Key {
  game::Position position;
  int occurrences = 0;
  int ruleset = 0;  // Its number in Impl::rulesets_.

  bool operator==(const Key&) const = default;
};

// The move number of the given position matters to its text alone.
Key key_of(const EvalRequest& request, int ruleset) {
  Key key{*request.position, request.occurrences, ruleset};
  key.position.first_ply = 0;
  return key;
}

std::uint64_t hash_of(const Key& key) {
  const std::uint64_t rest = static_cast<std::uint64_t>(key.ruleset) << 40 |
                             static_cast<std::uint64_t>(key.occurrences) << 16 | key.position.ply;
  return (game::evaluation_key(key.position) ^ rest) * 0x9E3779B97F4A7C15u;
}

// Where the priors of an evaluation lie in the ring, by the count of all floats ever written.
struct Entry {
  Key key;
  mcts::MoverValue value;
  float moves_left = 0;
  std::uint64_t priors_begin = 0;
  int priors_count = 0;  // 0: the entry is empty.
};

}  // namespace

class CachingEvaluator::Impl {
 public:
  Impl(mcts::Evaluator* inner, std::size_t entries)
      : inner_(inner), table_(std::bit_ceil(std::max<std::size_t>(entries, 1))) {
    shift_ = 64 - std::countr_zero(table_.size());
    priors_.resize(std::max<std::size_t>(table_.size() * kPriorsPerEntry, game::MoveList::kCapacity));
  }

  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
    assert(requests.size() == evaluations.size());
    statistics_.lookups += requests.size();
    look_up(requests, evaluations);
    evaluate_misses(evaluations);
  }

  void clear() {
    for (Entry& entry : table_) entry.priors_count = 0;
  }

  CacheStatistics statistics() const { return statistics_; }

 private:
  // A request that the table does not hold, once per batch.
  struct Miss {
    Key key;
    std::size_t slot;
    int owner;  // The first request that asks for it.
  };

  // Room per entry on average; 16 sliding men have some 60 moves.
  static constexpr std::size_t kPriorsPerEntry = 64;

  std::size_t slot_of(const Key& key) const { return table_.size() == 1 ? 0 : hash_of(key) >> shift_; }

  // The number of a ruleset, the same while the cache lives. By its text, not by the game's address, which
  // another game may take over.
  int number_of(const std::string& ruleset) {
    if (last_ruleset_ < 0 || rulesets_[last_ruleset_] != ruleset) {
      const auto known = std::find(rulesets_.begin(), rulesets_.end(), ruleset);
      last_ruleset_ = static_cast<int>(known - rulesets_.begin());
      if (known == rulesets_.end()) rulesets_.push_back(ruleset);
    }
    return last_ruleset_;
  }

  // Fills in the hits; lists the misses and the copies of earlier misses.
  void look_up(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
    misses_.clear();
    miss_requests_.clear();
    copies_.clear();
    batch_index_.assign(2 * std::bit_ceil(requests.size() + 1), -1);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Key key = key_of(requests[i], number_of(requests[i].game->info().ruleset));
      const std::size_t slot = slot_of(key);
      if (read(table_[slot], key, &evaluations[i])) {
        assert(static_cast<int>(evaluations[i].priors.size()) == requests[i].legal->size());
        ++statistics_.hits;
        continue;
      }
      const int miss = find_or_add_miss(key, slot, static_cast<int>(i));
      if (misses_[miss].owner == static_cast<int>(i)) {
        miss_requests_.push_back(requests[i]);
      } else {
        copies_.emplace_back(static_cast<int>(i), misses_[miss].owner);
        ++statistics_.hits;
      }
    }
  }

  // Open addressing over the misses of this batch.
  int find_or_add_miss(const Key& key, std::size_t slot, int request) {
    const std::size_t mask = batch_index_.size() - 1;
    std::size_t place = hash_of(key) & mask;
    for (; batch_index_[place] >= 0; place = (place + 1) & mask) {
      if (misses_[batch_index_[place]].key == key) return batch_index_[place];
    }
    batch_index_[place] = static_cast<int>(misses_.size());
    misses_.push_back({key, slot, request});
    return batch_index_[place];
  }

  void evaluate_misses(std::span<Evaluation> evaluations) {
    if (misses_.empty()) return;
    miss_evaluations_.resize(std::max(miss_evaluations_.size(), misses_.size()));
    inner_->evaluate(miss_requests_, std::span(miss_evaluations_).first(misses_.size()));
    for (std::size_t i = 0; i < misses_.size(); ++i) {
      write(misses_[i], miss_evaluations_[i]);
      std::swap(evaluations[misses_[i].owner], miss_evaluations_[i]);
    }
    for (const auto& [to, from] : copies_) evaluations[to] = evaluations[from];
  }

  bool read(const Entry& entry, const Key& key, Evaluation* evaluation) const {
    if (entry.priors_count == 0 || written_ - entry.priors_begin > priors_.size() || !(entry.key == key))
      return false;
    evaluation->value = entry.value;
    evaluation->moves_left = entry.moves_left;
    const auto begin = priors_.begin() + static_cast<std::ptrdiff_t>(entry.priors_begin % priors_.size());
    evaluation->priors.assign(begin, begin + entry.priors_count);
    return true;
  }

  // Priors never wrap around the end of the ring: the rest of it is left unused.
  void write(const Miss& miss, const Evaluation& evaluation) {
    const std::size_t count = evaluation.priors.size(), rest = priors_.size() - written_ % priors_.size();
    if (count > rest) written_ += rest;
    std::copy(evaluation.priors.begin(), evaluation.priors.end(),
              priors_.begin() + static_cast<std::ptrdiff_t>(written_ % priors_.size()));
    table_[miss.slot] = {miss.key, evaluation.value, evaluation.moves_left, written_,
                         static_cast<int>(count)};
    written_ += count;
  }

  mcts::Evaluator* inner_;
  std::vector<Entry> table_;   // Direct-mapped: a new entry replaces the old one of its slot.
  int shift_;                  // The slot is the top bits of the hash.
  std::vector<float> priors_;  // A ring: the newest priors overwrite the oldest, whose entries are then void.
  std::uint64_t written_ = 0;  // Floats ever written to the ring.
  CacheStatistics statistics_;
  std::vector<std::string> rulesets_;  // Of all requests so far.
  int last_ruleset_ = -1;

  // Of the running batch; kept for their memory.
  std::vector<Miss> misses_;
  std::vector<EvalRequest> miss_requests_;
  std::vector<Evaluation> miss_evaluations_;
  std::vector<std::pair<int, int>> copies_;  // (request, earlier request that it is equal to)
  std::vector<int> batch_index_;             // Open-addressing table of indices into misses_; -1 = free.
};

CachingEvaluator::CachingEvaluator(mcts::Evaluator* inner, std::size_t entries)
    : impl_(std::make_unique<Impl>(inner, entries)) {}

CachingEvaluator::CachingEvaluator(std::unique_ptr<mcts::Evaluator> inner, std::size_t entries)
    : owned_(std::move(inner)), impl_(std::make_unique<Impl>(owned_.get(), entries)) {}

CachingEvaluator::~CachingEvaluator() = default;

void CachingEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  impl_->evaluate(requests, evaluations);
}

void CachingEvaluator::clear() { impl_->clear(); }
CacheStatistics CachingEvaluator::statistics() const { return impl_->statistics(); }

}  // namespace makzero::nn
