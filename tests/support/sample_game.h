// A whole game told as text, for readers who know the rules and need not program.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"

namespace makzero::game {

// What a game is made of. Its players look two plies ahead in `white` and `black` of a hundred moves, and
// play any move else.
struct Sample {
  std::string file;     // Without ".txt".
  std::string ruleset;  // With options: "makruk:count.mode=manual".
  int seed, white, black;
  std::string start = "";  // The position to begin with; empty: the game's own.
};

inline void PrintTo(const Sample& sample, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << sample.file;
}

class SampleGame {
 public:
  explicit SampleGame(const Sample& sample)
      : sample_(sample),
        game_(*make_game(sample.ruleset)),
        info_(game_->info()),
        position_(sample.start.empty() ? game_->initial() : *parse_position(*game_, sample.start)),
        history_(position_),
        rng_(sample.seed) {
    game_->legal_moves(position_, &legal_);
  }

  // Plays the game and tells it.
  std::string text() {
    tell_header();
    tell_board();
    while (!outcome().over()) {
      maybe_declare();
      play(chosen_move());
      if (outcome().over() || board_is_due()) tell_board();
    }
    tell_end();
    return out_.str();
  }

 private:
  static constexpr size_t kWidth = 110;
  static constexpr int kFullLists = 3;  // Boards with all legal moves.

  // --- How it plays ---

  Outcome outcome() const { return game_->outcome(position_, !legal_.empty(), history_.occurrences()); }

  int below(int bound) { return static_cast<int>(rng_() % static_cast<std::uint64_t>(bound)); }

  void maybe_declare() {
    for (const Declaration declaration : game_->declarations(position_)) {
      if (below(6) != 0) continue;
      out_ << "       " << name(position_.to_move) << "  claims to " << declaration_text(declaration) << "\n";
      game_->declare(declaration, &position_);
    }
  }

  // The order of the moves is that of their texts, so that no generator's own order matters.
  Move chosen_move() {
    std::map<std::string, Move> moves;
    for (const Move move : legal_) moves[move_text(*game_, position_, move)] = move;
    const int skill = position_.to_move == Color::kWhite ? sample_.white : sample_.black;
    const bool looks_ahead = below(100) < skill;
    std::vector<std::pair<int, Move>> scored;
    for (const auto& [text, move] : moves) scored.emplace_back(looks_ahead ? score(move) : 0, move);
    const int best = std::max_element(scored.begin(), scored.end(), [](const auto& a, const auto& b) {
                       return a.first < b.first;
                     })->first;
    std::erase_if(scored, [&](const auto& each) { return each.first < best; });
    return scored[below(static_cast<int>(scored.size()))].second;
  }

  // Material after the best reply, then the freedom that the reply leaves.
  int score(Move move) {
    const Color us = position_.to_move;
    Position child = position_;
    game_->apply(move, &child);
    MoveList replies;
    game_->legal_moves(child, &replies);
    history_.push(child);
    const Outcome outcome = game_->outcome(child, !replies.empty(), history_.occurrences());
    history_.pop();
    if (outcome.over()) return value(outcome, us);
    int worst = 1 << 30;
    for (const Move reply : replies) {
      Position grandchild = child;
      game_->apply(reply, &grandchild);
      MoveList next;
      game_->legal_moves(grandchild, &next);
      const Outcome end = game_->outcome(grandchild, !next.empty(), 1);
      const int balance = material_lead(info_, grandchild, us);
      worst = std::min(worst, end.over() ? value(end, us) : 100 * balance - replies.size());
    }
    return worst;
  }

  static int value(Outcome outcome, Color us) {
    if (outcome.result == Result::kDraw) return 0;
    return outcome.result == win_of(us) ? 1 << 28 : -(1 << 28);
  }

  void play(Move move) {
    const Position before = position_;
    const bool only_captures = std::all_of(
        legal_.begin(), legal_.end(), [&](Move each) { return taken(before, after(before, each)) != 0; });
    std::string line = std::to_string(before.ply + 1) + ". ";
    line.insert(0, 5 - std::min<size_t>(5, line.size()), ' ');
    line += name(before.to_move) + "  " + move_text(*game_, before, move);
    game_->apply(move, &position_);
    history_.push(position_);
    game_->legal_moves(position_, &legal_);
    line += std::string(20 - std::min<size_t>(19, line.size()), ' ') + notes(before, move);
    if (only_captures) line += "; only captures were legal";
    captured_ = captured_ || taken(before, position_);
    while (line.back() == ' ') line.pop_back();
    out_ << line << "\n";
  }

  // --- How it tells ---

  static std::string declaration_text(Declaration declaration) {
    return declaration == Declaration::kStartCount ? "start the count" : "stop the count";
  }

  static std::string name(Color side) { return side == Color::kWhite ? "White" : "Black"; }

  Position after(Position position, Move move) const {
    game_->apply(move, &position);
    return position;
  }

  static Bitboard taken(const Position& before, const Position& after) {
    return before.enemy() & ~after.side[index(other(before.to_move))];
  }

  // "e4", or "ne4" where there are several kinds of piece.
  std::string piece_text(const Position& position, Square square) const {
    if (info_.kinds.size() == 1) return square_text(square);
    for (size_t kind = 0; kind < info_.kinds.size(); ++kind) {
      if (!contains(position.kind[kind], square)) continue;
      const char letter = info_.kinds[kind];
      const bool white = contains(position.side[0], square);
      return std::string(1, white ? letter : static_cast<char>(letter - 'A' + 'a')) + square_text(square);
    }
    return square_text(square);
  }

