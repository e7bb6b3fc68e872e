// Review of a whole game: every position searched, the moves judged by what they gave away.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "play/engine/search_pool.h"
#include "play/notation/game_document.h"
#include "play/notation/judgement.h"

namespace makzero::play {

struct ReviewOptions {
  models::PlayerSpec player = {};
  int visits = 400;  // Simulations of a tower, a position; see limit_by_player().
  std::stop_token stop = {};
};

// A position of the game as its search sees it.
struct ReviewedPosition {
  float expected = 0.5f;         // White's expected result in [0, 1], a draw is worth a half.
  Eval eval = {};                // The same on the scale of chess programs.
  std::vector<game::Move> line;  // The best moves from there; empty where the game is over.
};

enum class Phase { kOpening, kMiddle, kEnding };
inline constexpr Phase kPhases[] = {Phase::kOpening, Phase::kMiddle, Phase::kEnding};

// The opening is the first 20 plies, the ending begins where a third of the start's pieces is left.
Phase phase_of(const PlayedGame& game, int action);
const char* phase_name(Phase phase);  // "opening", "middle game", "ending".

// A move after which less is expected than after the best one.
struct Mistake {
  int action = 0;  // Of the game.
  game::Color side = game::Color::kWhite;
  Judgement judgement = Judgement::kInaccuracy;
  Phase phase = Phase::kOpening;
  float loss = 0;                // Of the mover's expected result.
  float before = 0, after = 0;   // The mover's expected result.
  std::vector<game::Move> line;  // Begins with the better move.
};

struct GameReview {
  std::vector<std::optional<ReviewedPosition>> positions;  // [actions + 1]; none before a declaration.
  std::vector<Mistake> mistakes;                           // Greatest loss first.
  float average_loss[2] = {0, 0};                          // Of a move of White, of Black.
  float accuracy[2] = {100, 100};  // In percent, the mean of its moves, on lichess's scale.
};

// Draws by the rules that the players overlooked: "after 238 moves of both sides the rules gave a draw
// ...", "White could have declared the count from move 60 on".
std::vector<std::string> overlooked_draws(const PlayedGame& game);

// Called after every position that was searched: how many, of how many.
using ReviewProgress = std::function<void(int searched, int of)>;

// Searches the positions in the pool. Throws models::Error when a search fails; none when it was stopped.
std::optional<GameReview> review_game(const PlayedGame& game, const ReviewOptions& options, SearchPool* pool,
                                      const ReviewProgress& progress);

// The judgements of positions that were searched.
void judge(const PlayedGame& game, GameReview* review);

// Writes the review into the game: evaluations, glyphs where the file has none, a comment and the better line
// at every mistake. Evaluations of the file are kept in the comments.
void annotate(const GameReview& review, GameDocument* game);

}  // namespace makzero::play
