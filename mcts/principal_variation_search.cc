#include "mcts/principal_variation_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "mcts/draw_value.h"

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
using std::chrono::nanoseconds;

constexpr int kInfinite = kWinScore + 1;
constexpr int kMostPlies = 128;                // Of a line, captures included.
constexpr int kMostStatic = kProvenScore - 1;  // Of the network.
constexpr int kClockNodes = 512;               // Nodes between two looks at the clock.
constexpr int kMostCapturePlies = 10;          // Of captures behind the last ply.
constexpr int kWindow = 60;                    // Half the first aspiration window.

// Margins in thousandths of a logit.
constexpr int kReverseMargin = 250;   // Per ply that is left: above beta by so much stays there.
constexpr int kFutilityMargin = 200;  // The same below alpha for quiet moves.
constexpr int kFutilityBase = 150;

// Places of moves in the order in which they are tried; quiet moves have their history between the last two.
constexpr int kTableOrder = 1 << 30, kCaptureOrder = 1 << 28, kKillerOrder = 1 << 27;
constexpr int kLosingOrder = -(1 << 28), kTried = -(1 << 30);
constexpr int kFewestToPass = 4;  // Own pieces: with fewer, having to move may be what loses.
constexpr int kMostHistory = 1 << 14;

bool proven(int score) { return std::abs(score) >= kProvenScore; }

enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct Entry {
  std::uint64_t key = 0;
  std::int32_t score = 0;
  Move best;
  std::int8_t depth = 0;
  Bound bound = Bound::kNone;
};
static_assert(sizeof(Entry) == PrincipalVariationSearch::kEntryBytes);

// Plies by which a late quiet move is searched less deeply, by depth and number of the move.
std::array<std::array<int, 64>, 64> late_reductions() {
  std::array<std::array<int, 64>, 64> table = {};
  for (int depth = 1; depth < 64; ++depth) {
    for (int move = 1; move < 64; ++move)
      table[depth][move] = static_cast<int>(0.6 + std::log(depth) * std::log(move) / 2.2);
  }
  return table;
}

}  // namespace

class PrincipalVariationSearch::Impl {
 public:
  Impl(const game::Game& game, const SmallNetwork& network, std::size_t table_entries)
      : game_(game),
        info_(game.info()),
        draw_value_(game),
        evaluator_(info_, network),
        table_(std::bit_ceil(std::max<std::size_t>(table_entries, 1))),
        plies_(kMostPlies + 2) {
    clear();
  }

  DeepSearchResult search(const Position& position, const History& history, const DeepSearchLimits& limits,
                          const Report& report);
  void clear() {
    std::fill(table_.begin(), table_.end(), Entry{});
    for (auto& side : quiet_history_) side.fill(0);
  }

 private:
  // Working memory of a position on the line that is searched.
  struct Ply {
    Position position;
    SmallAccumulator accumulator;
    MoveList legal;
    std::array<int, MoveList::kCapacity> orders;  // Per legal move: the larger the earlier; kTried when done.
    std::array<bool, MoveList::kCapacity> takes;  // Per legal move: whether it takes something.
    Bitboard guarded = 0;                         // Chess family: squares that the enemy guards.
    std::array<Move, 2> killers;
    bool has_losing_captures = false;  // They come behind the quiet moves.
    MoveList quiets;                   // Tried before a cut.
  };

  // How a position is to be searched.
  struct Window {
    int depth, alpha, beta;
    bool may_pass = true;  // A null move is allowed: there was none just before.

    bool is_open() const { return beta - alpha > 1; }
  };

  int search_root(Window window, std::vector<Move>* moves, DeepSearchResult* result);
  int search_node(int ply, Window window);
  int search_moves(int ply, Window window, Move table_move, int standing, bool threatened);
  int search_captures(int ply, int plies_left, int alpha, int beta, bool threatened);
  int search_capture(int ply, int plies_left, int alpha, int beta);
  int search_child(int ply, Window window);
  bool enter(int ply);
  std::optional<int> ended(int ply, bool can_move) const;
  std::optional<int> pass(int ply, const Window& window, int standing);
  void play(int ply, Move move);
  void take_back() { history_.pop(); }
  int static_score(int ply);
  bool is_threatened(int ply);
  void order_moves(int ply, Move table_move);
  std::optional<int> capture_order(int ply, Bitboard arrivals, Move move) const;
  int value_on(const Position& position, game::Square square) const;
  struct NextMove {
    int index, order;  // In the list of legal moves; see Ply::orders.
  };
  static NextMove take_next(Ply* ply);
  void remember_cut(int ply, Move move, int depth);
  std::uint64_t table_key(const Position& position) const;
  void store(std::uint64_t key, int ply, const Window& window, int score, Move best);
  std::vector<Move> principal_variation(const Position& position, Move first) const;
  nanoseconds now() const;
  bool out_of_time();

