#include "mcts/endings/endings.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace makzero::mcts {
namespace {

using game::Color;
using game::kKinds;
using game::Position;

constexpr int kMostPieces = 4;
constexpr int kMostSquares = 25;           // Squares of a board whose whole game is solved ...
constexpr int kMostMen = 10;               // ... with so many men, all that it begins with.
constexpr int kMostCountedPlies = 2 * 88;  // Of a count that a capture begins.
constexpr int kEndless = std::numeric_limits<int>::max();

int most_pieces_of(const game::GameInfo& info) {
  return game::size(info.board()) <= kMostSquares ? kMostMen : kMostPieces + info.has_hunter;
}

// Pieces that each side has exactly one of: kings, and Black's hunter, who stands alone.
bool has_its_sole_pieces(const game::GameInfo& info, Material material) {
  for (int kind = 0; kind < static_cast<int>(info.kinds.size()); ++kind) {
    const int white = count_of(material, Color::kWhite, kind),
              black = count_of(material, Color::kBlack, kind);
    if (info.kinds[kind] == 'P' && white + black > 0) return false;
    if (info.kinds[kind] == 'K' && (white != 1 || black != 1)) return false;
    if (info.kinds[kind] == 'H' && (white != 0 || black != 1)) return false;
    if (info.has_hunter && info.kinds[kind] != 'H' && black > 0) return false;
  }
  return true;
}

// The pieces alone decide the game.
bool is_decided(const game::Game& game, const EndingClass& ending) {
  std::size_t number = 0;
  while (!ending.position(number)) ++number;
  const game::Outcome outcome = game.outcome(*ending.position(number), true, 1);
  return outcome.over() && outcome.result != game::Result::kDraw;
}

void add_materials(const game::GameInfo& info, int slot, Material material, int pieces,
                   std::vector<Material>* all) {
  const int kinds = static_cast<int>(info.kinds.size());
  if (slot == 2 * kinds) {
    const bool both = count_of(material, Color::kWhite) > 0 && count_of(material, Color::kBlack) > 0;
    if (both && has_its_sole_pieces(info, material) && EndingClass::is_canonical(info, material))
      all->push_back(material);
    return;
  }
  const int shift = 4 * (kKinds * (slot / kinds) + slot % kinds);
  for (int count = 0; count <= pieces; ++count)
    add_materials(info, slot + 1, material | static_cast<Material>(count) << shift, pieces - count, all);
}

}  // namespace

std::vector<Material> ending_materials(const game::Game& game) {
  std::vector<Material> all;
  add_materials(game.info(), 0, 0, most_pieces_of(game.info()), &all);
  const auto pieces = [](Material material) {
    return count_of(material, Color::kWhite) + count_of(material, Color::kBlack);
  };
  const game::Position start = game.initial();
  const auto too_many = [&](Material material, Color side) {
    return count_of(material, side) > game::size(start.side[index(side)]) + start.hand[index(side)];
  };
  // With fewer than three nobody wins; too few men have lost already.
  std::erase_if(all, [&](Material material) {
    return pieces(material) < 3 || too_many(material, Color::kWhite) || too_many(material, Color::kBlack) ||
           is_decided(game, EndingClass(game, material));
  });
  std::stable_sort(all.begin(), all.end(), [&](Material a, Material b) { return pieces(a) < pieces(b); });
  return all;
}

std::string ending_refusal(const game::GameInfo& info) {
  if (const game::OptionInfo* option = game::deciding_limit(info))
    return option->name + "=" + option->value + " lets limits decide games: endings are solved for " +
           option->name + "=draw";
  if (info.has_obligations)
    return "what a side is obliged to take is not on the board: choose obligation=global";
  return {};
}

void Endings::add(EndingTable table, Load load) {
  const Material material = table.ending.material();
  most_pieces_ =
      std::max(most_pieces_, count_of(material, Color::kWhite) + count_of(material, Color::kBlack));
  tables_.emplace_back(new Entry{std::move(table), std::move(load), {}});
}

const EndingTable* Endings::find(const Position& position) const {
  if (game::size(position.occupied()) > most_pieces_) return nullptr;
  const Material material = EndingClass::canonical(game_.info(), material_of(position));
  for (const auto& entry : tables_) {
    if (entry->table.ending.material() != material) continue;
    if (entry->load)
      std::call_once(entry->loaded, [&] { entry->table.codes = entry->load(entry->table.ending); });
    return entry->table.codes.empty() ? nullptr : &entry->table;
  }
  return nullptr;
}

std::optional<EndingValue> Endings::probe_unlimited(const Position& position) const {
  if (position.rights || position.hand[0] || position.hand[1]) return std::nullopt;
  const EndingTable* table = find(position);
  if (!table) return std::nullopt;
  const std::uint8_t code = table->codes[table->ending.number(position)];
  if (code == EndingTable::kNoPosition) return std::nullopt;
  return EndingTable::value(code);
}

// Plies from here on in which the game can still be won; none where that is not known. Where no count runs,
// the next quiet moves show whether one begins.
std::optional<int> Endings::plies_allowed(const Position& position, int steps) const {
  if (position.count_limit > 0) return position.count_limit - position.count + 1;
  const int left = plies_left(game_.info(), position);
  if (!game_.info().has_counting || steps == 0) return left;
  game::MoveList moves;
  game_.legal_moves(position, &moves);
  for (const game::Move move : moves) {
    Position after = position;
    game_.apply(move, &after);
    if (game::size(after.occupied()) < game::size(position.occupied())) continue;
    const std::optional<int> later = plies_allowed(after, steps - 1);
    if (!later) return std::nullopt;
    return *later == kEndless ? kEndless : *later + 1;
  }
  return std::nullopt;
}

std::optional<EndingValue> Endings::probe(const Position& position) const {
  if (position.counter != game::Counter::kNobody) return std::nullopt;
  const std::optional<EndingValue> value = probe_unlimited(position);
  if (!value || value->result == 0) return value;
  const std::optional<int> allowed = plies_allowed(position, 2);
  if (!allowed) return std::nullopt;
  if (value->plies > *allowed) return EndingValue();
  const int no_progress = game_.info().no_progress;
  if (no_progress > 0 && value->plies > no_progress - position.no_progress_plies) return std::nullopt;
  return value;
}

std::optional<EndingValue> Endings::probe_to_end(const Position& position) const {
  std::optional<EndingValue> value = probe(position);
  if (value && value->result != 0 && counts_captures(position)) value->plies += kMostCountedPlies;
  return value;
}

bool Endings::counts_captures(const Position& position) const {
  return game_.info().has_counting && game::size(position.side[0]) > 1 && game::size(position.side[1]) > 1;
}

}  // namespace makzero::mcts
