#include "mcts/alpha_beta.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "mcts/rng.h"

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Color;
using game::History;
using game::Move;
using game::MoveList;
using game::Outcome;
using game::Position;
using game::Result;

constexpr int kInfinite = kWinScore + 1;
constexpr int kTried = -1;
constexpr int kClockNodes = 256;  // Nodes between two looks at the clock.

bool decided(int score) { return std::abs(score) > kProvenScore; }

// How the score of an entry bounds the true one.
enum class Bound : std::uint8_t { kExact, kLower, kUpper };

struct Entry {
  std::uint64_t key = 0;
  std::int32_t score = 0;
  Move best;
  std::uint8_t depth = 0;
  Bound bound = Bound::kExact;
};
static_assert(sizeof(Entry) == 16);

}  // namespace

class AlphaBeta::Impl {
 public:
  Impl(const game::Game& game, const AlphaBetaOptions& options, std::uint64_t seed)
      : game_(game),
        options_(options),
        rng_(seed),
        table_(std::bit_ceil(static_cast<unsigned>(std::max(options.table_entries, 1)))) {}

  AlphaBetaResult search(const Position& position, const History& history, std::span<const Move> among);

 private:
  // A line's score and whether it rests on a repetition, which depends on the way to the position.
  struct Score {
    int value = 0;
    bool repetition = false;
  };

  // What a node knows of its parent and of its place in the line.
  struct Place {
    int depth;        // Plies still to search.
    int ply;          // Plies from the root.
    int enemy_moves;  // Legal moves that the parent had.
  };

  // Working memory of a node.
  struct Ply {
    MoveList legal;
    std::array<int, MoveList::kCapacity> orders;  // Per legal move: the larger the earlier; kTried when done.
    std::array<Move, 2> killers;                  // Moves that cut last.
  };

  bool search_root(const Position& position, int depth, std::vector<Move>* moves, AlphaBetaResult* result);
  Score search_node(const Position& position, Place place, int alpha, int beta);
  Score search_child(const Position& child, Color mover, Place place, int alpha, int beta);
  Score search_moves(const Position& position, Place place, int alpha, int beta);
  void order_moves(const Position& position, Move table_move, Ply* ply) const;
  static Move take_next(Ply* ply);
  void remember_cut(const Position& position, Move move, const Place& place);
  int static_score(const Position& position, int moves, int enemy_moves) const;
  std::uint64_t table_key(const Position& position) const;
  std::chrono::nanoseconds now() const;
  bool out_of_time();

  const game::Game& game_;
  AlphaBetaOptions options_;
  Rng rng_;
  std::vector<Entry> table_;
  std::vector<Ply> plies_;  // Index: plies from the root.
  std::array<std::array<int, game::kPolicySize>, 2> cuts_ =
      {};  // Per side and move: weighted cuts of this search.
  History history_;
  std::uint64_t salt_ = 0;  // Another one for each search: entries of older searches are no longer found.
  std::uint64_t nodes_ = 0;
  std::chrono::nanoseconds deadline_{};
  bool may_stop_ = false;  // Depth 1 is always finished.
  bool stopped_ = false;
};

AlphaBetaResult AlphaBeta::Impl::search(const Position& position, const History& history,
                                        std::span<const Move> among) {
  history_ = history;
  salt_ += 0x9E3779B97F4A7C15u;
  nodes_ = 0;
  stopped_ = false;
  plies_.resize(std::max(options_.depth, 1) + 1);
  for (Ply& ply : plies_) ply.killers = {};
  for (auto& side : cuts_) side.fill(0);
  if (options_.time) deadline_ = now() + *options_.time;

  MoveList legal;
  game_.legal_moves(position, &legal);
  std::vector<Move> moves(among.begin(), among.end());
  if (moves.empty()) moves.assign(legal.begin(), legal.end());
  for (size_t i = moves.size(); i > 1; --i) std::swap(moves[i - 1], moves[rng_.below(i)]);

  AlphaBetaResult result;
  result.best = moves.front();
  for (int depth = 1; depth <= std::max(options_.depth, 1); ++depth) {
    may_stop_ = depth > 1;
    if (!search_root(position, depth, &moves, &result)) break;
    if (decided(result.score)) break;
  }
  result.nodes = nodes_;
  return result;
}

// One iteration. The best move goes to the front of the list. False when time ran out: the result is not
// touched then.
bool AlphaBeta::Impl::search_root(const Position& position, int depth, std::vector<Move>* moves,
                                  AlphaBetaResult* result) {
  int best = -kInfinite;
  size_t best_index = 0;
  for (size_t i = 0; i < moves->size(); ++i) {
    Position child = position;
    game_.apply((*moves)[i], &child);
    history_.push(child);
    const Place below{depth - 1, 1, static_cast<int>(moves->size())};
    const int score = search_child(child, position.to_move, below, best, kInfinite).value;
    history_.pop();
    if (stopped_) return false;
    if (score > best) best = score, best_index = i;
  }
  std::rotate(moves->begin(), moves->begin() + best_index, moves->begin() + best_index + 1);
  result->best = moves->front();
  result->score = best;
  result->depth = depth;
  return true;
}

