#include "mcts/endings/solver.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/slides.h"
#include "game/symmetry.h"

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Color;
using game::kKinds;
using game::kSquares;
using game::Move;
using game::MoveList;
using game::Position;

// A count that never runs out.
constexpr std::uint16_t kEndlessCount = 60'000;

bool has_bare_side(const game::GameInfo& info, Material material) {
  return info.has_counting &&
         (count_of(material, Color::kWhite) == 1 || count_of(material, Color::kBlack) == 1);
}

bool is_quiet(const Position& before, const Position& after) {
  return game::size(before.occupied()) == game::size(after.occupied());
}

// The value of the position after a capture, for the side that then moves: distances end with a capture that
// begins a count.
EndingValue value_after_capture(const game::Game& game, const Endings& smaller, bool counts,
                                const Position& before, Position* child) {
  MoveList replies;
  game.legal_moves(*child, &replies);
  const game::Outcome outcome = game.outcome(*child, !replies.empty(), 1);
  if (outcome.over()) {
    if (outcome.result == game::Result::kDraw) return {};
    return {outcome.result == win_of(child->to_move) ? 1 : -1, 0};
  }
  if (!counts && child->count_limit > 0) {
    child->count_limit = kEndlessCount;
    child->count = 0;
  }
  // The capture has begun the limit of quiet moves anew: where no count runs, all wins are wins.
  const std::optional<EndingValue> value =
      game.info().has_counting ? smaller.probe(*child) : smaller.probe_unlimited(*child);
  if (!value) throw std::logic_error("no table of the position after a capture");
  if (value->result < 0 && smaller.counts_captures(before)) return {-1, 0};
  return *value;
}

// Squares that a piece passes on its way: rooks and men slide, all others step or leap.
Bitboard way(game::Square from, game::Square to) {
  const bool slides = game::rank_of(from) == game::rank_of(to) || game::file_of(from) == game::file_of(to);
  return slides ? game::between(from, to) : 0;
}

// State of a position: the loss that its captures alone would be, and its quiet moves.
struct Open {
  static constexpr std::uint8_t kEscape = 255;  // A capture draws or wins.

  std::uint8_t loss = 0;    // Code of the longest loss by a capture, or kEscape.
  std::uint8_t quiets = 0;  // Positions by quiet moves that are not yet known to be won for the other side.
};

class Solver {
 public:
  Solver(const game::Game& game, const Endings& smaller, Material material, const SolverOptions& options)
      : game_(game),
        smaller_(smaller),
        options_(options),
        table_{EndingClass(game, material), {}},
        ending_(table_.ending),
        codes_(table_.codes) {
    codes_.assign(ending_.size(), EndingTable::kNoPosition);
    open_.resize(ending_.size());
  }

  EndingTable solve() {
    look_ahead();
    for (int code = 1; code <= EndingTable::kMostPlies + 1 && code <= last_code_; ++code) go_back(code);
    if (last_code_ > EndingTable::kMostPlies + 1)
      throw std::runtime_error(ending_.name() + " has wins of more than " +
                               std::to_string(EndingTable::kMostPlies) + " plies");
    return std::move(table_);
  }

 private:
  // Origins of quiet moves by side, kind and destination.
  using Reached = std::array<std::array<std::array<Bitboard, kSquares>, kKinds>, 2>;

  static constexpr std::size_t kReportEvery = 1 << 16;
  static constexpr double kLookShare = 0.5;  // Of the whole work.

  void report(double share) const {
    if (options_.progress) options_.progress(share);
  }

  // Takes every position that the game or a capture decides.
  void look_ahead() {
    for (std::size_t number = 0; number < ending_.size(); ++number) {
      if (number % kReportEvery == 0)
        report(kLookShare * static_cast<double>(number) / static_cast<double>(ending_.size()));
      if (const std::optional<Position> position = ending_position(game_, ending_, number))
        look_at(number, *position);
    }
    complete_moves();
  }

  // Adds the images of the moves that were seen: each number stands for one position of several.
  void complete_moves() {
    const game::GameInfo& info = game_.info();
    Reached seen = reached_;
    const auto add = [&](int side, int image_side, const game::Symmetry& symmetry) {
      for (int kind = 0; kind < kKinds; ++kind) {
        for (game::Square square = 0; square < kSquares; ++square)
          reached_[image_side][kind][symmetry(square)] |= symmetry(seen[side][kind][square]);
      }
    };
    for (int id = 0; id < game::kSymmetries; ++id) {
      if (!(game_.symmetries({}) >> id & 1)) continue;
      const game::Symmetry symmetry(id, info.files, info.ranks);
      for (const int side : {0, 1}) add(side, side, symmetry);
    }
    // White alone moves where the swap of colours makes one position of two.
    seen = reached_;
    if (ending_.one_mover()) add(0, 1, game::rotation(info));
  }

