#include "nn/evaluators/caching_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace makzero::nn {
namespace {

using mcts::EvalRequest;
using mcts::Evaluation;

// Everything that an evaluation depends on.
struct Key {
  game::Position position;
  int occurrences = 0;
  int ruleset = 0;  // Its number in CachingEvaluator::rulesets_.

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

class CachingEvaluator : public mcts::AsynchronousEvaluator {
 public:
  CachingEvaluator(std::unique_ptr<mcts::Evaluator> inner, std::size_t entries)
      : inner_(std::move(inner)), table_(std::bit_ceil(std::max<std::size_t>(entries, 1))) {
    shift_ = 64 - std::countr_zero(table_.size());
    priors_.resize(std::max<std::size_t>(table_.size() * kPriorsPerEntry, game::MoveList::kCapacity));
  }

  mcts::Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    assert(requests.size() == evaluations.size());
    Batch* batch = take_batch(evaluations);
    look_up(requests, batch);
    begin_misses(batch);
    if (!batch->ticket.done() || batch->waits_for_earlier)
      return mcts::Ticket([this, batch] { finish(batch); });
    finish(batch);
    return {};
  }

  int batches_under_way() const override { return inner_->batches_under_way(); }

 private:
  // A request that the table does not hold, once per batch.
  struct Miss {
    Key key;
    std::size_t slot;
    int owner;  // The first request that asks for it.
  };

  // A request that is equal to an earlier one under way.
  struct Copy {
    Evaluation* to;
    int miss;  // Of the batch that has the earlier one.
  };

  // A batch under way; one that is not is kept for its memory.
  struct Batch {
    std::span<Evaluation> evaluations;
    std::vector<Miss> misses;
    std::vector<EvalRequest> miss_requests;
    std::vector<Evaluation> miss_evaluations;
    std::vector<Copy> copies;  // Of its misses, in this batch and in later ones.
    std::vector<int> index;    // Open-addressing table of indices into misses; -1 = free.
    bool waits_for_earlier = false;
    bool complete = false;  // The evaluations of the misses are there, or will never be:
    std::exception_ptr failure;
    mcts::Ticket ticket;  // Last: it is abandoned before the memory that it fills is freed.
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

  Batch* take_batch(std::span<Evaluation> evaluations) {
    if (spare_.empty()) spare_.push_back(std::make_unique<Batch>());
    Batch* batch = under_way_.emplace_back(std::move(spare_.back())).get();
    spare_.pop_back();
    batch->evaluations = evaluations;
    batch->misses.clear();
    batch->miss_requests.clear();
    batch->copies.clear();
    batch->index.assign(2 * std::bit_ceil(evaluations.size() + 1), -1);
    batch->waits_for_earlier = batch->complete = false;
    batch->failure = nullptr;
    return batch;
  }

  // Fills in the hits; lists the misses and the copies of earlier misses.
  void look_up(std::span<const EvalRequest> requests, Batch* batch) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Evaluation* evaluation = &batch->evaluations[i];
      const Key key = key_of(requests[i], number_of(requests[i].game->info().ruleset));
      const std::size_t slot = slot_of(key);
      if (read(table_[slot], key, evaluation)) {
        assert(static_cast<int>(evaluation->priors.size()) == requests[i].legal->size());
      } else if (!copy_from_earlier(key, batch, evaluation)) {
        *find_place(batch, key) = static_cast<int>(batch->misses.size());
        batch->misses.push_back({key, slot, static_cast<int>(i)});
        batch->miss_requests.push_back(requests[i]);
      }
    }
  }

  // Has the evaluation copied from the same request of a batch under way, where there is one.
  bool copy_from_earlier(const Key& key, Batch* batch, Evaluation* to) {
    for (const std::unique_ptr<Batch>& each : under_way_) {
      if (each->complete) continue;
      const int miss = *find_place(each.get(), key);
      if (miss < 0) continue;
      each->copies.push_back({to, miss});
      batch->waits_for_earlier = batch->waits_for_earlier || each.get() != batch;
      return true;
    }
    return false;
  }

  // The place of a key in the batch's index: of the miss with this key, or a free one.
  static int* find_place(Batch* batch, const Key& key) {
    const std::size_t mask = batch->index.size() - 1;
    std::size_t place = hash_of(key) & mask;
    while (batch->index[place] >= 0 && !(batch->misses[batch->index[place]].key == key))
      place = (place + 1) & mask;
    return &batch->index[place];
  }

  // Has the misses evaluated. What fails then is thrown when the batch is finished.
  void begin_misses(Batch* batch) {
    if (batch->misses.empty()) return;
    batch->miss_evaluations.resize(std::max(batch->miss_evaluations.size(), batch->misses.size()));
    const std::span<Evaluation> evaluations = std::span(batch->miss_evaluations).first(batch->misses.size());
    try {
      batch->ticket = inner_->begin(batch->miss_requests, evaluations);
    } catch (...) {
      fail(batch, std::current_exception());
    }
  }

  void finish(Batch* batch) {
    for (const std::unique_ptr<Batch>& each : under_way_) {
      if (each.get() == batch || batch->waits_for_earlier) complete(each.get());
      if (each.get() == batch) break;
    }
    const auto own = std::find_if(under_way_.begin(), under_way_.end(),
                                  [&](const auto& each) { return each.get() == batch; });
    spare_.push_back(std::move(*own));
    under_way_.erase(own);
    if (batch->failure) std::rethrow_exception(std::exchange(batch->failure, nullptr));
  }

  // Fills in the evaluations that wait for this batch, its own and those of later ones.
  void complete(Batch* batch) {
    if (batch->complete) return;
    try {
      batch->ticket.finish();
    } catch (...) {
      return fail(batch, std::current_exception());
    }
    batch->complete = true;
    for (std::size_t i = 0; i < batch->misses.size(); ++i) {
      write(batch->misses[i], batch->miss_evaluations[i]);
      std::swap(batch->evaluations[batch->misses[i].owner], batch->miss_evaluations[i]);
    }
    for (const Copy& copy : batch->copies) *copy.to = batch->evaluations[batch->misses[copy.miss].owner];
  }

  // Batches that may wait for this one fail with it.
  void fail(Batch* batch, const std::exception_ptr& failure) {
    batch->complete = true;
    for (const std::unique_ptr<Batch>& each : under_way_) {
      if (each.get() == batch || each->waits_for_earlier) each->failure = failure;
    }
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

  std::unique_ptr<mcts::Evaluator> inner_;
  std::vector<Entry> table_;   // Direct-mapped: a new entry replaces the old one of its slot.
  int shift_;                  // The slot is the top bits of the hash.
  std::vector<float> priors_;  // A ring: the newest priors overwrite the oldest, whose entries are then void.
  std::uint64_t written_ = 0;  // Floats ever written to the ring.
  std::vector<std::string> rulesets_;  // Of all requests so far.
  int last_ruleset_ = -1;

  std::vector<std::unique_ptr<Batch>> under_way_;  // In the order in which they began.
  std::vector<std::unique_ptr<Batch>> spare_;
};

}  // namespace

std::unique_ptr<mcts::Evaluator> make_caching_evaluator(std::unique_ptr<mcts::Evaluator> inner,
                                                        std::size_t entries) {
  return std::make_unique<CachingEvaluator>(std::move(inner), entries);
}

}  // namespace makzero::nn