// Fail-soft alpha-beta, from the side to move.
AlphaBeta::Impl::Score AlphaBeta::Impl::search_node(const Position& position, Place place, int alpha,
                                                    int beta) {
  ++nodes_;
  if (out_of_time()) return {};
  MoveList& legal = plies_[place.ply].legal;
  game_.legal_moves(position, &legal);
  const Outcome outcome = game_.outcome(position, !legal.empty(), history_.occurrences());
  if (outcome.result == Result::kDraw) return {0, outcome.reason == game::Reason::kRepetition};
  if (outcome.over()) {
    const int win = kWinScore - place.ply;
    return {outcome.result == win_of(position.to_move) ? win : -win};
  }
  if (place.depth == 0) return {static_score(position, legal.size(), place.enemy_moves)};
  return search_moves(position, place, alpha, beta);
}

// From the side of `mover`, who may have to move again (Gala, rest=triple).
AlphaBeta::Impl::Score AlphaBeta::Impl::search_child(const Position& child, Color mover, Place place,
                                                     int alpha, int beta) {
  if (child.to_move == mover) return search_node(child, place, alpha, beta);
  Score score = search_node(child, place, -beta, -alpha);
  score.value = -score.value;
  return score;
}

AlphaBeta::Impl::Score AlphaBeta::Impl::search_moves(const Position& position, Place place, int alpha,
                                                     int beta) {
  const std::uint64_t key = table_key(position);
  Entry& entry = table_[key & (table_.size() - 1)];
  // Only entries of the same depth: the score is then exactly that of a full search.
  if (entry.key == key && entry.depth == place.depth) {
    if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && entry.score >= beta) ||
        (entry.bound == Bound::kUpper && entry.score <= alpha)) {
      return {entry.score};
    }
  }
  Ply& ply = plies_[place.ply];
  order_moves(position, entry.key == key ? entry.best : Move::pass(), &ply);

  Score best = {-kInfinite};
  Move best_move;
  const int first_alpha = alpha;
  for (int i = 0; i < ply.legal.size() && alpha < beta; ++i) {
    const Move move = take_next(&ply);
    Position child = position;
    game_.apply(move, &child);
    history_.push(child);
    const Place below{place.depth - 1, place.ply + 1, ply.legal.size()};
    const Score score = search_child(child, position.to_move, below, alpha, beta);
    history_.pop();
    if (stopped_) return {};
    best.repetition = best.repetition || score.repetition;
    if (score.value > best.value) best.value = score.value, best_move = move;
    alpha = std::max(alpha, best.value);
  }
  if (alpha >= beta) remember_cut(position, best_move, place);
  if (best.repetition) return best;
  const Bound bound = best.value >= beta          ? Bound::kLower
                      : best.value <= first_alpha ? Bound::kUpper
                                                  : Bound::kExact;
  entry = {key, best.value, best_move, static_cast<std::uint8_t>(place.depth), bound};
  return best;
}

// The table's move, captures, moves that cut elsewhere.
void AlphaBeta::Impl::order_moves(const Position& position, Move table_move, Ply* ply) const {
  const Bitboard captures = game_.threats(position, position.to_move).destinations;
  const std::array<int, game::kPolicySize>& cuts = cuts_[index(position.to_move)];
  for (int i = 0; i < ply->legal.size(); ++i) {
    const Move move = ply->legal[i];
    int& order = ply->orders[i];
    order = cuts[move.index()];
    if (move == ply->killers[0] || move == ply->killers[1]) order = 1 << 28;
    if (!move.is_pass() && game::contains(captures, move.destination())) order = 1 << 29;
    if (move == table_move) order = 1 << 30;
  }
}

Move AlphaBeta::Impl::take_next(Ply* ply) {
  const auto next = std::max_element(ply->orders.begin(), ply->orders.begin() + ply->legal.size());
  *next = kTried;
  return ply->legal[static_cast<int>(next - ply->orders.begin())];
}

void AlphaBeta::Impl::remember_cut(const Position& position, Move move, const Place& place) {
  std::array<Move, 2>& killers = plies_[place.ply].killers;
  if (move != killers[0]) killers = {move, killers[0]};
  int& cuts = cuts_[index(position.to_move)][move.index()];
  cuts = std::min(cuts + place.depth * place.depth, 1 << 27);
}

int AlphaBeta::Impl::static_score(const Position& position, int moves, int enemy_moves) const {
  return material_lead(game_.info(), position, position.to_move) +
         options_.mobility_weight * (moves - enemy_moves);
}

// Counters and the ply take part: near a limit they decide.
std::uint64_t AlphaBeta::Impl::table_key(const Position& position) const {
  return (evaluation_key(position) ^ salt_) + position.ply * 0xD1B54A32D192ED03u;
}

std::chrono::nanoseconds AlphaBeta::Impl::now() const {
  return options_.clock ? options_.clock() : std::chrono::steady_clock::now().time_since_epoch();
}

bool AlphaBeta::Impl::out_of_time() {
  if (!may_stop_ || nodes_ % kClockNodes != 0) return stopped_;
  if (options_.stop.stop_requested()) stopped_ = true;
  if (options_.time && now() >= deadline_) stopped_ = true;
  return stopped_;
}

AlphaBeta::AlphaBeta(const game::Game& game, const AlphaBetaOptions& options, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(game, options, seed)) {}
AlphaBeta::~AlphaBeta() = default;

AlphaBetaResult AlphaBeta::search(const Position& position, const History& history,
                                  std::span<const Move> among) {
  return impl_->search(position, history, among);
}

}  // namespace makzero::mcts
