#include "mcts/alpha_beta/parallel_searcher.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/alpha_beta/transposition_table.h"

namespace makzero::mcts {
namespace {

// A search in a thread of its own, until it is stopped.
class Helper {
 public:
  explicit Helper(std::unique_ptr<Searcher> searcher) : searcher_(std::move(searcher)) {}
  ~Helper() { stop(); }

  // REQUIRES: it is reset.
  void start(const SearchRoot& root, const Limits& limits) {
    stopped_ = false;
    Limits own{.search_moves = limits.search_moves, .contempt = limits.contempt, .stop = &stopped_};
    searcher_->begin(root, own);
    thread_ = std::thread([this] {
      while (!searcher_->done()) {
        searcher_->step({.nodes = kStepNodes});
        nodes_ = searcher_->info().nodes;
      }
    });
  }

  void stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }

  void reset() {
    stop();
    nodes_ = 0;
  }

  void forget() { searcher_->forget(); }
  std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr std::int64_t kStepNodes = 1 << 14;  // Between two looks at how many there were.

  std::unique_ptr<Searcher> searcher_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> nodes_ = 0;
  std::thread thread_;
};

class ParallelSearcher final : public Searcher {
 public:
  ParallelSearcher(const game::Game& game, const SmallNetwork& network, const AlphaBetaOptions& options,
                   std::size_t table_bytes, int threads)
      : table_(std::make_shared<TranspositionTable>(table_entries(table_bytes), /*shared=*/true)),
        main_(make_small_searcher(game, network, options, table_)) {
    // Every other helper is a ply ahead.
    for (int i = 1; i < threads; ++i)
      helpers_.push_back(
          std::make_unique<Helper>(make_small_searcher(game, network, options, table_, 1 + i % 2)));
  }

  void begin(const SearchRoot& root, const Limits& limits) override {
    for (const auto& helper : helpers_) helper->reset();
    done_ = false;
    main_->begin(root, limits);
    if (limits.nodes || limits.depth || limits.mate) return;
    for (const auto& helper : helpers_) helper->start(root, limits);
  }

  std::span<const EvalRequest> step(const StepBudget& budget) override {
    const auto requests = main_->step(budget);
    done_ = main_->done();
    if (done_) stop_helpers();
    return requests;
  }

  bool ready() const override { return main_->ready(); }
  bool done() const override { return done_; }

  SearchInfo info() const override {
    SearchInfo info = main_->info();
    for (const auto& helper : helpers_) info.nodes += helper->nodes();
    return info;
  }

  void forget() override {
    stop_helpers();
    table_->clear();
    main_->forget();
    for (const auto& helper : helpers_) helper->forget();
  }

 private:
  void stop_helpers() {
    for (const auto& helper : helpers_) helper->stop();
  }

  std::shared_ptr<TranspositionTable> table_;
  std::unique_ptr<Searcher> main_;
  bool done_ = false;                             // Since the last step: helpers are stopped by one.
  std::vector<std::unique_ptr<Helper>> helpers_;  // Last: they use the table.
};

}  // namespace

std::unique_ptr<Searcher> make_parallel_searcher(const game::Game& game, const SmallNetwork& network,
                                                 const AlphaBetaOptions& options, std::size_t table_bytes,
                                                 int threads) {
  if (threads == 1) return make_small_searcher(game, network, options, table_bytes);
  return std::make_unique<ParallelSearcher>(game, network, options, table_bytes, threads);
}

}  // namespace makzero::mcts