  void look_at(std::size_t number, const Position& position) {
    MoveList moves;
    game_.legal_moves(position, &moves);
    codes_[number] = EndingTable::kDraw;
    const game::Outcome outcome = game_.outcome(position, !moves.empty(), 1);
    if (outcome.over()) {
      if (outcome.result == game::Result::kDraw) return;
      if (outcome.result == win_of(position.to_move))
        throw std::runtime_error(ending_.name() + ": a side has won by the move of the other");
      return decide(number, 1);
    }
    Open& open = open_[number];
    int win = 0;
    std::array<std::size_t, MoveList::kCapacity> children;
    int quiets = 0;
    for (const Move move : moves) {
      Position child = position;
      game_.apply(move, &child);
      if (is_quiet(position, child)) {
        reached_[index(position.to_move)][kind_on(position, move.origin())][move.destination()] |=
            game::bit(move.origin());
        if (ending_.has_symmetric_positions()) children[quiets] = ending_.number(child);
        ++quiets;
        continue;
      }
      const EndingValue value = value_after_capture(game_, smaller_, options_.counts, position, &child);
      if (value.result < 0 && (win == 0 || value.plies + 2 < win)) win = value.plies + 2;
      if (value.result <= 0) open.loss = Open::kEscape;
      if (open.loss != Open::kEscape && value.result > 0)
        open.loss = std::max(open.loss, code(value.plies + 1));
    }
    if (ending_.has_symmetric_positions()) {
      std::sort(children.begin(), children.begin() + quiets);
      quiets = static_cast<int>(std::unique(children.begin(), children.begin() + quiets) - children.begin());
    }
    open.quiets = static_cast<std::uint8_t>(quiets);
    if (win > 0) decide(number, win);
    if (quiets == 0 && open.loss != Open::kEscape) decide(number, open.loss);
  }

  static std::uint8_t code(int plies) {
    return static_cast<std::uint8_t>(std::min(plies + 1, EndingTable::kMostPlies + 1));
  }

  void decide(std::size_t number, int code) {
    last_code_ = std::max(last_code_, code);
    codes_[number] = static_cast<std::uint8_t>(std::min(code, EndingTable::kMostPlies + 1));
  }

  static int kind_on(const Position& position, game::Square square) {
    int kind = 0;
    while (!game::contains(position.kind[kind], square)) ++kind;
    return kind;
  }

  // Goes back from every position of this code.
  void go_back(int code) {
    report(kLookShare + (1 - kLookShare) * std::min(1.0, code / 100.0));
    const auto wanted = static_cast<std::uint8_t>(code);
    for (auto at = codes_.begin(); (at = std::find(at, codes_.end(), wanted)) != codes_.end(); ++at)
      go_back_from(static_cast<std::size_t>(at - codes_.begin()), code);
  }

  // Positions from which a quiet move leads to this one. No quiet move depends on anything but the kind, its
  // squares and those between them: the game has shown which those are. Where it takes something on arrival,
  // it does so from everywhere.
  void go_back_from(std::size_t number, int code) {
    const Position position = *ending_.position(number);
    const Color mover = other(position.to_move);
    const Bitboard empty = game_.info().board() & ~position.occupied();
    before_.clear();
    for (Bitboard pieces = position.side[index(mover)]; pieces;) {
      const game::Square square = game::pop_first(&pieces);
      const int kind = kind_on(position, square);
      bool tried = game_.info().takes_by_arrival;
      for (Bitboard origins = reached_[index(mover)][kind][square] & empty; origins;) {
        const game::Square origin = game::pop_first(&origins);
        if (way(origin, square) & ~empty) continue;
        Position before = position;
        before.to_move = mover;
        before.side[index(mover)] ^= game::bit(origin) | game::bit(square);
        before.kind[kind] ^= game::bit(origin) | game::bit(square);
        if (!tried) {
          Position again = before;
          game_.apply(Move::step(origin, square), &again);
          if (!is_quiet(before, again)) break;
          tried = true;
        }
        before_.push_back(ending_.number(before));
      }
    }
    if (ending_.has_symmetric_positions()) {
      std::sort(before_.begin(), before_.end());
      before_.erase(std::unique(before_.begin(), before_.end()), before_.end());
    }
    const bool lost = EndingTable::value(static_cast<std::uint8_t>(code)).result < 0;
    for (const std::size_t before : before_) lost ? win(before, code + 1) : lose(before, code + 1);
  }

