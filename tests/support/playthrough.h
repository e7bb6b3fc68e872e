// A game that a test plays by text; a step that is not possible fails the test with its reason.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"

namespace makzero::game {

class Playthrough {
 public:
  // `text` = "" is the start position.
  explicit Playthrough(std::string_view spec, std::string_view text = "") : game_(made(spec)) {
    position_ = game_->initial();
    if (!text.empty()) {
      const auto parsed = parse_position(*game_, text);
      EXPECT_TRUE(parsed) << text << ": " << parsed.why();
      if (parsed) position_ = *parsed;
    }
    history_ = History(position_);
  }

  // Plays "e3e4 d6d5".
  Playthrough& play(const std::string& moves) {
    std::istringstream texts(moves);
    for (std::string text; texts >> text;) {
      const auto move = parse_move(*game_, position_, text);
      if (!move) {
        ADD_FAILURE() << move.why();
        return *this;
      }
      play(*move);
    }
    return *this;
  }

  void play(Move move) {
    game_->apply(move, &position_);
    history_.push(position_);
  }

  Playthrough& declare(Declaration declaration) {
    const std::vector<Declaration> declarations = game_->declarations(position_);
    if (std::find(declarations.begin(), declarations.end(), declaration) == declarations.end()) {
      ADD_FAILURE() << "the declaration is not offered in " << text();
      return *this;
    }
    game_->declare(declaration, &position_);
    return *this;
  }

  const Game& game() const { return *game_; }
  const Position& position() const { return position_; }
  std::string text() const { return position_text(*game_, position_); }

  // The fields behind the side to move: "- 128 36 52".
  std::string fields() const { return game_->fields_text(position_).substr(1); }

  MoveList legal() const {
    MoveList moves;
    game_->legal_moves(position_, &moves);
    return moves;
  }

  Outcome outcome() const { return game_->outcome(position_, !legal().empty(), history_.occurrences()); }

  // The texts of the legal moves that begin with `prefix`, sorted, as one line: "e5d6m e5e6m".
  std::string moves(std::string_view prefix = "") const {
    std::vector<std::string> texts;
    for (const Move move : legal()) {
      const std::string text = move_text(*game_, position_, move);
      if (text.starts_with(prefix)) texts.push_back(text);
    }
    std::sort(texts.begin(), texts.end());
    std::string line;
    for (const std::string& text : texts) line += (line.empty() ? "" : " ") + text;
    return line;
  }

  // "e5e7 e8" for each capturing move and the squares that it takes, sorted.
  std::vector<std::string> captures() const {
    std::vector<std::string> lines;
    for (const Move move : legal()) {
      Position after = position_;
      game_->apply(move, &after);
      std::string line = move_text(*game_, position_, move);
      Bitboard taken = position_.enemy() & ~after.occupied();
      if (!taken) continue;
      while (taken) line += " " + square_text(pop_first(&taken));
      lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  static GamePtr made(std::string_view spec) {
    auto game = make_game(spec);
    if (!game) throw std::invalid_argument(game.why());
    return *game;
  }

  GamePtr game_;
  Position position_;
  History history_;
};

}  // namespace makzero::game
