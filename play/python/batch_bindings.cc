// Python's Batch.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "play/python/objects.h"

namespace makzero::play {
namespace {

using Actions = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::int64_t kMostGames = 1 << 20;
constexpr std::int32_t kNoAction = -1;

// Many games of one ruleset, played in step: the environment of a learner. An action is a policy index as the
// side to move sees it (nn/encoder.h); of moves that share one the first is meant.
struct Batch {
  Batch(Rules batch_rules, std::shared_ptr<const nn::Encoder> batch_encoder,
        std::vector<game::Position> batch_starts, std::uint64_t seed)
      : rules(std::move(batch_rules)),
        encoder(std::move(batch_encoder)),
        starts(std::move(batch_starts)),
        rng(seed) {
    games.reserve(starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i) games.push_back(begin(i));
  }

  game::GameState begin(std::size_t i) const { return {*rules.game, starts[i]}; }

  const Rules rules;
  const std::shared_ptr<const nn::Encoder> encoder;
  const std::vector<game::Position> starts;
  std::mutex mutex;  // Of all below: calls of several threads wait for one another.
  mcts::Rng rng;     // For random_actions().
  std::vector<game::GameState> games;
};

std::vector<game::Position> starts_of(const Rules& rules, std::int64_t size,
                                      const std::optional<std::vector<std::string>>& fens) {
  if (size < 1 || size > kMostGames)
    throw nb::value_error(
        ("size: a batch has 1 to " + std::to_string(kMostGames) + " games, not " + std::to_string(size))
            .c_str());
  if (!fens) return std::vector<game::Position>(size, rules.game->initial());
  if (fens->empty()) throw nb::value_error("fens: the list is empty; leave it out for the initial position");
  std::vector<game::Position> known, starts;
  for (const std::string& fen : *fens) known.push_back(value_of(game::parse_position(*rules.game, fen)));
  for (std::int64_t i = 0; i < size; ++i) starts.push_back(known[i % known.size()]);
  return starts;
}

template <class Integer>
void copy_actions(const Actions& actions, std::vector<std::int64_t>* numbers) {
  const auto* data = static_cast<const Integer*>(actions.data());
  for (std::size_t i = 0; i < actions.shape(0); ++i)
    numbers->push_back(data[static_cast<std::int64_t>(i) * actions.stride(0)]);
}

std::vector<std::int64_t> action_numbers(const Actions& actions, std::size_t size) {
  if (actions.shape(0) != size)
    throw nb::value_error(("actions: " + std::to_string(actions.shape(0)) + " for a batch of " +
                           std::to_string(size) + " games")
                              .c_str());
  std::vector<std::int64_t> numbers;
  numbers.reserve(size);
  if (actions.dtype() == nb::dtype<std::int32_t>())
    copy_actions<std::int32_t>(actions, &numbers);
  else if (actions.dtype() == nb::dtype<std::int64_t>())
    copy_actions<std::int64_t>(actions, &numbers);
  else
    throw nb::value_error("actions: give an array of int32 or int64");
  return numbers;
}

std::string refusal(const Batch& batch, std::size_t i, std::int64_t action) {
  const game::GameState& game = batch.games[i];
  const std::string where = "game " + std::to_string(i) + " of the batch";
  if (game.over())
    return where + " is over (" + std::string(game::reason_text(game.outcome().reason)) +
           "): reset() begins it anew, action -1 leaves it";
  return where + ": action " + std::to_string(action) + " is no legal move of " +
         game::position_text(*batch.rules.game, game.position()) + "; legal_masks() shows which are";
}

// Plays an action in each game, kNoAction: none, and writes how each game stands then as a game::Result.
// `reset`: games that are over begin anew behind it. The reason, with nothing played, where an action is not
// legal or its game is over.
std::optional<std::string> play(Batch* batch, const std::vector<std::int64_t>& actions, bool reset,
                                std::int8_t* results) {
  const std::lock_guard lock(batch->mutex);
  std::vector<std::optional<game::Move>> moves(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const game::GameState& game = batch->games[i];
    if (actions[i] == kNoAction) continue;
    if (!game.over())
      moves[i] = find_action(batch->rules.game->info(), game.position().to_move, game.legal(), actions[i]);
    if (!moves[i]) return refusal(*batch, i, actions[i]);
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    game::GameState& game = batch->games[i];
    if (moves[i]) game.play(*moves[i]);
    results[i] = static_cast<std::int8_t>(game.outcome().result);
    if (reset && game.over()) game = batch->begin(i);
  }
  return std::nullopt;
}

nb::object apply(Batch& self, const Actions& actions, bool reset, const nb::object& out) {
  const std::vector<std::int64_t> numbers = action_numbers(actions, self.starts.size());
  const Filled<std::int8_t> results = to_fill<std::int8_t>(out, {numbers.size()}, "int8");
  std::optional<std::string> refusal;
  {
    const nb::gil_scoped_release release;
    refusal = play(&self, numbers, reset, results.data);
  }
  if (refusal) throw nb::value_error(refusal->c_str());
  return results.object;
}

// Begins the chosen games anew; without a choice those that are over.
void reset(Batch& self, const std::optional<Mask>& chosen) {
  const std::size_t size = self.starts.size();
  if (chosen && chosen->shape(0) != size)
    throw nb::value_error(("chosen: " + std::to_string(chosen->shape(0)) + " values for a batch of " +
                           std::to_string(size) + " games")
                              .c_str());
  const nb::gil_scoped_release release;
  const std::lock_guard lock(self.mutex);
  for (std::size_t i = 0; i < size; ++i)
    if (chosen ? chosen->data()[i] : self.games[i].over()) self.games[i] = self.begin(i);
}

// A method that returns an array: for each game the `sides` values that write(batch, game, values) writes.
template <class T, class Write>
auto rows(const char* type, const Shape& sides, Write write) {
  return [type, sides, write](Batch& self, const nb::object& out) {
    Shape shape = {self.starts.size()};
    shape.insert(shape.end(), sides.begin(), sides.end());
    const Filled<T> filled = to_fill<T>(out, shape, type);
    const nb::gil_scoped_release release;
    const std::lock_guard lock(self.mutex);
    T* row = filled.data;
    const std::size_t size = std::accumulate(sides.begin(), sides.end(), std::size_t{1}, std::multiplies());
    for (const game::GameState& game : self.games) {
      write(self, game, row);
      row += size;
    }
    return filled.object;
  };
}

// A method that returns value(game) of each game.
template <class T, class Value>
auto column(const char* type, Value value) {
  return rows<T>(
      type, {}, [value](Batch&, const game::GameState& game, T* out) { *out = static_cast<T>(value(game)); });
}

// Each legal move as likely; kNoAction of a game that is over.
void write_random_action(Batch& batch, const game::GameState& game, std::int32_t* out) {
  *out = kNoAction;
  if (game.over()) return;
  const game::Move move = game.legal()[static_cast<int>(batch.rng.below(game.legal().size()))];
  *out = nn::policy_index(batch.rules.game->info(), move, game.position().to_move);
}

// None of a game that is over.
void write_legal_mask(const Batch& batch, const game::GameState& game, bool* out) {
  std::fill_n(out, game::kPolicySize, false);
  if (game.over()) return;
  for (const game::Move move : game.legal())
    out[nn::policy_index(batch.rules.game->info(), move, game.position().to_move)] = true;
}

nb::object planes(Batch& self, const nb::object& out) {
  const auto count = static_cast<std::size_t>(self.encoder->plane_count());
  return rows<float>("float32", {count, 8, 8}, [](Batch& batch, const game::GameState& game, float* values) {
    batch.encoder->encode(*batch.rules.game, game.position(), game.history().occurrences(), values);
  })(self, out);
}

RulesPosition position(Batch& self, std::int64_t i) {
  const auto size = static_cast<std::int64_t>(self.starts.size());
  if (i < -size || i >= size)
    throw nb::index_error(("the batch has " + std::to_string(size) + " games").c_str());
  const nb::gil_scoped_release release;
  const std::lock_guard lock(self.mutex);
  const game::GameState& game = self.games[i < 0 ? i + size : i];
  return {self.rules, game.position(), game.history().occurrences()};
}

}  // namespace

void bind_batches(nb::module_* module) {
  const auto out = nb::arg("out") = nb::none();
  nb::class_<Batch>(*module, "Batch")
      .def(
          "__init__",
          [](Batch* self, const Rules& rules, std::int64_t size,
             const std::optional<std::vector<std::string>>& fens, const std::vector<std::string>& planes,
             std::uint64_t seed) {
            new (self) Batch(rules, encoder_of(rules, planes), starts_of(rules, size, fens), seed);
          },
          nb::arg("rules"), nb::arg("size"), nb::arg("fens") = nb::none(),
          nb::arg("planes") = std::vector<std::string>(), nb::arg("seed") = 1)
      .def_prop_ro("rules", [](const Batch& self) { return self.rules; })
      .def_prop_ro("plane_names", [](const Batch& self) { return self.encoder->planes(); })
      .def("__len__", [](const Batch& self) { return self.starts.size(); })
      .def("__getitem__", position, nb::arg("i"))
      .def("apply", apply, nb::arg("actions"), nb::arg("reset") = false, out)
      .def("reset", reset, nb::arg("chosen") = nb::none())
      .def("results", column<std::int8_t>("int8", [](const auto& game) { return game.outcome().result; }),
           out)
      .def("reasons", column<std::uint8_t>("uint8", [](const auto& game) { return game.outcome().reason; }),
           out)
      .def("to_move", column<std::int8_t>("int8", [](const auto& game) { return game.position().to_move; }),
           out)
      .def("plies", column<std::int32_t>("int32", [](const auto& game) { return game.history().size() - 1; }),
           out)
      .def("count_moves",
           column<std::int32_t>("int32",
                                [](const auto& game) { return game.over() ? 0 : game.legal().size(); }),
           out)
      .def("random_actions", rows<std::int32_t>("int32", {}, write_random_action), out)
      .def("legal_masks", rows<bool>("bool", {game::kPolicySize}, write_legal_mask), out)
      .def("planes", planes, out);
}

}  // namespace makzero::play
