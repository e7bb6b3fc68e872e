// makzero puzzle: positions with one best move, for people to find.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "game/square.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/commands/training/suites.h"
#include "play/played_game.h"
#include "play/terminal/board_view.h"
#include "play/terminal/line_reader.h"
#include "play/views.h"

namespace makzero::play {
namespace {

namespace fs = std::filesystem;

struct PuzzleCommand {
  std::string game = "makyek";
  fs::path suites;
  int number = 0;  // 0: by chance.
  std::string language;
  Notation notation = Notation::kLetters;
};

enum class Outcome : std::uint8_t { kSolvedAtOnce, kPassed, kQuit };

// One position until it is solved or left.
class Puzzle {
 public:
  Puzzle(const game::GamePtr& rules, const train::BaselinePosition& position, BoardStyle style)
      : game_(rules, position.position), answer_(position.judgements.back()), style_(std::move(style)) {
    style_.flipped = game_.position().to_move == game::Color::kBlack;
  }

  // Solved at once: by the first move that is tried, without a hint.
  Outcome ask(LineReader* lines) {
    std::cout << draw_board(game_, style_) << describe_state(game_, style_.language) << "\n";
    const std::string question =
        t("{side} to move, one move is best", {{"side", side_name(game_.position().to_move)}});
    for (bool tried = false;;) {
      const TypedLine line = lines->read({question + " > "});
      if (!line.text || *line.text == "quit") return Outcome::kQuit;
      if (*line.text == "next") return Outcome::kPassed;
      if (*line.text == "hint") {
        const game::Move move = answer_.move;
        std::cout << (move.is_step()
                          ? t("the piece on {square}", {{"square", game::square_text(move.origin())}})
                          : t("the piece in hand"))
                  << "\n";
        tried = true;
        continue;
      }
      if (*line.text == "solution") {
        std::cout << t("{move}, with which {percent} % of the points are expected", answer()) << "\n";
        return Outcome::kPassed;
      }
      const auto move = parse_written_move(game_.rules(), game_.position(), *line.text);
      if (!move) {
        std::cout << move.why() << "\n";
        continue;
      }
      if (*move == answer_.move) {
        std::cout << t("right: {move}, with which {percent} % of the points are expected", answer()) << "\n";
        return tried ? Outcome::kPassed : Outcome::kSolvedAtOnce;
      }
      std::cout << t("another move is better; 'hint', 'solution' and 'next' go on") << "\n";
      tried = true;
    }
  }

 private:
  std::string t(std::string_view english, MessageValues values = {}) const {
    return style_.language.text(message(english, std::move(values)));
  }

  MessageValues answer() const {
    return {{"move", written_move(game_.rules(), game_.position(), answer_.move, style_.notation)},
            {"percent", std::lround(100 * answer_.expected)}};
  }

  PlayedGame game_;
  const train::Judgement& answer_;
  BoardStyle style_;
};

int run_puzzle(const PuzzleCommand& command) {
  const game::GamePtr rules = game_or_usage_error(command.game);
  const fs::path suites = command.suites.empty() ? shipped_folder("exams") : command.suites;
  const train::Baseline puzzles = read_puzzles(*rules, suites);
  const int count = static_cast<int>(puzzles.positions.size());
  if (count == 0) {
    throw UsageError(fmt::format("no puzzles of this game in '{}': makzero exam {} --make puzzles --to {}",
                                 suites.string(), command.game,
                                 suite_file(*rules, suites, "-puzzles.tsv").string()));
  }
  if (command.number > count) throw UsageError(fmt::format("--number: give one from 1 to {}", count));
  BoardStyle style;
  style.color = shows_color();
  style.notation = command.notation;
  style.language = language_or_usage_error(command.language);
  std::unique_ptr<LineReader> lines = line_editor(kept_file("history"), take_interrupt);
  if (!lines) lines = std::make_unique<StreamLines>(std::cin, std::cout, take_interrupt);
  std::random_device chance;
  const int first =
      command.number > 0 ? command.number - 1 : std::uniform_int_distribution(0, count - 1)(chance);
  int shown = 0, at_once = 0;
  for (; shown < count; ++shown) {
    const int number = (first + shown) % count;
    std::cout << "\n"
              << style.language.text(
                     message("Puzzle {number} of {count}. Type a move, 'hint', 'solution', 'next' or 'quit'.",
                             {{"number", number + 1}, {"count", count}}))
              << "\n";
    const Outcome outcome = Puzzle(rules, puzzles.positions[number], style).ask(lines.get());
    if (outcome == Outcome::kQuit) break;
    at_once += outcome == Outcome::kSolvedAtOnce;
  }
  std::cout << "\n"
            << style.language.text(
                   message("{solved} of {count} solved at once", {{"solved", at_once}, {"count", shown}}))
            << "\n";
  return 0;
}

}  // namespace

Run add_puzzle(CLI::App* app) {
  auto command = std::make_shared<PuzzleCommand>();
  app->add_option("GAME", command->game, "Game (makyek)")->type_name("");
  add_number(app, "--number", &command->number, "Puzzle to begin with (any)", 1, 1'000'000);
  app->add_option("--suites", command->suites, "Folder of the positions (models/exams)")->type_name("DIR");
  add_language(app, &command->language);
  add_notation(app, &command->notation);
  app->footer(
      "Positions of the network's games in which a deep search finds one move better than all others by\n"
      "15 % of the points or more, and a shallow one misses it.\n\n"
      "Examples:\n"
      "  makzero puzzle\n"
      "  makzero puzzle kaok --number 12");
  return [command] { return run_puzzle(*command); };
}

}  // namespace makzero::play
