// Python's Network, Searcher and what a search returns.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <variant>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/parallel_searcher.h"
#include "mcts/searcher.h"
#include "models/file_io.h"
#include "models/framed_file.h"
#include "models/small_network_file.h"
#include "play/python/objects.h"

namespace makzero::play {

namespace {

NetworkPtr load_network(const std::filesystem::path& path, const std::string& ruleset) {
  if (models::find_file_kind(path))
    return std::make_shared<const mcts::SmallNetwork>(models::load_small_network(path, ruleset));
  const auto network = mcts::decode_small_network(models::read_text_file(path));
  if (!network) throw nb::value_error((path.string() + ": " + network.why()).c_str());
  return std::make_shared<const mcts::SmallNetwork>(*network);
}

constexpr std::int64_t kStepNodes = 1 << 15;  // Some 50 ms, after which Ctrl-C is looked for.
constexpr std::int64_t kMostTable = 1 << 16, kMostThreads = 256;

// A line that is expected to follow, in texts.
struct TextLine {
  std::vector<std::string> moves = {};
  int centipawns = 0;
  std::tuple<float, float, float> value = {};
  std::optional<int> end_in_plies = {};
};

struct SearchResult {
  std::vector<TextLine> lines = {};
  int depth = 0, seldepth = 0;
  std::uint64_t nodes = 0;
  double ms = 0;
};

struct SearchLimits {
  std::optional<std::int64_t> nodes;
  std::optional<int> depth;
  std::optional<double> ms;
  int lines;
  std::vector<std::string> moves;
};

TextLine text_line(const game::Game& game, game::Position position, const mcts::Line& line) {
  TextLine text{.centipawns = line.centipawns,
                .value = {line.value.win, line.value.draw, line.value.loss},
                .end_in_plies = line.end_in_plies};
  for (const game::Move move : line.moves) {
    text.moves.push_back(game::move_text(game, position, move));
    game.apply(move, &position);
  }
  return text;
}

// The limits of mcts::Limits. Throws ValueError where one is out of range or none is set.
mcts::Limits read_limits(const SearchLimits& limits, const game::Game& game, const game::Position& position) {
  if (!limits.nodes && !limits.depth && !limits.ms)
    throw nb::value_error("a search needs a limit: nodes, depth (plies) or ms (milliseconds)");
  if (limits.nodes.value_or(1) < 1) throw nb::value_error("nodes: at least 1");
  if (limits.depth.value_or(1) < 1) throw nb::value_error("depth: at least 1 ply");
  if (const double ms = limits.ms.value_or(1); !(ms > 0 && ms < 1e12))
    throw nb::value_error("ms: above 0 milliseconds, below 1e12");
  if (limits.lines < 1) throw nb::value_error("lines: at least 1");
  mcts::Limits read{.nodes = limits.nodes, .depth = limits.depth, .lines = limits.lines};
  if (limits.ms) read.time = std::chrono::nanoseconds(static_cast<std::int64_t>(*limits.ms * 1e6));
  for (const std::string& text : limits.moves) {
    const game::Move move = value_of(game::parse_move(game, position, text));
    if (std::ranges::find(read.search_moves, move) == read.search_moves.end())
      read.search_moves.push_back(move);
  }
  return read;
}

// Alpha-beta with a small network for one ruleset. Calls of several threads wait for one another.
class Searcher {
 public:
  Searcher(Rules rules, NetworkPtr network, std::int64_t table_mib, std::int64_t threads)
      : rules_(std::move(rules)), network_(std::move(network)) {
    if (!network_)
      throw nb::value_error("network: give a Network; makzero.zoo_network() has those of the zoo");
    const std::string_view game = game::game_of(rules_.name());
    if (network_->game != game)
      throw nb::value_error(
          ("network: it is of " + network_->game + " and cannot play " + rules_.name()).c_str());
    if (table_mib < 1 || table_mib > kMostTable)
      throw nb::value_error(("table_mib: 1 to " + std::to_string(kMostTable) + " MiB").c_str());
    if (threads < 1 || threads > kMostThreads)
      throw nb::value_error(("threads: 1 to " + std::to_string(kMostThreads)).c_str());
    const game::GameInfo& info = rules_.game->info();
    evaluator_.emplace(info, *network_);
    searcher_ =
        mcts::make_parallel_searcher(*rules_.game, *network_, mcts::alpha_beta_options(info),
                                     static_cast<std::size_t>(table_mib) << 20, static_cast<int>(threads));
  }

