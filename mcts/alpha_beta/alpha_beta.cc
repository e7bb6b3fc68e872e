#include "mcts/alpha_beta/alpha_beta.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "game/slides.h"
#include "mcts/alpha_beta/exchange.h"
#include "mcts/endings/endings.h"
#include "mcts/rng.h"

namespace makzero::mcts {
namespace {

using game::History;
using game::Move;
using game::MoveList;
using game::Position;

constexpr int kInfinite = kWinScore + 1;
constexpr int kMostPlies = 128;                // Of a line, captures included.
constexpr int kMostVariation = 32;             // Plies of a principal variation.
constexpr int kMostStatic = kProvenScore - 1;  // Of an evaluation.
constexpr int kMostSlides = 14;                // Of a man on an empty board.
constexpr double kDrawnResult = 0.5;           // Expected result of a draw that is certain.
constexpr std::uint64_t kClockNodes = 512;     // Nodes between two looks at the clock.

}  // namespace

template <class Evaluation>
AlphaBeta<Evaluation>::AlphaBeta(const game::Game& game, Evaluation evaluation,
                                 const AlphaBetaOptions& options, std::shared_ptr<TranspositionTable> table)
    : game_(game),
      info_(game.info()),
      options_(options),
      reductions_(late_move_reductions(options_)),
      draw_value_(game),
      evaluation_(std::move(evaluation)),
      shared_table_(std::move(table)),
      table_(*shared_table_),
      move_order_(game, options_),
      plies_(kMostPlies + 2) {}

template <class Evaluation>
void AlphaBeta<Evaluation>::clear() {
  if (!table_.is_shared()) table_.clear();
  move_order_.clear();
}

template <class Evaluation>
void AlphaBeta<Evaluation>::begin(const Position& position, const History& history,
                                  const AlphaBetaLimits& limits) {
  assert(limits.lines > 0);
  history_ = history;
  root_size_ = history.size();
  contempt_of_white_ = position.to_move == game::Color::kWhite ? limits.contempt : -limits.contempt;
  limits_ = limits;
  limits_.depth = std::clamp(limits.depth, 1, kMostPlies / 2);
  if (limits.time) deadline_ = now() + *limits.time;
  nodes_ = tried_nodes_ = 0;
  seldepth_ = 0;
  for (Ply& ply : plies_) ply.moves.killers = {};
  move_order_.age();

  Ply& root = plies_[0];
  root.position = position;
  evaluation_.refresh(position, &root.accumulator);
  root.standing = evaluation_.evaluate(position, root.accumulator).value;
  game_.legal_moves(position, &root.moves.legal);
  look_at_threats(0);
  root.key = key_of(position, history_);
  probes_ = options_.endings && !options_.endings->is_draw(position);
  move_order_.order(position, table_.slot(root.key).best, &root.moves);
  root_lines_.clear();
  for (const Move move : limits.search_moves) root_lines_.push_back({{}, {move}});
  if (root_lines_.empty()) {
    for (int i = 0; i < root.moves.legal.size(); ++i)
      root_lines_.push_back({{}, {root.moves.legal[MoveOrder::take_next(&root.moves).index]}});
  }
  if (limits.seed) {
    Rng rng(*limits.seed);
    for (std::size_t i = root_lines_.size(); i > 1; --i)
      std::swap(root_lines_[i - 1], root_lines_[rng.below(i)]);
  }
  lines_ = std::min(limits.lines, static_cast<int>(root_lines_.size()));
  result_ = {};
  depth_ = limits_.first_depth = std::min(limits.first_depth, limits_.depth);
  line_ = 0;
  done_ = false;
}

// A better move that an unfinished iteration has found counts, as the best move so far is searched first.
// Scores of two depths cannot be compared, so that several lines count whole iterations.
template <class Evaluation>
void AlphaBeta<Evaluation>::step(std::uint64_t nodes, std::chrono::nanoseconds until) {
  assert(!done_);
  const std::uint64_t first_node = nodes_;
  nodes = std::max(nodes, 2 * tried_nodes_);
  last_node_ = std::min(limits_.nodes.value_or(kEndless), nodes_ + std::min(nodes, kEndless - nodes_));
  step_end_ = std::min(until, deadline_);
  may_stop_ = depth_ > limits_.first_depth;
  stopped_ = false;
  for (; line_ < lines_; ++line_) {
    search_line();
    if (stopped_) break;
  }
  if (!stopped_)
    std::stable_sort(root_lines_.begin(), root_lines_.begin() + lines_,
                     [](const Line& a, const Line& b) { return a.score > b.score; });
  if (!stopped_ || lines_ == 1) result_.lines.assign(root_lines_.begin(), root_lines_.begin() + lines_);
  result_.seldepth = seldepth_;
  result_.nodes = nodes_;
  if (stopped_) {
    tried_nodes_ = nodes_ - first_node;
    done_ = done_ || nodes_ >= limits_.nodes.value_or(kEndless);
    return;
  }
  tried_nodes_ = 0;
  line_ = 0;
  result_.depth = depth_;
  done_ = ++depth_ > limits_.depth || result_.score().proven();
}

// The best of the root's moves from number `line_` on, by aspiration windows.
template <class Evaluation>
void AlphaBeta<Evaluation>::search_line() {
  int alpha = -kInfinite, beta = kInfinite;
  const int expected = root_lines_[line_].score.value;
  int width = options_.aspiration_window;
  if (depth_ >= options_.aspiration_depth && !is_proven(expected))
    alpha = expected - width, beta = expected + width;
  for (;; width *= options_.aspiration_growth) {
    const int score = search_root({depth_, alpha, beta});
    if (stopped_) return;
    if (score > alpha && score < beta) break;
    if (score <= alpha) alpha = width > options_.aspiration_limit ? -kInfinite : score - width;
    if (score >= beta) beta = width > options_.aspiration_limit ? kInfinite : score + width;
  }
  root_lines_[line_].moves = principal_variation(root_lines_[line_].move());
}

// Moves that raise alpha go to the front of their line. Where every move gets a line, each is searched once.
template <class Evaluation>
int AlphaBeta<Evaluation>::search_root(Window window) {
  int best = -kInfinite;
  const Window whole = window;
  const auto front = root_lines_.begin() + line_;
  const bool all = lines_ == static_cast<int>(root_lines_.size());
  for (auto line = front; line != (all ? front + 1 : root_lines_.end()); ++line) {
    play(0, line->move());
    const Window below{window.depth - 1, window.alpha, window.beta};
    int score = 0;
    if (line != front) score = search_child(1, {below.depth, below.alpha, below.alpha + 1, true});
    if (line == front || (score > window.alpha && !stopped_)) score = search_child(1, below);
    take_back();
    if (stopped_) return best;
    best = std::max(best, score);
    if (score <= window.alpha) {
      if (line == front) return score;  // The window is widened.
      continue;
    }
    window.alpha = score;
    line->score = {score};
    std::rotate(front, line, line + 1);
    if (score >= window.beta) return score;
  }
  // The best of some moves says little of a position that another search may come upon.
  if (line_ == 0 && (!all || lines_ == 1) && limits_.search_moves.empty())
    store(0, whole, best, front->move());
  return best;
}

// Fail-soft, from the side to move.
template <class Evaluation>
int AlphaBeta<Evaluation>::search_node(int ply, Window window) {
  if (out_of_time()) return 0;
  count_node(ply);
  Ply& here = plies_[ply];
  const bool has_plain_leaves = options_.quiescence_plies == 0;
  if (window.depth + options_.forced_extension > 0) {
    here.key = key_of(here.position, history_);
    table_.prefetch(here.key);
  }
  if (const std::optional<int> score = repeated(ply)) return *score;
  if (has_plain_leaves && window.depth <= 0 && options_.forced_extension == 0) return evaluate_leaf(ply);
  // Check and obligation extension.
  look_at_threats(ply);
  if (here.is_forced) window.depth += options_.forced_extension;
  if (window.depth <= 0 || ply >= kMostPlies - options_.quiescence_plies - 1) {
    if (has_plain_leaves) return evaluate_leaf(ply);
    return search_captures(ply, options_.quiescence_plies, window.alpha, window.beta);
  }
  // Transposition table.
  const TableEntry entry = table_.slot(here.key);
  const bool known = entry.key == here.key && entry.bound != Bound::kNone;
  if (known) {
    if (const std::optional<int> score = table_score(entry, ply, window)) return *score;
  }
  game_.legal_moves(here.position, &here.moves.legal);
  if (const std::optional<int> score = ended(ply, !here.moves.legal.empty())) return *score;
  if (options_.mate_distance_pruning) {  // No win comes sooner than at the next ply.
    window.alpha = std::max(window.alpha, ply - kWinScore);
    window.beta = std::min(window.beta, kWinScore - ply - 1);
    if (window.alpha >= window.beta) return window.alpha;
  }
  // A side without a free choice is not judged by how it stands.
  update_evaluation(ply);
  here.standing = here.is_forced ? plies_[std::max(ply - 2, 0)].standing : static_score(ply);
  here.improving = ply < 2 || here.standing > plies_[ply - 2].standing;
  if (!window.is_open() && !here.is_forced && !is_proven(window.beta)) {
    if (const std::optional<int> score = prune_by_evaluation(ply, window)) return *score;
    if (const std::optional<int> score = prune_by_null_move(ply, window)) return *score;
  }
  // Internal iterative reduction.
  if (!known && window.depth >= options_.iir_depth) --window.depth;
  return search_moves(ply, window, known ? entry.best : Move::pass());
}

// The score that a table entry of this position decides the node by.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::table_score(const TableEntry& entry, int ply,
                                                      const Window& window) const {
  if (entry.depth < window.depth || window.is_open()) return std::nullopt;
  if (options_.table_cutoffs != TableCutoffs::kAll &&
      (options_.table_cutoffs == TableCutoffs::kNone || entry.depth != window.depth))
    return std::nullopt;
  // A position that ends the game by repetition is not what the entry is about.
  if (info_.repetition > 0 && history_.occurrences() >= info_.repetition) return std::nullopt;
  const int score = entry.score_at(ply);
  if (!entry.cuts(score, window.alpha, window.beta)) return std::nullopt;
  return score;
}