  const game::Game& game_;
  const game::GameInfo& info_;
  DrawValue draw_value_;
  SmallEvaluator evaluator_;
  std::vector<Entry> table_;
  std::vector<Ply> plies_;                                           // Index: plies from the root.
  std::array<std::array<int, game::kPolicySize>, 2> quiet_history_;  // Per side and move, +-kMostHistory.
  const std::array<std::array<int, 64>, 64> reductions_ = late_reductions();
  History history_;
  // Whether a move is as a rule better than none: not where men are dropped, or one piece is hunted by many.
  const bool may_pass_ = !info_.family.empty() && !info_.has_hands && !info_.has_hunter;
  int root_size_ = 0;  // Of the history at the root.
  const DeepSearchLimits* limits_ = nullptr;
  nanoseconds deadline_{};
  std::uint64_t nodes_ = 0;
  int seldepth_ = 0;
  bool may_stop_ = false;  // Depth 1 is always finished.
  bool stopped_ = false;
};

DeepSearchResult PrincipalVariationSearch::Impl::search(const Position& position, const History& history,
                                                        const DeepSearchLimits& limits,
                                                        const Report& report) {
  history_ = history;
  root_size_ = history.size();
  limits_ = &limits;
  nodes_ = 0;
  seldepth_ = 0;
  stopped_ = false;
  for (Ply& ply : plies_) ply.killers = {};
  for (auto& side : quiet_history_)
    for (int& value : side) value /= 8;
  if (limits.time) deadline_ = now() + *limits.time;

  Ply& root = plies_[0];
  root.position = position;
  evaluator_.refresh(position, &root.accumulator);
  game_.legal_moves(position, &root.legal);
  is_threatened(0);
  order_moves(0, table_[table_key(position) & (table_.size() - 1)].best);
  std::vector<Move> moves = limits.search_moves;
  if (moves.empty()) {
    for (int i = 0; i < root.legal.size(); ++i) moves.push_back(root.legal[take_next(&root).index]);
  }

  DeepSearchResult result;
  result.best = moves.front();
  for (int depth = 1; depth <= std::clamp(limits.depth, 1, kMostPlies / 2); ++depth) {
    may_stop_ = depth > 1;
    int alpha = -kInfinite, beta = kInfinite;
    if (depth >= 5 && !proven(result.score)) alpha = result.score - kWindow, beta = result.score + kWindow;
    for (int width = kWindow;; width *= 4) {
      const int score = search_root({depth, alpha, beta}, &moves, &result);
      if (stopped_ || (score > alpha && score < beta)) break;
      if (score <= alpha) alpha = width > 1000 ? -kInfinite : score - width;
      if (score >= beta) beta = width > 1000 ? kInfinite : score + width;
    }
    result.nodes = nodes_;
    result.seldepth = seldepth_;
    if (stopped_) break;
    result.depth = depth;
    result.principal_variation = principal_variation(position, result.best);
    if (report) report(result);
    if (proven(result.score)) break;
  }
  if (result.principal_variation.empty() || result.principal_variation.front() != result.best)
    result.principal_variation = {result.best};
  return result;
}

