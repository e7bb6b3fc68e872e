// Moves that a tower's search chooses with other constants, judged by the small network: in a minute a row,
// which of them deserve a match. The positions are those of the game's baseline.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <exception>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/history.h"
#include "game/plain_text.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "models/file_io.h"
#include "models/model.h"
#include "train/rating/baseline_maker.h"

namespace makzero {
namespace {

struct Options {
  std::string network, ruleset, baseline, judge = "small?nodes=20000";
  int positions = 400, simulations = 400, most = 10;
  std::vector<std::string> rows;
};

constexpr int kBatch = 128;  // Leaves of searches side by side.

// A row: how a network's positions are searched.
struct Setting {
  mcts::SearchOptions search;
  int leaves;  // Gathered at once, at most: with more than eight as for a card.
};

// The network's own setting with what a row says: "c_scale=0.3 leaves=128".
Setting setting_of(const models::Model& model, const std::string& row, int simulations) {
  Setting setting{models::search_options(model.manifest), std::clamp(simulations / 64, 1, 8)};
  setting.search.simulations = simulations;
  setting.search.max_considered_actions = 0;
  setting.search.gumbel_scale = 0;
  for (const std::string_view word : game::split(row, ' ')) {
    if (word.empty()) continue;
    const size_t sign = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, sign);
    const auto value = game::parse_number<float>(word.substr(std::min(sign + 1, word.size())));
    const auto constant = std::ranges::find(mcts::kSearchConstants, name,
                                            [](const auto& one) { return std::string_view(one.name); });
    if (word == "puct") {
      setting.search.algorithm = mcts::SearchAlgorithm::kPuct;
    } else if (name == "leaves" && value) {
      setting.leaves = std::max(1, static_cast<int>(*value));
    } else if (constant != std::end(mcts::kSearchConstants) && value) {
      setting.search.*constant->member = *value;
    } else {
      throw std::runtime_error("'" + std::string(word) + "' is no constant with its value, c_scale=0.3");
    }
  }
  return setting;
}

// The best moves of new trees.
std::vector<game::Move> choose(const game::Game& game, const Setting& setting, mcts::Evaluator* evaluator,
                               std::span<const train::BaselinePosition> rows) {
  const int collisions = setting.leaves > 8 ? 8 * setting.leaves : 0;
  const size_t together = std::max(1, kBatch / setting.leaves);
  std::vector<game::Move> chosen;
  for (size_t begin = 0; begin < rows.size(); begin += together) {
    std::deque<mcts::Search> searches;
    for (const train::BaselinePosition& row : rows.subspan(begin, std::min(together, rows.size() - begin)))
      searches.emplace_back(game, setting.search, 1).set_root(row.position, game::History(row.position));
    for (mcts::Lockstep lockstep;; lockstep.step(evaluator)) {
      for (mcts::Search& search : searches) {
        const int leaves =
            std::min(setting.leaves, std::max(8, search.simulations() / 8));  // As TreeSearcher.
        lockstep.gather(&search, leaves, collisions);
      }
      if (lockstep.empty()) break;
    }
    for (const mcts::Search& search : searches) chosen.push_back(search.result().best);
  }
  return chosen;
}

// The results that a judge expects for the mover after moves, in [0, 1].
class Judge {
 public:
  Judge(const game::Game& game, const Options& options)
      : game_(game), spec_(parse(game, options.judge)), request_{.player = spec_, .judges = {}} {}

  double after(size_t place, game::Move move) const { return values_.at({place, move.bits()}); }

  void judge(std::span<const train::BaselinePosition> rows, std::span<const game::Move> moves) {
    std::vector<std::pair<size_t, std::uint32_t>> keys;
    std::vector<train::BaselinePosition> asked;
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::pair<size_t, std::uint32_t> key(i, moves[i].bits());
      if (values_.contains(key)) continue;
      game::GameState state(game_, rows[i].position);
      const game::Color mover = state.position().to_move;
      state.play(moves[i]);
      if (state.over()) {
        const game::Result result = state.outcome().result;
        values_[key] = result == game::Result::kDraw ? 0.5 : result == game::win_of(mover) ? 1 : 0;
      } else {
        keys.push_back(key);
        asked.push_back({state.position()});
      }
    }
    train::add_judgements(
        game_, spec_, request_, [](const auto&) {}, &asked);
    for (size_t i = 0; i < asked.size(); ++i) values_[keys[i]] = 1 - asked[i].judgements[0].expected;
  }

