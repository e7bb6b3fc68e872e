#include "play/analysis/review.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "models/error.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using game::Color;

constexpr int kShownPlies = 6;  // Of a better line.
constexpr int kOpeningPlies = 20;
constexpr int kCrowd = 48;  // Searches that wait at once: each holds a copy of the game.

// A whole game to its end, beside the results of its searches.
class Reviewer {
 public:
  Reviewer(const PlayedGame& game, const ReviewOptions& options, SearchPool* pool,
           const ReviewProgress& progress)
      : game_(game), options_(options), pool_(pool), progress_(progress) {}

  std::optional<GameReview> run() {
    const std::stop_callback stopping(options_.stop, [this] { stop_searches(); });
    const int actions = static_cast<int>(game_.actions().size());
    review_.positions.resize(actions + 1);
    PlayedGame at(game_.rules_pointer(), game_.start());
    total_ = count_searched();
    for (int i = 0; i <= actions; ++i) {
      const game::Outcome& outcome = game_.outcome_before(i);
      if (is_looked_at(i) && outcome.over()) review_.positions[i] = decided_position(outcome.result);
      if (is_looked_at(i) && !outcome.over()) start(i, at);
      if (i < actions) at.repeat(game_.actions()[i]);
    }
    wait_below(1);
    if (!failure_.empty()) throw models::Error(failure_);
    if (stopped()) return std::nullopt;
    judge(game_, &review_);
    return std::move(review_);
  }

 private:
  // A position that is looked at: before a move, or at the end.
  bool is_looked_at(int turn) const {
    return turn == static_cast<int>(game_.actions().size()) || !game_.actions()[turn].declaration;
  }

  // The positions among those that the rules leave open.
  int count_searched() const {
    int count = 0;
    for (int turn = 0; turn <= static_cast<int>(game_.actions().size()); ++turn)
      count += is_looked_at(turn) && !game_.outcome_before(turn).over();
    return count;
  }

  // Searches the position after `turn` actions, once there is room for it.
  void start(int turn, const PlayedGame& at) {
    wait_below(kCrowd);
    const std::lock_guard lock(mutex_);
    if (stopped() || !failure_.empty()) return;
    ++waiting_;
    SearchRequest request{.game = at, .player = options_.player, .lines = 1};
    limit_by_player(options_.visits, &request);
    const Color mover = at.position().to_move;
    searches_[turn] = pool_->start(
        std::move(request), {.info = [](const SearchInfo&) {},
                             .finished = [=, this](const SearchInfo& info) { finish(turn, mover, info); },
                             .failed = [this](const std::string& why) { fail(why); }});
  }

  void finish(int turn, Color mover, const SearchInfo& info) {
    const Line& best = info.lines.front();
    const mcts::WhiteValue value = mcts::to_white(best.value, mover);
    const int sign = mover == Color::kWhite ? 1 : -1;
    ReviewedPosition position{.expected = value.white + value.draw / 2,
                              .eval = {.centipawns = sign * best.centipawns},
                              .line = best.moves};
    if (best.end_in_plies) position.eval.mate = mate_of(best, sign);
    {
      const std::lock_guard lock(mutex_);
      review_.positions[turn] = std::move(position);
    }
    {
      const std::lock_guard lock(progress_mutex_);  // It may request the stop, which takes the other.
      progress_(++searched_, total_);
    }
    const std::lock_guard lock(mutex_);
    end_one(turn);
  }

  // In moves of the winner.
  static int mate_of(const Line& best, int sign) {
    const int moves = (*best.end_in_plies + 1) / 2;
    return best.value.win >= best.value.loss ? sign * moves : -sign * moves;
  }

  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty() && !stopped()) failure_ = why;
    --waiting_;
    changed_.notify_all();
  }

  void end_one(int turn) {
    --waiting_;
    finished_.push_back(turn);
    changed_.notify_all();
  }

  bool stopped() const { return options_.stop.stop_requested(); }

  void stop_searches() {
    const std::lock_guard lock(mutex_);
    for (const auto& [turn, search] : searches_) {
      if (search) search->stop();
    }
  }

  // Returns when fewer than `most` searches are not ended.
  void wait_below(int most) {
    std::vector<std::shared_ptr<PooledSearch>> ended;  // Their trees are freed without the lock.
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ < most; });
    ended.reserve(finished_.size());
    for (const int turn : finished_) ended.push_back(std::exchange(searches_[turn], nullptr));
    finished_.clear();
  }

  static ReviewedPosition decided_position(game::Result result) {
    const int winner = (result == game::Result::kWhiteWins) - (result == game::Result::kBlackWins);
    ReviewedPosition position{.expected = 0.5f * static_cast<float>(1 + winner), .eval = {}, .line = {}};
    if (winner != 0) position.eval.mate = 0;
    return position;
  }

  const PlayedGame& game_;
  const ReviewOptions& options_;
  SearchPool* pool_;
  const ReviewProgress& progress_;
  std::mutex progress_mutex_;  // Of its calls and what they tell.
  int searched_ = 0, total_ = 0;
  std::mutex mutex_;  // Of what follows: the pool's threads answer.
  std::condition_variable changed_;
  GameReview review_;
  std::map<int, std::shared_ptr<PooledSearch>> searches_;  // By turn.
  std::vector<int> finished_;
  int waiting_ = 0;
  std::string failure_;
};

// lichess's, of a move that loses so much of the expected result.
float accuracy_of(float loss) {
  const float accuracy = 103.1668f * std::exp(-0.04354f * 100 * loss) - 3.1669f;
  return std::clamp(accuracy, 0.0f, 100.0f);
}

