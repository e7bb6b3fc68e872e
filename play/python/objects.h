// Values behind the module's classes Rules, Position and Network, and how their arrays and errors reach
// Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "game/game.h"
#include "game/move_list.h"
#include "game/parsed.h"
#include "mcts/small_network.h"
#include "nn/encoder.h"

namespace makzero::play {

namespace nb = nanobind;

// A ruleset with the planes of a new network of its game.
struct Rules {
  game::GamePtr game;
  std::shared_ptr<const nn::Encoder> encoder;

  const std::string& name() const { return game->info().ruleset; }
  bool operator==(const Rules& other) const { return name() == other.name(); }
};

// The position of a game, and how often it had stood on the board by then, this time included.
struct RulesPosition {
  Rules rules;
  game::Position position;
  int occurrences = 1;

  bool operator==(const RulesPosition&) const = default;
};

using NetworkPtr = std::shared_ptr<const mcts::SmallNetwork>;

// The value; throws ValueError with every reason where there is none.
template <class T>
const T& value_of(const game::Parsed<T>& parsed) {
  if (!parsed) throw nb::value_error(parsed.why().c_str());
  return *parsed;
}

// The ruleset of a text. Throws ValueError.
Rules rules_of(const std::string& spec);

// The encoder of these planes; of none that of the rules. Throws ValueError naming an unknown plane.
std::shared_ptr<const nn::Encoder> encoder_of(const Rules& rules, const std::vector<std::string>& planes);

// The first legal move with that policy index as the side to move sees it; none where there is none.
std::optional<game::Move> find_action(const game::GameInfo& info, game::Color mover,
                                      const game::MoveList& legal, std::int64_t action);

using Shape = std::vector<std::size_t>;

// A NumPy array that owns the values. REQUIRES: as many values as the product of the shape.
template <class T>
nb::object to_numpy(std::vector<T> values, const Shape& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.get(), [](void* it) noexcept { delete static_cast<std::vector<T>*>(it); });
  owned.release();
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}

// An array that a call fills.
template <class T>
struct Filled {
  nb::object object;
  T* data;
};

// The caller's array `out`, or a new NumPy array where that is None. Throws ValueError where `out` is another
// type, another shape, read-only, or not C-contiguous.
template <class T>
Filled<T> to_fill(const nb::object& out, const Shape& shape, const char* type) {
  std::size_t size = 1;
  for (const std::size_t side : shape) size *= side;
  if (out.is_none()) {
    std::unique_ptr<T[]> values(new T[size]);
    T* data = values.get();
    nb::capsule owner(data, [](void* it) noexcept { delete[] static_cast<T*>(it); });
    values.release();
    return {nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner)), data};
  }
  nb::ndarray<T, nb::c_contig, nb::device::cpu> array;
  bool fits = nb::try_cast(out, array, false) && array.ndim() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = array.shape(i) == shape[i];
  if (!fits) {
    std::string text;
    for (const std::size_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
    throw nb::value_error(
        ("out: give a writable C-contiguous array of " + std::string(type) + " with the shape (" + text + ")")
            .c_str());
  }
  return {out, array.data()};
}

// Python's Network of it.
nb::object network_object(mcts::SmallNetwork network);

// The parts of the module.
void bind_games(nb::module_* module);
void bind_batches(nb::module_* module);
void bind_searches(nb::module_* module);
void bind_files(nb::module_* module);

}  // namespace makzero::play