// One iteration: moves that raise alpha go to the front of the list. What is found before the time runs out
// counts, as the best move so far is searched first.
int PrincipalVariationSearch::Impl::search_root(Window window, std::vector<Move>* moves,
                                                DeepSearchResult* result) {
  int best = -kInfinite;
  const int first_alpha = window.alpha;
  for (std::size_t i = 0; i < moves->size(); ++i) {
    const Move move = (*moves)[i];
    play(0, move);
    int score = 0;
    Window below{window.depth - 1, window.alpha, window.beta};
    if (i > 0) {
      score = search_child(1, {below.depth, window.alpha, window.alpha + 1});
      if (score > window.alpha && !stopped_) score = search_child(1, below);
    } else {
      score = search_child(1, below);
    }
    take_back();
    if (stopped_) return best;
    best = std::max(best, score);
    if (i == 0 && score <= window.alpha) return score;  // The window is widened.
    if (score <= window.alpha && i > 0) continue;
    window.alpha = std::max(window.alpha, score);
    std::rotate(moves->begin(), moves->begin() + static_cast<std::ptrdiff_t>(i),
                moves->begin() + static_cast<std::ptrdiff_t>(i) + 1);
    result->best = move;
    result->score = score;
    if (score >= window.beta) return score;
  }
  // The best of some moves says little of a position that another search may come upon.
  if (limits_->search_moves.empty())
    store(table_key(plies_[0].position), 0, {window.depth, first_alpha, window.beta}, best, moves->front());
  return best;
}

// Below a position at `ply` - 1, from the side of who moved there, who may have to move again (Gala).
int PrincipalVariationSearch::Impl::search_child(int ply, Window window) {
  const bool again = plies_[ply].position.to_move == plies_[ply - 1].position.to_move;
  if (again) return search_node(ply, window);
  return -search_node(ply, {window.depth, -window.beta, -window.alpha, window.may_pass});
}

void PrincipalVariationSearch::Impl::play(int ply, Move move) {
  Ply& to = plies_[ply + 1];
  to.position = plies_[ply].position;
  game_.apply(move, &to.position);
  history_.push(to.position);
}

// Counts a position, and says whether it repeats one of the line.
bool PrincipalVariationSearch::Impl::enter(int ply) {
  ++nodes_;
  seldepth_ = std::max(seldepth_, ply);
  return info_.repetition > 0 && history_.occurrences(root_size_ - 1) > 1;
}

// The score of a position at which the game is over. `can_move`: there are legal moves, as far as known.
std::optional<int> PrincipalVariationSearch::Impl::ended(int ply, bool can_move) const {
  const Ply& here = plies_[ply];
  const Outcome outcome = game_.outcome(here.position, can_move, history_.occurrences());
  if (!outcome.over()) return std::nullopt;
  if (outcome.result == Result::kDraw)
    return score_of_result(draw_value_.of(outcome.reason, here.position, here.position.to_move));
  return outcome.result == win_of(here.position.to_move) ? kWinScore - ply : ply - kWinScore;
}

// Fail-soft, from the side to move.
int PrincipalVariationSearch::Impl::search_node(int ply, Window window) {
  if (out_of_time()) return 0;
  if (enter(ply)) return 0;
  Ply& here = plies_[ply];
  const Position& position = here.position;
  const bool threatened = is_threatened(ply);
  if (threatened) ++window.depth;
  if (window.depth <= 0 || ply >= kMostPlies - kMostCapturePlies - 1) {
    return search_captures(ply, kMostCapturePlies, window.alpha, window.beta, threatened);
  }
  const std::uint64_t key = table_key(position);
  const Entry entry = table_[key & (table_.size() - 1)];
  const bool known = entry.key == key && entry.bound != Bound::kNone;
  if (known && entry.depth >= window.depth && !window.is_open() &&
      (info_.repetition == 0 || history_.occurrences() < info_.repetition)) {
    int score = entry.score;
    if (proven(score)) score += score > 0 ? -ply : ply;
    if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && score >= window.beta) ||
        (entry.bound == Bound::kUpper && score <= window.alpha))
      return score;
  }
  game_.legal_moves(position, &here.legal);
  if (const std::optional<int> score = ended(ply, !here.legal.empty())) return *score;
  // No win comes sooner than at the next ply.
  window.alpha = std::max(window.alpha, ply - kWinScore);
  window.beta = std::min(window.beta, kWinScore - ply - 1);
  if (window.alpha >= window.beta) return window.alpha;

  const int standing = static_score(ply);
  if (!window.is_open() && !threatened && !proven(window.beta)) {
    if (window.depth <= 6 && standing - kReverseMargin * window.depth >= window.beta) return standing;
    if (const std::optional<int> score = pass(ply, window, standing)) return *score;
  }
  if (!known && window.depth >= 5) --window.depth;  // Badly ordered moves are not worth a deep search.
  return search_moves(ply, window, known ? entry.best : Move::pass(), standing, threatened);
}

