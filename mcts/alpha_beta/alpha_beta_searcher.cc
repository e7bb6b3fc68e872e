#include "mcts/alpha_beta/alpha_beta_searcher.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

#include "mcts/alpha_beta/alpha_beta.h"
#include "mcts/search_time.h"

namespace makzero::mcts {
namespace {

// Loss of the expected result in [-1, 1] that makes a move e times less likely at temperature 1.
constexpr float kSampleScale = 0.1f;

// The expected result of the mover in [-1, 1] of a score that proves nothing.
float expected(LogitScore score) { return static_cast<float>(2 * expected_result(score) - 1); }
float expected(Centipawns score) { return to_expected(score.value); }

template <class Score>
Line to_line(const AlphaBetaLine<Score>& found) {
  Line line{.moves = found.moves};
  const Score score = found.score;
  const int most = to_centipawns(1);
  if (score.proven()) line.end_in_plies = score.plies_to_end();
  line.centipawns = std::clamp(score.proven() ? score.value : to_centipawns(expected(score)), -most, most);
  const float result = to_expected(line.centipawns), draw = score.proven() ? 0 : (1 - std::abs(result)) / 2;
  line.value = {(1 - draw + result) / 2, draw, (1 - draw - result) / 2};
  return line;
}

template <class Evaluation>
class AlphaBetaSearcher : public Searcher {
 public:
  AlphaBetaSearcher(const game::Game& game, Evaluation evaluation, const AlphaBetaOptions& options,
                    std::shared_ptr<TranspositionTable> table, int first_depth = 1)
      : search_(game, std::move(evaluation), options, std::move(table)), first_depth_(first_depth) {}

  void begin(const SearchRoot& root, const Limits& limits) override {
    AlphaBetaLimits own{.time = limits.most_time ? limits.most_time : limits.time,
                        .clock = limits.clock,
                        .stop = limits.stop,
                        .search_moves = limits.search_moves,
                        .lines = std::max(1, limits.lines),
                        .first_depth = first_depth_};
    if (limits.depth) own.depth = *limits.depth;
    if (limits.mate) own.depth = std::min(own.depth, 2 * std::min(*limits.mate, AlphaBetaLimits().depth) - 1);
    if (limits.nodes) own.nodes = *limits.nodes;
    own.contempt =
        kByMaterial ? limits.contempt : score_of_result((1 + to_expected(limits.contempt)) / 2).value;
    if (kByMaterial) own.seed = limits.seed;
    limits_ = limits;
    start_ = limits.now();
    time_.reset();
    if (limits.time) time_.emplace(limits);
    stepped_ = false;
    search_.begin(*root.position, *root.history, own);
  }

  std::span<const EvalRequest> step(const StepBudget& budget) override {
    const auto until = time_ ? start_ + time_->end() : std::chrono::nanoseconds::max();
    search_.step(static_cast<std::uint64_t>(budget.nodes), until);
    stepped_ = true;
    if (time_ && time_->due(used())) time_->update(info());
    return {};
  }

  bool ready() const override { return stepped_; }
  bool done() const override { return stepped_ && (search_.done() || (time_ && used() >= time_->end())); }

  SearchInfo info() const override {
    const auto& result = search_.result();
    SearchInfo info;
    for (const auto& line : result.lines) info.lines.push_back(to_line(line));
    const float best = value_of(info.lines.front());
    for (Line& line : info.lines) line.policy = std::exp((value_of(line) - best) / kSampleScale);
    info.depth = result.depth;
    info.seldepth = result.seldepth;
    info.nodes = result.nodes;
    info.value = info.lines.front().value;
    info.elapsed = used();
    return info;
  }

  void forget() override { search_.clear(); }

 private:
  using Search = AlphaBeta<Evaluation>;

  static constexpr bool kByMaterial = std::is_same_v<Evaluation, MaterialEvaluation>;

  static float value_of(const Line& line) { return line.value.win - line.value.loss; }
  std::chrono::nanoseconds used() const { return limits_.now() - start_; }

  Search search_;
  int first_depth_;
  Limits limits_;
  std::chrono::nanoseconds start_{};
  std::optional<SearchTime> time_;  // Where limits_ have a time.
  bool stepped_ = false;
};

}  // namespace

std::size_t table_entries(std::size_t bytes) {
  return std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(TableEntry)));
}

std::unique_ptr<Searcher> make_small_searcher(const game::Game& game, const SmallNetwork& network,
                                              const AlphaBetaOptions& options, std::size_t table_bytes) {
  return make_small_searcher(game, network, options,
                             std::make_shared<TranspositionTable>(table_entries(table_bytes)));
}

std::unique_ptr<Searcher> make_small_searcher(const game::Game& game, const SmallNetwork& network,
                                              const AlphaBetaOptions& options,
                                              std::shared_ptr<TranspositionTable> table, int first_depth) {
  return std::make_unique<AlphaBetaSearcher<SmallEvaluator>>(game, SmallEvaluator(game.info(), network),
                                                             options, std::move(table), first_depth);
}

namespace {

std::unique_ptr<Searcher> make_by_material(const game::Game& game, const AlphaBetaOptions& options,
                                           std::size_t table_bytes) {
  return std::make_unique<AlphaBetaSearcher<MaterialEvaluation>>(
      game, MaterialEvaluation(game.info()), options,
      std::make_shared<TranspositionTable>(table_entries(table_bytes)));
}

}  // namespace

std::unique_ptr<Searcher> make_material_searcher(const game::Game& game, std::size_t table_bytes) {
  return make_by_material(game, kBaselineOptions, table_bytes);
}

std::unique_ptr<Searcher> make_mate_searcher(const game::Game& game, std::size_t table_bytes) {
  return make_by_material(game, kMateOptions, table_bytes);
}

}  // namespace makzero::mcts
