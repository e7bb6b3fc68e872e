// Exact values of the endings of one ruleset with few pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "game/game.h"
#include "mcts/endings/ending_class.h"

namespace makzero::mcts {

// The value of a position with best play, for the side to move.
struct EndingValue {
  int result = 0;  // 1: it wins, 0: draw, -1: it loses.
  int plies = 0;   // Of a win or loss: to the end of the game, see EndingTable.

  bool operator==(const EndingValue&) const = default;
};

// More for the side to move: a win before a draw before a loss, a quick win, a slow loss.
inline bool better(const EndingValue& a, const EndingValue& b) {
  return a.result != b.result ? a.result > b.result : a.result * a.plies < b.result * b.plies;
}

// Exact values of the moves of a position, for who makes them.
struct EndingMoves {
  std::vector<std::optional<EndingValue>> values;  // In their order; none where it is not known.
  bool to_capture = false;                         // Distances are those to a capture, see EndingTable.
};

// One byte a number of the class: 0 = draw, n + 1 = decided in n plies, kNoPosition. Who has lost is to move
// at an even distance.
//
// The distance is that to the end of the game. Where both sides have more than a king and captures begin a
// count anew (chess family), it is that to such a capture, after which the game is won within its count.
struct EndingTable {
  static constexpr std::uint8_t kDraw = 0, kNoPosition = 255;
  static constexpr int kMostPlies = 253;

  static EndingValue value(std::uint8_t code) {
    if (code == kDraw) return {};
    return {code % 2 == 0 ? 1 : -1, code - 1};
  }
  static std::uint8_t code(const EndingValue& value) {
    return static_cast<std::uint8_t>(value.result == 0 ? kDraw : value.plies + 1);
  }

  EndingClass ending;
  std::vector<std::uint8_t> codes;
};

// Materials of the endings that are solved, each behind those that its captures lead to: without pawns, with
// four pieces at most, five where one is hunted; all of a game on a board of 5x5.
std::vector<Material> ending_materials(const game::Game& game);

// Reason why the endings of a ruleset cannot be solved; empty where they can.
std::string ending_refusal(const game::GameInfo& info);

// A set of tables of one ruleset. Thread-safe but for add().
class Endings {
 public:
  // Reads the codes of a class; called once, at its first use, by any thread. Empty: the class is not known.
  using Load = std::function<std::vector<std::uint8_t>(const EndingClass&)>;

  // Keeps a reference to the rules.
  explicit Endings(const game::Game& game) : game_(game) {}

  void add(EndingTable table) { add(std::move(table), {}); }
  void add(EndingClass ending, Load load) { add({std::move(ending), {}}, std::move(load)); }

  // The value under the counts and limits of the position; none where no table has it, or where a limit of
  // quiet moves may decide. Repetition is not looked at: of a won position the moves that shorten the
  // distance never repeat one. REQUIRES: the game is not over.
  std::optional<EndingValue> probe(const game::Position& position) const;

  // A drawn position of an ending that is known.
  bool is_draw(const game::Position& position) const { return probe(position) == EndingValue(); }

  // The same without counts and limits.
  std::optional<EndingValue> probe_unlimited(const game::Position& position) const;

  // The value under counts and limits as a search proves it: at most so many plies to the end of the game.
  std::optional<EndingValue> probe_to_end(const game::Position& position) const;

  // Table of the position's pieces; null where there is none.
  const EndingTable* find(const game::Position& position) const;

  // The distances of the position are those to a capture that begins a count, or to mate: see EndingTable.
  bool counts_captures(const game::Position& position) const;

  bool empty() const { return tables_.empty(); }

 private:
  struct Entry {
    EndingTable table;
    Load load;
    std::once_flag loaded;
  };

  void add(EndingTable table, Load load);

  std::optional<int> plies_allowed(const game::Position& position, int steps) const;

  const game::Game& game_;
  std::vector<std::unique_ptr<Entry>> tables_;
  int most_pieces_ = 0;
};

}  // namespace makzero::mcts
