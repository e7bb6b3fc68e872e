#include "train/zoo/exam_endings.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"
#include "game/signature.h"
#include "mcts/ending_searcher.h"
#include "mcts/rng.h"
#include "train/match/match_game.h"
#include "train/match/match_player.h"
#include "train/zoo/match_book.h"

namespace makzero::train {
namespace {

using game::GameState;
using game::Move;
using game::Position;

constexpr int kTries = 20'000;                    // To find a position.
constexpr std::string_view kDefence = "endings";  // Opponent in the records.

std::span<const Move> all_moves(const GameState& state) {
  return {state.legal().begin(), state.legal().end()};
}

// Result of each move for who makes it: 1, 0, -1. Empty where one is not known.
std::vector<int> results_of_moves(const mcts::Endings& endings, const GameState& state) {
  std::vector<int> results;
  const mcts::EndingMoves known =
      mcts::ending_values(state.rules(), endings, state.position(), state.history(), all_moves(state));
  for (const auto& value : known.values) {
    if (!value) return {};
    results.push_back(value->result);
  }
  return results;
}

// Result of a position in which at most half of the moves keep it, which no lost one is; none of others.
std::optional<int> hard_result(const mcts::Endings& endings, const GameState& state) {
  if (state.over()) return std::nullopt;
  const std::vector<int> results = results_of_moves(endings, state);
  if (results.empty()) return std::nullopt;
  const int best = std::ranges::max(results);
  const auto keeping = static_cast<std::size_t>(std::ranges::count(results, best));
  return 2 * keeping <= results.size() ? std::optional(best) : std::nullopt;
}

// Position of a class, without counts; none where the number has none.
std::optional<Position> position_of(const game::Game& game, const mcts::EndingClass& ending,
                                    std::size_t number) {
  const std::optional<Position> placed = ending.position(number);
  std::vector<std::string> reasons;
  if (placed) game.check(*placed, &reasons);
  if (!placed || !reasons.empty()) return std::nullopt;
  const game::Parsed<Position> position = game::parse_position(game, game::position_text(game, *placed));
  return position ? std::optional(*position) : std::nullopt;
}

// A position with the wanted result (none: any), or none where that is hardly found.
std::optional<Position> draw_ending(const game::Game& game, const mcts::Endings& endings,
                                    std::span<const mcts::EndingClass> classes, std::optional<int> wanted,
                                    mcts::Rng* rng) {
  for (int i = 0; i < kTries; ++i) {
    const mcts::EndingClass& ending = classes[rng->below(classes.size())];
    const std::optional<Position> position = position_of(game, ending, rng->below(ending.size()));
    if (!position) continue;
    const std::optional<int> result = hard_result(endings, GameState(game, *position));
    if (result && (!wanted || result == wanted)) return position;
  }
  return std::nullopt;
}

// Positions that are played by several threads.
class EndingHall {
 public:
  EndingHall(const game::Game& game, const mcts::Endings& endings, const models::PlayerSpec& player,
             const ExamRequest& request, const ShowProgress& progress, const std::vector<Position>& positions)
      : game_(game),
        endings_(endings),
        spec_(player),
        request_(request),
        progress_(progress),
        positions_(positions),
        book_(request.folder, std::string(kDefence), fmt::format("{:016x}", game::rules_signature(game))) {}

  // Plays what is missing.
  void play() {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (!find(positions_[i])) missing_.push_back(i);
    }
    const std::size_t threads = std::min(missing_.size(), static_cast<std::size_t>(request_.match.threads));
    {
      std::vector<std::jthread> workers(threads);
      for (std::jthread& worker : workers) worker = std::jthread([this] { work(); });
    }
    if (error_) std::rethrow_exception(error_);
  }

  ExamEndings count() {
    ExamEndings figures;
    for (const Position& position : positions_) {
      const MatchRecord& record = *find(position);
      const GameState state(game_, position);
      const std::vector<int> results = results_of_moves(endings_, state);
      const int best = std::ranges::max(results);
      const auto played = std::ranges::find(state.legal(), Move::from_bits(record.moves(0)));
      const bool kept = results[played - state.legal().begin()] == best;
      const bool finished = best > 0 && result_of(record).points == 1;
      ++(best > 0 ? figures.won : figures.drawn);
      (best > 0 ? figures.won_kept : figures.drawn_kept) += kept;
      figures.finished += finished;
    }
    return figures;
  }