 private:
  static models::PlayerSpec parse(const game::Game& game, const std::string& text) {
    const auto spec = models::parse_player(text, {.ruleset = game.info().ruleset});
    if (!spec) throw std::runtime_error(spec.why());
    return *spec;
  }

  const game::Game& game_;
  models::PlayerSpec spec_;
  train::BaselineRequest request_;
  std::map<std::pair<size_t, std::uint32_t>, double> values_;
};

// A mean and its standard error.
class Mean {
 public:
  void add(double value) { ++count_, sum_ += value, squares_ += value * value; }
  double mean() const { return sum_ / count_; }
  double error() const { return std::sqrt(std::max(0.0, squares_ / count_ - mean() * mean()) / count_); }

 private:
  int count_ = 0;
  double sum_ = 0, squares_ = 0;
};

void measure(const Options& options) {
  const auto made = game::make_game(options.ruleset);
  if (!made) throw std::runtime_error(made.why());
  const game::Game& game = **made;
  const auto baseline =
      train::parse_baseline(game, models::read_text_file(options.baseline), options.baseline);
  if (!baseline) throw std::runtime_error(baseline.why());
  const auto rows =
      std::span(baseline->positions).first(std::min<size_t>(options.positions, baseline->positions.size()));
  const auto model = models::read_model(options.network);
  const auto evaluator = models::make_search_evaluator(game, model, {.max_batch = kBatch});

  Judge judge(game, options);
  std::vector<game::Move> first;  // Of the baseline's first judge, who searched longest.
  for (const train::BaselinePosition& row : rows) first.push_back(row.judgements[0].move);
  judge.judge(rows, first);
  std::vector<std::vector<game::Move>> chosen;
  for (const std::string& row : options.rows) {
    chosen.push_back(choose(game, setting_of(model, row, options.simulations), evaluator.get(), rows));
    judge.judge(rows, chosen.back());
  }
  const auto loss = [&](size_t row, size_t place) {
    const double points = 100 * (judge.after(place, first[place]) - judge.after(place, chosen[row][place]));
    return std::clamp<double>(points, -options.most, options.most);
  };
  for (size_t row = 0; row < chosen.size(); ++row) {
    Mean lost, less;
    for (size_t i = 0; i < rows.size(); ++i) {
      lost.add(loss(row, i));
      less.add(loss(0, i) - loss(row, i));
    }
    std::printf("%s, %d simulations: loses %.3f, less than the first row %+.3f +- %.3f: %s\n",
                options.ruleset.c_str(), options.simulations, lost.mean(), less.mean(), less.error(),
                options.rows[row].c_str());
  }
}

}  // namespace
}  // namespace makzero

int main(int argc, char** argv) try {
  makzero::Options options;
  CLI::App app(
      "What the moves of a tower's search lose against those of the baseline, in hundredths of a game");
  app.add_option("NETWORK", options.network, "A tower, models/zoo/chess/network.mzc")->required();
  app.add_option("GAME", options.ruleset)->required();
  app.add_option("BASELINE", options.baseline, "Positions, models/zoo/GAME/baseline.tsv")->required();
  app.add_option("CONSTANTS", options.rows,
                 "A row each: '' as the network says, 'c_scale=0.3', 'puct cpuct=2', 'leaves=128'")
      ->required();
  app.add_option("--positions", options.positions, "The first of the baseline")->check(CLI::PositiveNumber);
  app.add_option("--simulations", options.simulations, "Of a search")->check(CLI::PositiveNumber);
  app.add_option("--judge", options.judge, "Who searches the positions after the moves");
  app.add_option("--most", options.most, "That a position counts, at most");
  CLI11_PARSE(app, argc, argv);
  makzero::measure(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "choices_bench: %s\n", error.what());
  return 1;
}