  const Rules& rules() const { return rules_; }
  const NetworkPtr& network() const { return network_; }

  double evaluate(const RulesPosition& at) const {
    check_rules(at.rules);
    mcts::SmallAccumulator accumulator;
    evaluator_->refresh(at.position, &accumulator);
    return mcts::expected_result(evaluator_->evaluate(at.position, accumulator));
  }

  SearchResult search(const RulesPosition& at, const SearchLimits& limits) {
    check_rules(at.rules);
    const game::GameState state(*rules_.game, at.position);
    if (state.legal().empty()) throw nb::value_error("the game is over: there is no move to search");
    const mcts::Limits read = read_limits(limits, *rules_.game, at.position);
    std::optional<mcts::SearchInfo> info;
    {
      const nb::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      info = run(state, read);
    }
    if (!info) throw nb::python_error();
    return result_of(at, *info, limits.lines);
  }

  void forget() {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    searcher_->forget();
  }

 private:
  void check_rules(const Rules& rules) const {
    if (!(rules == rules_))
      throw nb::value_error(
          ("the position is of " + rules.name() + ", the searcher of " + rules_.name()).c_str());
  }

  // None where a signal has raised an exception; the threads of the search have ended then too.
  std::optional<mcts::SearchInfo> run(const game::GameState& state, mcts::Limits limits) {
    stop_ = false;
    limits.stop = &stop_;
    searcher_->begin({.position = &state.position(),
                      .history = &state.history(),
                      .legal = &state.legal(),
                      .start = &state.position()},
                     limits);
    while (!searcher_->done()) {
      searcher_->step({.nodes = kStepNodes});
      const nb::gil_scoped_acquire acquire;
      if (!stop_) stop_ = PyErr_CheckSignals() != 0;
    }
    if (stop_) return std::nullopt;
    return searcher_->info();
  }

  SearchResult result_of(const RulesPosition& at, const mcts::SearchInfo& info, int lines) const {
    SearchResult result{.depth = info.depth,
                        .seldepth = info.seldepth,
                        .nodes = info.nodes,
                        .ms = std::chrono::duration<double, std::milli>(info.elapsed).count()};
    for (const mcts::Line& line : info.lines) {
      if (static_cast<int>(result.lines.size()) == lines) break;
      result.lines.push_back(text_line(*rules_.game, at.position, line));
    }
    return result;
  }