// Null move: what stays above beta even when the other side moves twice is left there.
std::optional<int> PrincipalVariationSearch::Impl::pass(int ply, const Window& window, int standing) {
  const Position& position = plies_[ply].position;
  if (!window.may_pass || window.depth < 3 || standing < window.beta) return std::nullopt;
  if (!may_pass_ || game::size(position.own()) < kFewestToPass) return std::nullopt;
  Ply& next = plies_[ply + 1];
  next.position = position;
  next.position.to_move = other(position.to_move);
  ++next.position.ply;
  ++next.position.no_progress_plies;
  history_.push(next.position);
  const int reduction = 3 + window.depth / 4;
  const int score =
      -search_node(ply + 1, {window.depth - 1 - reduction, -window.beta, 1 - window.beta, false});
  take_back();
  if (stopped_) return 0;
  if (score < window.beta) return std::nullopt;
  return proven(score) ? window.beta : score;
}

int PrincipalVariationSearch::Impl::search_moves(int ply, Window window, Move table_move, int standing,
                                                 bool threatened) {
  Ply& here = plies_[ply];
  order_moves(ply, table_move);
  here.quiets.clear();
  const Window whole = window;
  const bool open = window.is_open();
  int best = -kInfinite;
  Move best_move = Move::pass();
  for (int number = 0; number < here.legal.size(); ++number) {
    const int index = take_next(&here).index;
    const Move move = here.legal[index];
    const bool capture = here.takes[index];
    const bool quiet = !capture && !threatened;
    if (quiet && !open && number > 0 && best > -kProvenScore) {
      const bool late = window.depth <= 4 && number >= 6 + 5 * window.depth * window.depth;
      const bool futile =
          window.depth <= 5 && standing + kFutilityBase + kFutilityMargin * window.depth <= window.alpha;
      if ((late || futile) && !here.has_losing_captures) break;  // The rest are as quiet, and later.
      if (late || futile) continue;
    }
    play(ply, move);
    const Window below{window.depth - 1, window.alpha, window.beta};
    int score = 0;
    if (number == 0) {
      score = search_child(ply + 1, below);
    } else {
      int reduction = 0;
      if (quiet && window.depth >= 3 && number >= 3) {
        const int side = game::index(here.position.to_move);
        reduction = reductions_[std::min(window.depth, 63)][std::min(number, 63)];
        reduction -= open;
        reduction -= quiet_history_[side][move.index()] / (kMostHistory / 2);
        reduction = std::clamp(reduction, 0, window.depth - 2);
      }
      const Window narrow{below.depth, window.alpha, window.alpha + 1};
      score = search_child(ply + 1, {narrow.depth - reduction, narrow.alpha, narrow.beta});
      if (reduction > 0 && score > window.alpha && !stopped_) score = search_child(ply + 1, narrow);
      if (open && score > window.alpha && score < window.beta && !stopped_)
        score = search_child(ply + 1, below);
    }
    take_back();
    if (stopped_) return 0;
    if (score > best) best = score, best_move = move;
    window.alpha = std::max(window.alpha, score);
    if (window.alpha >= window.beta) {
      if (!capture) remember_cut(ply, move, window.depth);
      break;
    }
    if (!capture) here.quiets.add(move);
  }
  store(table_key(here.position), ply, whole, best, best_move);
  return best;
}