// Reverse futility pruning.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::prune_by_evaluation(int ply, const Window& window) {
  const int standing = plies_[ply].standing;
  if (window.depth > options_.rfp_depth || standing - options_.rfp_margin * window.depth < window.beta)
    return std::nullopt;
  return standing;
}

// Null-move pruning.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::prune_by_null_move(int ply, const Window& window) {
  const Ply& here = plies_[ply];
  if (window.depth < options_.null_move_depth || here.after_null_move || here.standing < window.beta ||
      game::size(here.position.own()) < options_.null_move_pieces)
    return std::nullopt;
  Ply& next = plies_[ply + 1];
  next.position = here.position;
  next.position.to_move = other(here.position.to_move);
  ++next.position.ply;
  ++next.position.no_progress_plies;
  next.after_null_move = true;
  history_.push(next.position);
  const int reduction = options_.null_move_reduction + window.depth / options_.null_move_divisor;
  const int score =
      -search_node(ply + 1, {window.depth - 1 - reduction, -window.beta, 1 - window.beta, !window.cut});
  take_back();
  if (stopped_) return 0;
  if (score < window.beta) return std::nullopt;
  return is_proven(score) ? window.beta : score;
}

template <class Evaluation>
int AlphaBeta<Evaluation>::search_moves(int ply, Window window, Move table_move) {
  Ply& here = plies_[ply];
  NodeMoves& moves = here.moves;
  move_order_.order(here.position, table_move, &moves);
  moves.quiets.clear();
  const Window whole = window;
  const std::uint64_t repetition_draws = repetition_draws_;
  int best = -kInfinite;
  Move best_move = Move::pass();
  for (int number = 0; number < moves.legal.size(); ++number) {
    const int index = MoveOrder::take_next(&moves).index;
    const Move move = moves.legal[index];
    const bool capture = moves.takes[index];
    const bool quiet = !capture && !here.is_forced;
    if (quiet && !whole.is_open() && number > 0 && best > -kProvenScore &&
        prunes_quiet(ply, window, number)) {
      if (!moves.has_losing_captures) break;  // The rest are as quiet, and later.
      continue;
    }
    if (!here.is_forced && number > 0 && best > -kProvenScore && prunes_loss(ply, window, move, capture))
      continue;
    play(ply, move);
    const int reduction = quiet ? late_move_reduction(ply, whole, number, move) : 0;
    const int score =
        search_move(ply, {window.depth - 1, window.alpha, window.beta, whole.cut}, number, reduction);
    take_back();
    if (stopped_) return 0;
    if (score > best) best = score, best_move = move;
    window.alpha = std::max(window.alpha, score);
    if (window.alpha >= window.beta) {
      if (!capture) move_order_.remember_cut(here.position, move, window.depth, &moves);
      break;
    }
    if (!capture) moves.quiets.add(move);
  }
  if (options_.table_cutoffs != TableCutoffs::kExact || repetition_draws == repetition_draws_)
    store(ply, whole, best, best_move);
  return best;
}