  Rules rules_;
  NetworkPtr network_;
  std::optional<mcts::SmallEvaluator> evaluator_;
  std::mutex mutex_;  // Of all below.
  std::atomic<bool> stop_ = false;
  std::unique_ptr<mcts::Searcher> searcher_;
};

nb::dict tensors(const mcts::SmallNetwork& network) {
  static constexpr std::size_t kHidden = mcts::kSmallHidden, kBuckets = mcts::kSmallBuckets;
  nb::dict arrays;
  arrays["features"] = to_numpy(network.features, {network.features.size() / kHidden, kHidden});
  arrays["rules"] = to_numpy(network.rules, {network.rules.size() / kHidden, kHidden});
  arrays["bias"] = to_numpy(network.bias, {kHidden});
  arrays["output"] = to_numpy(network.output, {kBuckets, 2 * kHidden});
  arrays["output_bias"] = to_numpy(network.output_bias, {kBuckets});
  return arrays;
}

// The network with shared ownership, as Python's class.
struct Network {
  NetworkPtr pointer;
};

void bind_network(nb::module_* module) {
  nb::class_<Network>(*module, "Network")
      .def(
          "__init__",
          [](Network* self, const std::filesystem::path& path, const std::string& ruleset) {
            new (self) Network{load_network(path, ruleset)};
          },
          nb::arg("path"), nb::arg("ruleset") = "")
      .def_prop_ro("game", [](const Network& it) { return it.pointer->game; })
      .def_prop_ro("id", [](const Network& it) { return models::small_network_id(*it.pointer); })
      .def_prop_ro("inputs", [](const Network& it) { return it.pointer->inputs; })
      .def_prop_ro("rule_features", [](const Network& it) { return it.pointer->rule_features; })
      .def("tensors", [](const Network& it) { return tensors(*it.pointer); })
      .def("__repr__", [](const Network& it) {
        return "Network(" + it.pointer->game + " " + models::small_network_id(*it.pointer) + ")";
      });
}

void bind_results(nb::module_* module) {
  nb::class_<TextLine>(*module, "Line")
      .def_ro("moves", &TextLine::moves)
      .def_ro("centipawns", &TextLine::centipawns)
      .def_ro("value", &TextLine::value)
      .def_ro("end_in_plies", &TextLine::end_in_plies)
      .def("__repr__", [](const TextLine& line) {
        return "Line(" + line.moves.front() + ", " + std::to_string(line.centipawns) + " centipawns)";
      });
  nb::class_<SearchResult>(*module, "SearchResult")
      .def_prop_ro("best", [](const SearchResult& it) { return it.lines.front().moves.front(); })
      .def_prop_ro("pv", [](const SearchResult& it) { return it.lines.front().moves; })
      .def_prop_ro("centipawns", [](const SearchResult& it) { return it.lines.front().centipawns; })
      .def_prop_ro("value", [](const SearchResult& it) { return it.lines.front().value; })
      .def_prop_ro("end_in_plies", [](const SearchResult& it) { return it.lines.front().end_in_plies; })
      .def_ro("lines", &SearchResult::lines)
      .def_ro("depth", &SearchResult::depth)
      .def_ro("seldepth", &SearchResult::seldepth)
      .def_ro("nodes", &SearchResult::nodes)
      .def_ro("ms", &SearchResult::ms)
      .def("__repr__", [](const SearchResult& it) {
        return "SearchResult(" + it.lines.front().moves.front() + ", " +
               std::to_string(it.lines.front().centipawns) + " centipawns, depth " +
               std::to_string(it.depth) + ", " + std::to_string(it.nodes) + " nodes)";
      });
}

}  // namespace

nb::object network_object(mcts::SmallNetwork network) {
  return nb::cast(Network{std::make_shared<const mcts::SmallNetwork>(std::move(network))});
}

void bind_searches(nb::module_* module) {
  bind_network(module);
  bind_results(module);
  nb::class_<Searcher>(*module, "Searcher")
      .def(
          "__init__",
          [](Searcher* self, const Rules& rules, const Network& network, std::int64_t table_mib,
             std::int64_t threads) { new (self) Searcher(rules, network.pointer, table_mib, threads); },
          nb::arg("rules"), nb::arg("network"), nb::arg("table_mib") = 16, nb::arg("threads") = 1)
      .def_prop_ro("rules", &Searcher::rules)
      .def_prop_ro("network", [](const Searcher& self) { return Network{self.network()}; })
      .def(
          "search",
          [](Searcher& self, const RulesPosition& position, std::optional<std::int64_t> nodes,
             std::optional<int> depth, std::optional<double> ms, int lines,
             const std::vector<std::string>& moves) {
            return self.search(position, {nodes, depth, ms, lines, moves});
          },
          nb::arg("position"), nb::arg("nodes") = nb::none(), nb::arg("depth") = nb::none(),
          nb::arg("ms") = nb::none(), nb::arg("lines") = 1, nb::arg("moves") = std::vector<std::string>())
      .def("evaluate", &Searcher::evaluate, nb::arg("position"))
      .def("forget", &Searcher::forget);
}

}  // namespace makzero::play