std::string eval_words(const Eval& eval) {
  if (eval.mate) return "mate in " + std::to_string(*eval.mate);
  char text[24];
  std::snprintf(text, sizeof text, "%+.2f", eval.centipawns / 100.0);
  return text;
}

int percent(float share) { return static_cast<int>(std::lround(100 * share)); }

// "(62 % to 31 %) Blunder. Nd2 was best."
std::string comment_on(const PlayedGame& game, const Mistake& mistake) {
  const std::string better =
      written_move(game.rules(), game.position_before(mistake.action), mistake.line.front());
  return "(" + std::to_string(percent(mistake.before)) + " % to " + std::to_string(percent(mistake.after)) +
         " %) " + std::string(judgement_word(mistake.judgement)) + ". " + better + " was best.";
}

}  // namespace

std::optional<GameReview> review_game(const PlayedGame& game, const ReviewOptions& options, SearchPool* pool,
                                      const ReviewProgress& progress) {
  return Reviewer(game, options, pool, progress).run();
}

Phase phase_of(const PlayedGame& game, int action) {
  if (action < kOpeningPlies) return Phase::kOpening;
  const int begun = game::size(game.rules().initial().occupied());
  const int left = game::size(game.position_before(action).occupied());
  return begun > 0 && 3 * left <= begun ? Phase::kEnding : Phase::kMiddle;
}

const char* phase_name(Phase phase) {
  static constexpr const char* kNames[] = {"opening", "middle game", "ending"};
  return kNames[static_cast<int>(phase)];
}

std::vector<std::string> overlooked_draws(const PlayedGame& game) {
  std::vector<std::string> lines;
  if (const auto passed = game.passed_end(); passed && passed->outcome.result == game::Result::kDraw) {
    lines.push_back("after " + std::to_string(passed->actions) +
                    " moves of both sides the rules gave a draw (" +
                    std::string(game::reason_text(passed->outcome.reason)) + ")");
  }
  bool offered[2] = {false, false}, declared[2] = {false, false};
  int first[2] = {0, 0};
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    const game::Position& position = game.position_before(i);
    const int side = game::index(position.to_move);
    declared[side] |= game.actions()[i].declaration.has_value();
    const auto offers = game.rules().declarations(position);
    const bool count =
        std::find(offers.begin(), offers.end(), game::Declaration::kStartCount) != offers.end();
    if (count && !std::exchange(offered[side], true)) first[side] = i + 1;
  }
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const int i = game::index(side);
    if (offered[i] && !declared[i])
      lines.push_back(std::string(side == Color::kWhite ? "White" : "Black") +
                      " could have declared the count before ply " + std::to_string(first[i]) +
                      " and did not");
  }
  return lines;
}

void judge(const PlayedGame& game, GameReview* review) {
  review->mistakes.clear();
  float lost[2] = {0, 0}, accuracy[2] = {0, 0};
  int moves[2] = {0, 0};
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    const auto& before = review->positions[i];
    const Action& action = game.actions()[i];
    if (action.declaration || !before || before->line.empty()) continue;
    size_t next = i + 1;
    while (next + 1 < review->positions.size() && !review->positions[next]) ++next;
    const auto& after = review->positions[next];
    if (!after) continue;
    const Color side = game.position_before(i).to_move;
    const auto of_mover = [side](float white) { return side == Color::kWhite ? white : 1 - white; };
    const bool best = before->line.front() == action.move;
    const float loss = best ? 0 : std::max(0.0f, of_mover(before->expected) - of_mover(after->expected));
    lost[game::index(side)] += loss;
    accuracy[game::index(side)] += accuracy_of(loss);
    ++moves[game::index(side)];
    if (const auto judgement = judgement_of(loss)) {
      review->mistakes.push_back({i, side, *judgement, phase_of(game, i), loss, of_mover(before->expected),
                                  of_mover(after->expected), before->line});
    }
  }
  for (const int side : {0, 1}) {
    if (moves[side] == 0) continue;
    review->average_loss[side] = lost[side] / static_cast<float>(moves[side]);
    review->accuracy[side] = accuracy[side] / static_cast<float>(moves[side]);
  }
  std::stable_sort(review->mistakes.begin(), review->mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.loss > b.loss; });
}

void annotate(const GameReview& review, GameDocument* game) {
  const std::vector<int> line = game->main_line();
  for (size_t turn = 1; turn < review.positions.size(); ++turn) {
    const bool move = !game->nodes[line[turn]].action.declaration;
    if (!review.positions[turn] || !move) continue;
    Note& note = game->nodes[line[turn]].note;
    if (note.eval)
      note.comment += (note.comment.empty() ? "" : " ") + ("(was " + eval_words(*note.eval) + ")");
    note.eval = review.positions[turn]->eval;
  }
  for (const Mistake& mistake : review.mistakes) {
    Note& note = game->nodes[line[mistake.action + 1]].note;
    const bool judged = std::any_of(note.nags.begin(), note.nags.end(),
                                    [](int nag) { return nag < static_cast<int>(kGlyphs.size()); });
    if (!judged) note.nags.insert(note.nags.begin(), judgement_nag(mistake.judgement));
    note.comment += (note.comment.empty() ? "" : " ") + comment_on(game->game, mistake);
    int node = line[mistake.action];
    for (size_t i = 0; i < std::min<size_t>(mistake.line.size(), kShownPlies); ++i) {
      node = game->follow(node, {mistake.line[i], std::nullopt});
    }
  }
}

}  // namespace makzero::play