// Late move pruning and futility pruning.
template <class Evaluation>
bool AlphaBeta<Evaluation>::prunes_quiet(int ply, const Window& window, int number) const {
  const int depth = window.depth;
  if (depth <= options_.lmp_depth) {
    const int moves = options_.lmp_base + options_.lmp_factor * depth * depth;
    if (number >= (options_.lmp_improving && !plies_[ply].improving ? moves / 2 : moves)) return true;
  }
  return depth <= options_.futility_depth &&
         plies_[ply].standing + options_.futility_base + options_.futility_margin * depth <= window.alpha;
}

// Pruning of moves that lose material.
template <class Evaluation>
bool AlphaBeta<Evaluation>::prunes_loss(int ply, const Window& window, Move move, bool capture) const {
  const Ply& here = plies_[ply];
  if (window.depth > options_.see_depth || !move.is_step() ||
      !game::contains(here.moves.guarded, move.destination()))
    return false;
  const int margin = capture ? options_.see_capture_margin : options_.see_quiet_margin;
  return !wins_exchange(game_, here.position, move, -margin * window.depth);
}

// Late move reduction of a quiet move, in plies.
template <class Evaluation>
int AlphaBeta<Evaluation>::late_move_reduction(int ply, const Window& window, int number, Move move) const {
  const int depth = window.depth;
  if (depth < options_.lmr_depth || number < options_.lmr_moves) return 0;
  int reduction = reductions_[std::min(depth, kReductionSize - 1)][std::min(number, kReductionSize - 1)];
  reduction -= window.is_open();
  if (!plies_[ply].improving) reduction += options_.lmr_worsening;
  if (window.cut) reduction += options_.lmr_cut;
  reduction -= move_order_.history(plies_[ply].position.to_move, move) / options_.lmr_history;
  return std::clamp(reduction, 0, depth - 2);
}

