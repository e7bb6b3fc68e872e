// Python's Batch.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <variant>

#include "game/notation.h"
#include "play/python/batch.h"
#include "play/python/objects.h"

namespace makzero::play {
namespace {

using Actions = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct RulesBatch {
  Rules rules;
  std::unique_ptr<Batch> batch;
};

std::vector<game::Position> starts_of(const Rules& rules, std::int64_t size,
                                      const std::optional<std::vector<std::string>>& fens) {
  if (size < 1 || size > Batch::kMostGames)
    throw nb::value_error(("size: a batch has 1 to " + std::to_string(Batch::kMostGames) + " games, not " +
                           std::to_string(size))
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

nb::object apply(RulesBatch& self, const Actions& actions, bool reset, const nb::object& out) {
  const std::size_t size = self.batch->size();
  const std::vector<std::int64_t> numbers = action_numbers(actions, size);
  const Filled<std::int8_t> results = to_fill<std::int8_t>(out, {size}, "int8");
  std::optional<std::string> refusal;
  {
    const nb::gil_scoped_release release;
    refusal = self.batch->apply(numbers, reset, {results.data, size});
  }
  if (refusal) throw nb::value_error(refusal->c_str());
  return results.object;
}

void reset(RulesBatch& self, const std::optional<Mask>& chosen) {
  const std::size_t size = self.batch->size();
  if (chosen && chosen->shape(0) != size)
    throw nb::value_error(("chosen: " + std::to_string(chosen->shape(0)) + " values for a batch of " +
                           std::to_string(size) + " games")
                              .c_str());
  const nb::gil_scoped_release release;
  self.batch->reset(chosen ? std::span<const bool>(chosen->data(), size) : std::span<const bool>());
}

// A method of Batch that writes an array, whose first side is the games, then `sides`.
template <class T, class Method>
auto filler(Method method, const char* type, const Shape& sides = {}) {
  return [method, type, sides](RulesBatch& self, const nb::object& out) {
    Shape shape = {self.batch->size()};
    shape.insert(shape.end(), sides.begin(), sides.end());
    const Filled<T> filled = to_fill<T>(out, shape, type);
    const nb::gil_scoped_release release;
    ((*self.batch).*method)(filled.data);
    return filled.object;
  };
}

nb::object planes(RulesBatch& self, const nb::object& out) {
  const auto count = static_cast<std::size_t>(self.batch->encoder().plane_count());
  return filler<float>(&Batch::planes, "float32", {count, 8, 8})(self, out);
}

RulesPosition position(const RulesBatch& self, std::int64_t i) {
  const auto size = static_cast<std::int64_t>(self.batch->size());
  if (i < -size || i >= size)
    throw nb::index_error(("the batch has " + std::to_string(size) + " games").c_str());
  const game::GameState game = self.batch->game(i < 0 ? i + size : i);
  return {self.rules, game.position(), game.history().occurrences()};
}

}  // namespace

void bind_batches(nb::module_* module) {
  const auto out = nb::arg("out") = nb::none();
  nb::class_<RulesBatch>(*module, "Batch")
      .def(
          "__init__",
          [](RulesBatch* self, const Rules& rules, std::int64_t size,
             const std::optional<std::vector<std::string>>& fens, const std::vector<std::string>& planes,
             std::uint64_t seed) {
            new (self) RulesBatch{rules, std::make_unique<Batch>(rules.game, encoder_of(rules, planes),
                                                                 starts_of(rules, size, fens), seed)};
          },
          nb::arg("rules"), nb::arg("size"), nb::arg("fens") = nb::none(),
          nb::arg("planes") = std::vector<std::string>(), nb::arg("seed") = 1)
      .def_prop_ro("rules", [](const RulesBatch& self) { return self.rules; })
      .def_prop_ro("plane_names", [](const RulesBatch& self) { return self.batch->encoder().planes(); })
      .def("__len__", [](const RulesBatch& self) { return self.batch->size(); })
      .def("__getitem__", position, nb::arg("i"))
      .def("apply", apply, nb::arg("actions"), nb::arg("reset") = false, out)
      .def("reset", reset, nb::arg("chosen") = nb::none())
      .def("results", filler<std::int8_t>(&Batch::results, "int8"), out)
      .def("reasons", filler<std::uint8_t>(&Batch::reasons, "uint8"), out)
      .def("to_move", filler<std::int8_t>(&Batch::to_move, "int8"), out)
      .def("plies", filler<std::int32_t>(&Batch::plies, "int32"), out)
      .def("count_moves", filler<std::int32_t>(&Batch::count_moves, "int32"), out)
      .def("random_actions", filler<std::int32_t>(&Batch::random_actions, "int32"), out)
      .def("legal_masks", filler<bool>(&Batch::legal_masks, "bool", {game::kPolicySize}), out)
      .def("planes", planes, out);
}

}  // namespace makzero::play
