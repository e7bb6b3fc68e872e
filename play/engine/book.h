// Opening book of an engine: the moves of known positions that are as good as the best.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"
#include "play/played_game.h"

namespace makzero::play {

// Constant, and so thread-safe.
//
// Its text has a line for each position, "MOVES : REPLIES": the moves that lead there from the start, in
// coordinates, and those of the book. Lines that begin with '#' are remarks.
class Book {
 public:
  // The moves of each position, by their line from the start.
  using Lines = std::vector<std::pair<std::vector<game::Move>, std::vector<game::Move>>>;

  Book(const game::Game& rules, const Lines& lines);

  // The moves of a position; empty where it is not in the book.
  std::vector<game::Move> moves(const game::Position& position) const;

  // One of them, each as likely as any other, the same for the same seed.
  std::optional<game::Move> choose(const game::Position& position, std::uint64_t seed) const;

 private:
  std::map<std::uint64_t, std::vector<game::Move>> replies_;  // By repetition key.
};

// A failure names the line.
game::Parsed<Book> parse_book(const game::Game& rules, std::string_view text);

// `about`: a remark.
std::string book_text(const game::Game& rules, const Book::Lines& lines, const std::string& about);

}  // namespace makzero::play