// Principal variation search: a move that is not the first has to raise alpha in a null window before it is
// searched with the whole one. The move is already played.
template <class Evaluation>
int AlphaBeta<Evaluation>::search_move(int ply, const Window& below, int number, int reduction) {
  if (number == 0)
    return search_child(ply + 1, {below.depth, below.alpha, below.beta, !below.is_open() && !below.cut});
  const Window narrow{below.depth, below.alpha, below.alpha + 1, !below.cut};
  const Window reduced{narrow.depth - reduction, narrow.alpha, narrow.beta, true};
  int score = search_child(ply + 1, reduction > 0 ? reduced : narrow);
  if (reduction > 0 && score > below.alpha && !stopped_) score = search_child(ply + 1, narrow);
  if (score > below.alpha && score < below.beta && !stopped_) score = search_child(ply + 1, below);
  return score;
}

// Below a position at `ply` - 1, from the side of who moved there, who may have to move again (Gala).
template <class Evaluation>
int AlphaBeta<Evaluation>::search_child(int ply, const Window& window) {
  const bool again = plies_[ply].position.to_move == plies_[ply - 1].position.to_move;
  if (again) return search_node(ply, window);
  return -search_node(ply, {window.depth, -window.beta, -window.alpha, window.cut});
}

// Quiescence search: captures until the position is quiet; all moves where there is no free choice. Legal
// moves are listed where there are captures: that a side without any cannot move at all is not seen here.
template <class Evaluation>
int AlphaBeta<Evaluation>::search_captures(int ply, int plies_left, int alpha, int beta) {
  if (const std::optional<int> score = ended(ply, true)) return *score;
  Ply& here = plies_[ply];
  update_evaluation(ply);
  if (plies_left == 0) return static_score(ply);
  int best = here.is_forced ? ply - kWinScore : static_score(ply);
  alpha = std::max(alpha, best);
  if (alpha >= beta) return best;
  game::Threats threats;
  if (!here.is_forced) threats = game_.threats(here.position, here.position.to_move);
  if (!here.is_forced && threats.targets == 0) return best;
  game_.legal_moves(here.position, &here.moves.legal);
  if (here.moves.legal.empty()) return *ended(ply, false);
  if (here.is_forced)
    move_order_.order(here.position, Move::pass(), &here.moves);
  else
    move_order_.order_captures(here.position, info_.takes_by_arrival ? threats.targets : threats.destinations,
                               &here.moves);
  for (int number = 0; number < here.moves.legal.size(); ++number) {
    const NextMove next = MoveOrder::take_next(&here.moves);
    if (!here.is_forced && !next.is_good_capture()) break;  // Captures that do not lose come first.
    play(ply, here.moves.legal[next.index]);
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
template <class Evaluation>
int AlphaBeta<Evaluation>::search_capture(int ply, int plies_left, int alpha, int beta) {
  if (out_of_time()) return 0;
  count_node(ply);
  if (const std::optional<int> score = repeated(ply)) return *score;
  look_at_threats(ply);
  return search_captures(ply, plies_left, alpha, beta);
}

// A leaf without quiescence search.
template <class Evaluation>
int AlphaBeta<Evaluation>::evaluate_leaf(int ply) {
  MoveList& legal = plies_[ply].moves.legal;
  game_.legal_moves(plies_[ply].position, &legal);
  if (const std::optional<int> score = ended(ply, !legal.empty())) return *score;
  const int mobility = legal.size() - plies_[ply - 1].moves.legal.size();
  update_evaluation(ply);
  return static_score(ply) + options_.mobility_weight * mobility;
}

// REQUIRES: not the root; the accumulator of the ply before is that of its position.
template <class Evaluation>
void AlphaBeta<Evaluation>::update_evaluation(int ply) {
  const Ply& before = plies_[ply - 1];
  Ply& here = plies_[ply];
  evaluation_.update(before.position, before.accumulator, here.position, &here.accumulator);
}

// REQUIRES: the accumulator is that of the position.
template <class Evaluation>
int AlphaBeta<Evaluation>::static_score(int ply) const {
  const Ply& here = plies_[ply];
  const int score = evaluation_.evaluate(here.position, here.accumulator).value + hunt_score(here.position);
  return std::clamp(score, -kMostStatic, kMostStatic);
}

// Squares that the last men of the smaller side cannot slide to, weighted, for the side to move.
template <class Evaluation>
int AlphaBeta<Evaluation>::hunt_score(const Position& position) const {
  if (options_.hunted_men == 0) return 0;
  const game::Bitboard own = position.own(), enemy = position.enemy();
  const int lead = game::size(own) - game::size(enemy);
  const game::Bitboard hunted = lead > 0 ? enemy : own;
  const int men = game::size(hunted);
  if (lead == 0 || men > options_.hunted_men) return 0;
  const int lacking = kMostSlides - game::count_rook_slides(hunted, ~position.occupied()) / men;
  return options_.hunted_weight * lead * lacking;
}

template <class Evaluation>
void AlphaBeta<Evaluation>::play(int ply, Move move) {
  Ply& to = plies_[ply + 1];
  to.position = plies_[ply].position;
  to.after_null_move = false;
  game_.apply(move, &to.position);
  history_.push(to.position);
}

template <class Evaluation>
void AlphaBeta<Evaluation>::count_node(int ply) {
  ++nodes_;
  seldepth_ = std::max(seldepth_, ply);
}

// The key of the last position of a history. Scores of draws differ with the contempt.
template <class Evaluation>
std::uint64_t AlphaBeta<Evaluation>::key_of(const Position& position, const History& history) const {
  return table_key(info_, position, history.key(), options_.key_horizon) +
         static_cast<std::uint64_t>(contempt_of_white_) * 0x9E3779B97F4A7C15u;
}

// Cost of a draw to the side to move.
template <class Evaluation>
int AlphaBeta<Evaluation>::contempt(const Position& position) const {
  return position.to_move == game::Color::kWhite ? contempt_of_white_ : -contempt_of_white_;
}

// The score of a position that stands a second time at or below the root.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::repeated(int ply) {
  if (!options_.repetition_in_tree || info_.repetition == 0) return std::nullopt;
  if (history_.occurrences(root_size_ - 1) == 1) return std::nullopt;
  ++repetition_draws_;
  return -contempt(plies_[ply].position);
}

// The score of a position at which the game is over. `can_move`: there are legal moves, as far as known.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::ended(int ply, bool can_move) {
  const Position& position = plies_[ply].position;
  const game::Outcome outcome = game_.outcome(position, can_move, history_.occurrences());
  if (!outcome.over()) return probe(ply);
  if (outcome.result == game::Result::kDraw) {
    repetition_draws_ += outcome.reason == game::Reason::kRepetition;
    const double expected = draw_value_.of(outcome.reason, position, position.to_move);
    return Evaluation::draw_score(expected).value - contempt(position);
  }
  return outcome.result == win_of(position.to_move) ? kWinScore - ply : ply - kWinScore;
}