  void win(std::size_t number, int code) {
    if (open_[number].quiets == 0 || codes_[number] == EndingTable::kNoPosition) return;
    if (codes_[number] == EndingTable::kDraw || codes_[number] > code) decide(number, code);
  }

  void lose(std::size_t number, int code) {
    Open& open = open_[number];
    if (open.quiets == 0) return;
    if (--open.quiets; open.quiets > 0) return;
    if (open.loss != Open::kEscape && codes_[number] == EndingTable::kDraw)
      decide(number, std::max<int>(code, open.loss));
  }

  const game::Game& game_;
  const Endings& smaller_;
  const SolverOptions& options_;
  EndingTable table_;
  const EndingClass& ending_;
  std::vector<std::uint8_t>& codes_;
  std::vector<Open> open_;
  std::vector<std::size_t> before_;
  int last_code_ = 0;
  Reached reached_ = {};
};

// The value of a position by its moves alone.
EndingValue value_by_children(const game::Game& game, const Endings& smaller, const EndingTable& table,
                              bool counts, const Position& position) {
  MoveList moves;
  game.legal_moves(position, &moves);
  const game::Outcome outcome = game.outcome(position, !moves.empty(), 1);
  if (outcome.over()) {
    if (outcome.result == game::Result::kDraw) return {};
    return {outcome.result == win_of(position.to_move) ? 1 : -1, 0};
  }
  EndingValue best = {-1, 0};
  for (const Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    EndingValue value;
    if (is_quiet(position, child)) {
      const std::uint8_t code = table.codes[table.ending.number(child)];
      if (code == EndingTable::kNoPosition) return {1, -1};  // A fault.
      value = EndingTable::value(code);
    } else {
      value = value_after_capture(game, smaller, counts, position, &child);
    }
    value = value.result == 0 ? EndingValue() : EndingValue{-value.result, value.plies + 1};
    if (better(value, best)) best = value;
  }
  return best;
}

}  // namespace

std::optional<Position> ending_position(const game::Game& game, const EndingClass& ending,
                                        std::size_t number) {
  std::optional<Position> position = ending.position(number);
  if (!position || ending.number(*position) != number) return std::nullopt;
  std::vector<std::string> reasons;
  game.check(*position, &reasons);
  if (!reasons.empty()) return std::nullopt;
  if (has_bare_side(game.info(), ending.material())) position->count_limit = kEndlessCount;
  return position;
}

EndingTable solve_ending(const game::Game& game, const Endings& smaller, Material material,
                         const SolverOptions& options) {
  return Solver(game, smaller, material, options).solve();
}

std::size_t count_faults(const game::Game& game, const Endings& smaller, const EndingTable& table,
                         const SolverOptions& options) {
  std::size_t faults = 0;
  for (std::size_t number = 0; number < table.codes.size(); ++number) {
    if (options.progress && number % 65536 == 0)
      options.progress(static_cast<double>(number) / static_cast<double>(table.codes.size()));
    const std::optional<Position> position = ending_position(game, table.ending, number);
    const std::uint8_t code = table.codes[number];
    if (!position) {
      faults += code != EndingTable::kNoPosition;
    } else {
      faults +=
          code == EndingTable::kNoPosition ||
          EndingTable::value(code) != value_by_children(game, smaller, table, options.counts, *position);
    }
  }
  return faults;
}

EndingSummary summarize(const EndingTable& table, Color to_move, int plies) {
  EndingSummary summary;
  for (std::size_t number = 0; number < table.codes.size(); ++number) {
    const std::uint8_t code = table.codes[number];
    if (code == EndingTable::kNoPosition) continue;
    const Position position = *table.ending.position(number);
    if (position.to_move != to_move) continue;
    const auto images = static_cast<std::uint64_t>(table.ending.images(position));
    const EndingValue value = EndingTable::value(code);
    summary.positions += images;
    if (value.result > 0) {
      summary.won += images;
      summary.won_in_time += value.plies <= plies ? images : 0;
      if (value.plies > summary.longest_win)
        summary.longest_win = value.plies, summary.longest_win_number = number;
    } else if (value.result < 0) {
      summary.lost += images;
      summary.lost_in_time += value.plies <= plies ? images : 0;
      summary.longest_loss = std::max<int>(summary.longest_loss, value.plies);
    }
  }
  return summary;
}

}  // namespace makzero::mcts