// Captures until the position is quiet; all moves where there is no free choice. Legal moves are listed where
// there are captures: that a side without any cannot move at all is not seen here.
int PrincipalVariationSearch::Impl::search_captures(int ply, int plies_left, int alpha, int beta,
                                                    bool threatened) {
  if (const std::optional<int> score = ended(ply, true)) return *score;
  Ply& here = plies_[ply];
  const int standing = static_score(ply);
  if (plies_left == 0) return standing;
  int best = threatened ? ply - kWinScore : standing;
  alpha = std::max(alpha, best);
  if (alpha >= beta) return best;
  if (!threatened && !game_.threats(here.position, here.position.to_move).targets) return best;
  game_.legal_moves(here.position, &here.legal);
  if (here.legal.empty()) return *ended(ply, false);
  order_moves(ply, Move::pass());
  for (int number = 0; number < here.legal.size(); ++number) {
    const NextMove next = take_next(&here);
    if (!threatened && next.order < kCaptureOrder) break;  // Captures that do not lose come first.
    play(ply, here.legal[next.index]);
    const bool again = plies_[ply + 1].position.to_move == here.position.to_move;
    const int score = again ? search_capture(ply + 1, plies_left - 1, alpha, beta)
                            : -search_capture(ply + 1, plies_left - 1, -beta, -alpha);
    take_back();
    if (stopped_) return 0;
    best = std::max(best, score);
    alpha = std::max(alpha, best);
    if (alpha >= beta) break;
  }
  return best;
}

// The position after a capture.
int PrincipalVariationSearch::Impl::search_capture(int ply, int plies_left, int alpha, int beta) {
  if (out_of_time()) return 0;
  if (enter(ply)) return 0;
  return search_captures(ply, plies_left, alpha, beta, is_threatened(ply));
}

// REQUIRES: not the root; the accumulator of the ply before is that of its position.
int PrincipalVariationSearch::Impl::static_score(int ply) {
  const Ply& before = plies_[ply - 1];
  Ply& here = plies_[ply];
  evaluator_.update(before.position, before.accumulator, here.position, &here.accumulator);
  const int score = evaluator_.evaluate(here.position, here.accumulator);
  return std::clamp(score, -kMostStatic, kMostStatic);
}

// Whether the side to move has no free choice: it is in check, or has to capture.
bool PrincipalVariationSearch::Impl::is_threatened(int ply) {
  const Position& position = plies_[ply].position;
  if (position.obliged[0] | position.obliged[1]) return true;
  if (info_.must_take) return game_.threats(position, position.to_move).targets != 0;
  if (!info_.takes_by_arrival) return false;
  const game::Threats threats = game_.threats(position, other(position.to_move));
  plies_[ply].guarded = threats.destinations;
  return threats.targets & game::kings(info_, position) & position.own();
}

// The table's move, captures, moves that cut at the same ply, moves that cut elsewhere, captures that lose.
void PrincipalVariationSearch::Impl::order_moves(int ply, Move table_move) {
  Ply& here = plies_[ply];
  here.has_losing_captures = false;
  const Bitboard arrivals = info_.takes_by_arrival
                                ? here.position.enemy()
                                : game_.threats(here.position, here.position.to_move).destinations;
  const std::array<int, game::kPolicySize>& values = quiet_history_[game::index(here.position.to_move)];
  for (int i = 0; i < here.legal.size(); ++i) {
    const Move move = here.legal[i];
    const std::optional<int> capture = capture_order(ply, arrivals, move);
    here.has_losing_captures |= capture && *capture < 0;
    here.takes[i] = capture.has_value();
    if (move == table_move && !move.is_pass())
      here.orders[i] = kTableOrder;
    else if (capture)
      here.orders[i] = *capture;
    else if (move == here.killers[0] || move == here.killers[1])
      here.orders[i] = kKillerOrder;
    else
      here.orders[i] = values[move.index()];
  }
}

// Captures of much by little come first; a piece that takes a lesser one which is guarded, last. None where
// the move takes nothing. `arrivals`: squares that captures arrive on.
std::optional<int> PrincipalVariationSearch::Impl::capture_order(int ply, Bitboard arrivals,
                                                                 Move move) const {
  if (move.is_pass() || !game::contains(arrivals, move.destination())) return std::nullopt;
  const Ply& here = plies_[ply];
  if (info_.takes_by_arrival) {
    const int victim = value_on(here.position, move.destination());
    const int taker = move.is_step() ? value_on(here.position, move.origin()) : 0;
    const bool loses = victim < taker && game::contains(here.guarded, move.destination());
    return (loses ? kLosingOrder : kCaptureOrder) + 8 * victim - taker / 2;
  }
  Position child = here.position;
  game_.apply(move, &child);
  const int taken =
      game::size(here.position.enemy()) - game::size(child.side[game::index(other(here.position.to_move))]);
  if (taken == 0) return std::nullopt;
  return kCaptureOrder + 1000 * taken;
}