// The score of a position whose ending is solved.
template <class Evaluation>
std::optional<int> AlphaBeta<Evaluation>::probe(int ply) const {
  if (!probes_) return std::nullopt;
  const Position& position = plies_[ply].position;
  const std::optional<EndingValue> value = options_.endings->probe_to_end(position);
  if (!value) return std::nullopt;
  if (value->result == 0) return Evaluation::draw_score(kDrawnResult).value - contempt(position);
  return value->result * (kWinScore - ply - value->plies);
}

// Finds out whether the side to move is forced, and in the chess family what the enemy guards.
template <class Evaluation>
void AlphaBeta<Evaluation>::look_at_threats(int ply) {
  Ply& here = plies_[ply];
  const Position& position = here.position;
  here.is_forced = true;
  if (position.obliged[0] | position.obliged[1]) return;
  if (info_.must_take) {
    here.is_forced = game_.threats(position, position.to_move).targets != 0;
    return;
  }
  here.is_forced = false;
  if (!info_.takes_by_arrival) return;
  const game::Threats threats = game_.threats(position, other(position.to_move));
  here.moves.guarded = threats.destinations;
  here.is_forced = (threats.targets & game::kings(info_, position) & position.own()) != 0;
}

template <class Evaluation>
void AlphaBeta<Evaluation>::store(int ply, const Window& window, int score, Move best) {
  const Bound bound = score >= window.beta    ? Bound::kLower
                      : score <= window.alpha ? Bound::kUpper
                                              : Bound::kExact;
  table_.store({plies_[ply].key, TableEntry::stored_score(score, ply), best,
                static_cast<std::int8_t>(window.depth), bound});
}