  std::string taken_text(const Position& before, const Position& after) const {
    std::string text;
    for (Bitboard gone = taken(before, after); gone;) text += " " + piece_text(before, pop_first(&gone));
    return text.empty() ? "" : "takes" + text;
  }

  // What a move did, as "takes b5 c4 c6; count 9/32".
  std::string notes(const Position& before, Move move) const {
    std::vector<std::string> notes;
    if (move.is_pass()) notes.push_back("passes");
    notes.push_back(taken_text(before, position_));
    if (move.is_step()) {
      const Bitboard pushed =
          position_.side[index(before.to_move)] & ~before.own() & ~bit(move.destination());
      if (pushed) notes.push_back("its pawn steps to " + square_text(first_square(pushed)));
      const std::string was = piece_text(before, move.origin()).substr(0, 1);
      const std::string is = piece_text(position_, move.destination()).substr(0, 1);
      if (info_.kinds.size() > 1 && was != is) notes.push_back("becomes " + is);
    }
    if (before.rights != position_.rights) notes.push_back("first moves left: " + rights());
    if (position_.obliged[0] | position_.obliged[1])
      notes.push_back("obliges" + game_->fields_text(position_));
    if (info_.has_counting && game_->threats(position_, before.to_move).targets & position_.kind[0])
      notes.push_back("check");
    if (position_.count_limit) notes.push_back(count());
    if (history_.occurrences() > 1)
      notes.push_back("this position has occurred " + std::to_string(history_.occurrences()) + " times");
    std::erase(notes, "");
    std::string text;
    for (const std::string& note : notes) text += (text.empty() ? "" : "; ") + note;
    return text;
  }

  std::string rights() const {
    std::istringstream fields(game_->fields_text(position_));
    std::string rights;
    fields >> rights;
    return rights == "-" ? "none" : rights;
  }

  std::string count() const {
    return "count " + std::to_string(position_.count) + "/" + std::to_string(position_.count_limit);
  }

  void tell_header() {
    out_ << info_.title << "\n\n";
    tell("ruleset", {info_.ruleset});
    tell("rules", words(info_.summary));
    tell("source", words(info_.source));
    std::vector<std::string> options;
    for (const OptionInfo& option : info_.options) options.push_back(option.name + "=" + option.value);
    tell("options", options);
    tell("pieces", words("capital letters are White's, small ones Black's"));
    if (info_.no_progress)
      tell("quiet plies", words("plies since the last capture or drop, of those that draw"));
    if (info_.has_counting)
      tell("count", words("plies counted / plies allowed; the game is drawn when more are counted"));
  }

  bool board_is_due() const {
    const int plies = position_.ply - last_board_;
    return boards_ < kFullLists || plies >= 30 || (captured_ && plies >= 14);
  }

  void tell_board() {
    out_ << "\n" << board_text(*game_, position_);
    tell("position", {position_text(*game_, position_)});
    if (info_.no_progress)
      tell("quiet plies",
           {std::to_string(position_.no_progress_plies), "of", std::to_string(info_.no_progress)});
    std::vector<std::string> moves, captures;
    for (const Move move : legal_) {
      moves.push_back(move_text(*game_, position_, move));
      const std::string takes = taken_text(position_, after(position_, move));
      if (!takes.empty()) captures.push_back(moves.back() + " " + takes + ",");
    }
    std::sort(moves.begin(), moves.end());
    std::sort(captures.begin(), captures.end());
    if (boards_++ >= kFullLists) moves.clear();
    moves.insert(moves.begin(), std::to_string(legal_.size()) + (moves.empty() ? "" : ":"));
    tell("legal moves", moves);
    if (!captures.empty()) {
      captures.back().pop_back();
      tell("captures", words(joined(captures)));
    }
    tell_declarations();
    out_ << "\n";
    last_board_ = position_.ply;
    captured_ = false;
  }

  void tell_declarations() {
    for (const Declaration declaration : game_->declarations(position_))
      tell("claim", words(declaration_text(declaration)));
  }

  void tell_end() {
    out_ << "The game is over after " << position_.ply << " plies: " << result_text(outcome().result) << ", "
         << reason_text(outcome().reason) << ".\n";
    if (game_->declarations(position_).empty()) out_ << "No claim is open to the side to move.\n";
    tell_declarations();
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  static std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }

  // A line "label   words", continued below itself.
  void tell(const std::string& label, const std::vector<std::string>& words) {
    std::string line = label + std::string(12 - label.size(), ' ');
    for (const std::string& word : words) {
      if (line.size() + 1 + word.size() > kWidth) {
        out_ << line << "\n";
        line = std::string(12, ' ');
      }
      line += " " + word;
    }
    out_ << line << "\n";
  }

  const Sample sample_;
  const GamePtr game_;
  const GameInfo& info_;
  Position position_;
  History history_;
  MoveList legal_;
  std::mt19937_64 rng_;
  std::ostringstream out_;
  int boards_ = 0, last_board_ = 0;
  bool captured_ = false;  // Since the last board.
};

}  // namespace makzero::game