// Of the piece on a square, in hundredths of a man or pawn.
int PrincipalVariationSearch::Impl::value_on(const Position& position, game::Square square) const {
  for (int kind = 0; kind < game::kKinds; ++kind)
    if (game::contains(position.kind[kind], square)) return info_.kind_value[kind];
  return 0;
}

PrincipalVariationSearch::Impl::NextMove PrincipalVariationSearch::Impl::take_next(Ply* ply) {
  const auto next = std::max_element(ply->orders.begin(), ply->orders.begin() + ply->legal.size());
  const NextMove found{static_cast<int>(next - ply->orders.begin()), *next};
  *next = kTried;
  return found;
}

void PrincipalVariationSearch::Impl::remember_cut(int ply, Move move, int depth) {
  Ply& here = plies_[ply];
  if (move != here.killers[0]) here.killers = {move, here.killers[0]};
  std::array<int, game::kPolicySize>& values = quiet_history_[game::index(here.position.to_move)];
  const int bonus = std::min(32 * depth * depth, kMostHistory / 4);
  const auto add = [&values](Move changed, int amount) {
    int& value = values[changed.index()];
    value += amount - value * std::abs(amount) / kMostHistory;
  };
  add(move, bonus);
  for (const Move quiet : here.quiets) add(quiet, -bonus);
}

// Counters take part: near a limit they decide. The ply does where the length of the game is limited.
std::uint64_t PrincipalVariationSearch::Impl::table_key(const Position& position) const {
  const std::uint64_t key = evaluation_key(position);
  return info_.max_plies == 0 ? key : key + position.ply * 0xD1B54A32D192ED03u;
}

void PrincipalVariationSearch::Impl::store(std::uint64_t key, int ply, const Window& window, int score,
                                           Move best) {
  Entry& entry = table_[key & (table_.size() - 1)];
  const Bound bound = score >= window.beta    ? Bound::kLower
                      : score <= window.alpha ? Bound::kUpper
                                              : Bound::kExact;
  if (proven(score)) score += score > 0 ? ply : -ply;
  entry = {key, score, best, static_cast<std::int8_t>(window.depth), bound};
}

// The line that the table holds, as far as it is legal and does not turn in a circle.
std::vector<Move> PrincipalVariationSearch::Impl::principal_variation(const Position& position,
                                                                      Move first) const {
  std::vector<Move> line;
  Position here = position;
  History history(here);
  Move move = first;
  MoveList legal;
  while (static_cast<int>(line.size()) < 32) {
    game_.legal_moves(here, &legal);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) break;
    line.push_back(move);
    game_.apply(move, &here);
    history.push(here);
    game_.legal_moves(here, &legal);
    if (history.occurrences() > 1 || game_.outcome(here, !legal.empty(), 1).over()) break;
    const std::uint64_t key = table_key(here);
    const Entry& entry = table_[key & (table_.size() - 1)];
    if (entry.key != key || entry.bound != Bound::kExact) break;
    move = entry.best;
  }
  return line;
}

nanoseconds PrincipalVariationSearch::Impl::now() const {
  return limits_->clock ? limits_->clock() : std::chrono::steady_clock::now().time_since_epoch();
}

bool PrincipalVariationSearch::Impl::out_of_time() {
  if (!may_stop_ || stopped_) return stopped_;
  if (limits_->nodes && nodes_ >= *limits_->nodes) return stopped_ = true;
  if (nodes_ % kClockNodes != 0) return false;
  if (limits_->stop.stop_requested() || (limits_->time && now() >= deadline_)) stopped_ = true;
  return stopped_;
}

PrincipalVariationSearch::PrincipalVariationSearch(const game::Game& game, const SmallNetwork& network,
                                                   std::size_t table_entries)
    : impl_(std::make_unique<Impl>(game, network, table_entries)) {}
PrincipalVariationSearch::~PrincipalVariationSearch() = default;

DeepSearchResult PrincipalVariationSearch::search(const Position& position, const History& history,
                                                  const DeepSearchLimits& limits, const Report& report) {
  return impl_->search(position, history, limits, report);
}

void PrincipalVariationSearch::clear() { impl_->clear(); }

}  // namespace makzero::mcts