// The line that the table holds, as far as it is legal and does not turn in a circle.
template <class Evaluation>
std::vector<Move> AlphaBeta<Evaluation>::principal_variation(Move first) const {
  std::vector<Move> line;
  Position here = plies_[0].position;
  History history(here);
  Move move = first;
  MoveList legal;
  while (static_cast<int>(line.size()) < kMostVariation) {
    game_.legal_moves(here, &legal);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) break;
    line.push_back(move);
    game_.apply(move, &here);
    history.push(here);
    game_.legal_moves(here, &legal);
    if (history.occurrences() > 1 || game_.outcome(here, !legal.empty(), 1).over()) break;
    const std::uint64_t key = key_of(here, history);
    const TableEntry entry = table_.slot(key);
    if (entry.key != key || entry.bound != Bound::kExact) break;
    move = entry.best;
  }
  return line;
}

template <class Evaluation>
std::chrono::nanoseconds AlphaBeta<Evaluation>::now() const {
  return limits_.clock ? limits_.clock() : std::chrono::steady_clock::now().time_since_epoch();
}

// True when a limit of the search or of the step is reached.
template <class Evaluation>
bool AlphaBeta<Evaluation>::out_of_time() {
  if (!may_stop_ || stopped_) return stopped_;
  if (nodes_ >= last_node_) return stopped_ = true;
  if (nodes_ % kClockNodes != 0) return false;
  const bool in_time = !limits_.time || now() < step_end_;
  done_ = (limits_.stop && *limits_.stop) || (!in_time && step_end_ == deadline_);
  return stopped_ = done_ || !in_time;
}

template class AlphaBeta<SmallEvaluator>;
template class AlphaBeta<MaterialEvaluation>;

}  // namespace makzero::mcts
