#include "play/engine/book.h"

#include <sstream>
#include <utility>

#include "game/notation.h"
#include "mcts/rng.h"

namespace makzero::play {
namespace {

using game::Move;
using game::Position;

Position position_after(const game::Game& rules, const std::vector<Move>& moves) {
  Position position = rules.initial();
  for (const Move move : moves) rules.apply(move, &position);
  return position;
}

}  // namespace

Book::Book(const game::Game& rules, const Lines& lines) {
  for (const auto& [moves, replies] : lines)
    replies_.emplace(game::repetition_key(position_after(rules, moves)), replies);
}

std::vector<Move> Book::moves(const Position& position) const {
  const auto found = replies_.find(game::repetition_key(position));
  return found == replies_.end() ? std::vector<Move>() : found->second;
}

std::optional<Move> Book::choose(const Position& position, std::uint64_t seed) const {
  const std::vector<Move> known = moves(position);
  if (known.empty()) return std::nullopt;
  return known[mcts::Rng(seed ^ game::repetition_key(position)).next() % known.size()];
}

game::Parsed<Book> parse_book(const game::Game& rules, std::string_view text) {
  Book::Lines lines;
  std::istringstream input{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(input, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<Move> moves, replies;
    Position position = rules.initial();
    bool leads = true;  // Before the colon.
    for (std::string word; words >> word;) {
      if (word == ":") {
        leads = false;
        continue;
      }
      const game::Parsed<Move> move = game::parse_move(rules, position, word);
      if (!move) return game::Parsed<Book>::failure({"line " + std::to_string(number) + ": " + move.why()});
      (leads ? moves : replies).push_back(*move);
      if (leads) rules.apply(*move, &position);
    }
    if (replies.empty())
      return game::Parsed<Book>::failure({"line " + std::to_string(number) + ": no moves behind ':'"});
    lines.emplace_back(std::move(moves), std::move(replies));
  }
  return Book(rules, lines);
}

std::string book_text(const game::Game& rules, const Book::Lines& lines, const std::string& about) {
  std::string text = "# " + about + "\n";
  for (const auto& [moves, replies] : lines) {
    Position position = rules.initial();
    for (const Move move : moves) {
      text += game::move_text(rules, position, move) + " ";
      rules.apply(move, &position);
    }
    text += ':';
    for (const Move move : replies) text += " " + game::move_text(rules, position, move);
    text += '\n';
  }
  return text;
}

}  // namespace makzero::play
