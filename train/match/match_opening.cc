#include "train/match/match_opening.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "models/error.h"

namespace makzero::train {

namespace {

constexpr int kDraws = 1000;
constexpr int kLargestGain = 200;  // Hundredths of a man.
constexpr std::size_t kShownLines = 3;
constexpr std::string_view kInitial = "startpos", kMoves = "moves", kExam = "exam", kBlanks = " \t\r";

// Plays random moves; false when the game ends on the way or a side has gained too much at the end.
bool play_random_moves(const game::Game& game, int plies, mcts::Rng* rng, std::vector<game::Move>* moves) {
  game::GameState state(game);
  *moves = state.random_playout(plies, rng);
  if (state.over()) return false;
  return std::abs(material_gain(game, state.position())) <= kLargestGain;
}

// The opening of a line, or why there is none.
game::Parsed<MatchOpening> parse_opening(const game::Game& game, const std::string& line) {
  using Failure = game::Parsed<MatchOpening>;
  std::istringstream words(line);
  std::string start, word;
  while (words >> word && word != kMoves) start += (start.empty() ? "" : " ") + word;
  MatchOpening opening{game.initial(), {}};
  if (start != kInitial) {
    const game::Parsed<game::Position> position = parse_position(game, start);
    if (!position) return Failure::failure(position.reasons());
    opening.start = *position;
  }
  game::GameState state(game, opening.start);
  for (;;) {
    if (state.over())
      return Failure::failure({"the game is over after " + std::to_string(opening.moves.size()) + " moves"});
    if (!(words >> word)) return opening;
    const game::Parsed<game::Move> move = parse_move(game, state.position(), word);
    if (!move) return Failure::failure(move.reasons());
    opening.moves.push_back(*move);
    state.play(*move);
  }
}

}  // namespace

game::Parsed<OpeningBook> parse_openings(const game::Game& game, std::string_view text,
                                         const std::string& file) {
  OpeningBook book;
  std::vector<std::string> reasons;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    line.resize(line.find_last_not_of(kBlanks) + 1);
    if (line.empty()) continue;
    if (line == kExam) {
      book.exam = true;
      continue;
    }
    const game::Parsed<MatchOpening> opening = parse_opening(game, line);
    if (opening) book.openings.push_back(*opening);
    if (!opening) reasons.push_back(file + ":" + std::to_string(number) + ": " + opening.why());
  }
  if (reasons.size() > kShownLines) {
    const std::string rest = std::to_string(reasons.size() - kShownLines);
    reasons.resize(kShownLines);
    reasons.push_back("and " + rest + " more lines of it");
  }
  if (reasons.empty() && book.openings.empty())
    reasons.push_back(file + ": no opening in it; write one a line, as in startpos moves ...");
  if (!reasons.empty()) return game::Parsed<OpeningBook>::failure(reasons);
  return book;
}

std::string openings_text(const game::Game& game, const OpeningBook& book, const std::string& about) {
  std::string text = "# " + about + "\n";
  if (book.exam) text += std::string(kExam) + "\n";
  for (const MatchOpening& opening : book.openings) {
    text += std::string(kInitial) + " " + std::string(kMoves);
    game::Position position = opening.start;
    for (const game::Move move : opening.moves) {
      text += " " + move_text(game, position, move);
      game.apply(move, &position);
    }
    text += '\n';
  }
  return text;
}

std::vector<game::Move> draw_match_opening(const game::Game& game, int plies, std::uint64_t seed) {
  mcts::Rng rng(seed);
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<game::Move> moves;
    if (play_random_moves(game, plies, &rng, &moves)) return moves;
  }
  throw models::Error("no opening of " + std::to_string(plies) + " random plies leaves " +
                      game.info().ruleset + " undecided; ask for fewer opening plies");
}

}  // namespace makzero::train