 private:
  const MatchRecord* find(const Position& position) {
    const std::string start = game::position_text(game_, position);
    for (const MatchRecord& record : book_.of({spec_.name(), std::string(kDefence)}))
      if (record.start() == start) return &record;
    return nullptr;
  }

  void work() try {
    MatchPlayer player(game_, spec_, request_.match.backend);
    while (!request_.match.stop.stop_requested()) {
      const std::size_t next = next_.fetch_add(1, std::memory_order_relaxed);
      if (next >= missing_.size()) return;
      const std::optional<MatchRecord> record = play_one(positions_[missing_[next]], missing_[next], &player);
      if (!record) return;
      const std::lock_guard lock(mutex_);
      book_.add({*record});
      progress_({"endings",
                 static_cast<int>(positions_.size() - missing_.size()) + ++done_,
                 static_cast<int>(positions_.size()),
                 {}});
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }

  // The player's move, and of a won position the game while it is won. None where it was stopped.
  std::optional<MatchRecord> play_one(const Position& start, std::size_t number, MatchPlayer* player) const {
    const std::string text = game::position_text(game_, start);
    MatchGame game(game_, static_cast<int>(2 * number) + (start.to_move == game::Color::kBlack),
                   XXH3_64bits(text.data(), text.size()), {start, {}});
    do {
      if (request_.match.stop.stop_requested()) return std::nullopt;
      const Turn turn = game.turn();
      game.play(game.a_to_move() ? player->choose(std::span(&turn, 1)).front() : defend(turn.root));
    } while (!game.over() && may_win(game));
    MatchRecord record = game.record();
    record.set_player_a(spec_.name());
    record.set_player_b(std::string(kDefence));
    return record;
  }

  Choice defend(const mcts::SearchRoot& root) const {
    const std::span moves(root.legal->begin(), root.legal->end());
    const std::vector<Move> best =
        mcts::best_ending_moves(game_, endings_, *root.position, *root.history, moves);
    return {best.empty() ? moves.front() : best.front()};
  }

  bool may_win(const MatchGame& game) const {
    const std::optional<mcts::EndingValue> value = endings_.probe(*game.turn().root.position);
    return !value || value->result == (game.a_to_move() ? 1 : -1);
  }

  const game::Game& game_;
  const mcts::Endings& endings_;
  const models::PlayerSpec& spec_;
  const ExamRequest& request_;
  const ShowProgress& progress_;
  const std::vector<Position>& positions_;
  std::vector<std::size_t> missing_;
  std::atomic<std::size_t> next_ = 0;  // Each takes its own position: no order needed.
  std::mutex mutex_;                   // Of the rest, and of progress_.
  MatchBook book_;
  int done_ = 0;
  std::exception_ptr error_;
};

}  // namespace

std::vector<Position> draw_endings(const game::Game& game, const mcts::Endings& endings, int count) {
  std::vector<mcts::EndingClass> classes;
  for (const mcts::Material material : mcts::ending_materials(game)) {
    mcts::EndingClass ending(game, material);
    std::size_t number = 0;
    while (!ending.position(number)) ++number;
    if (endings.find(*ending.position(number))) classes.push_back(std::move(ending));
  }
  std::vector<Position> positions;
  mcts::Rng rng(1);
  bool both = true;
  while (static_cast<int>(positions.size()) < count && !classes.empty()) {
    const int turn = 1 - static_cast<int>(positions.size()) % 2;
    const auto position =
        draw_ending(game, endings, classes, both ? std::optional(turn) : std::nullopt, &rng);
    if (position) positions.push_back(*position);
    if (!position && !both) break;
    both = both && position;
  }
  return positions;
}

std::optional<ExamEndings> take_endings(const game::Game& game, const mcts::Endings& endings,
                                        const models::PlayerSpec& player, const ExamRequest& request,
                                        const ShowProgress& progress) {
  const std::vector<Position> positions = draw_endings(game, endings, request.endings);
  EndingHall hall(game, endings, player, request, progress, positions);
  hall.play();
  return request.match.stop.stop_requested() ? std::nullopt : std::optional(hall.count());
}

}  // namespace makzero::train
