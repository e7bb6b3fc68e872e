#include "play/commands/game_files.h"

#include <iostream>
#include <map>

#include "play/commands/command.h"
#include "play/notation/pgn.h"

namespace makzero::play {
namespace {

// Adds up what a text of moves alone does not carry.
void count_annotations(const AnnotatedGame& game, std::map<std::string, int>* lost) {
  const PgnTags& tags = game.tags;
  const PgnTags none;
  (*lost)["tags"] += static_cast<int>(tags.others.size()) + (tags.event != none.event) +
                     (tags.site != none.site) + (tags.date != none.date) + (tags.round != none.round) +
                     (tags.white != none.white) + (tags.black != none.black);
  for (const GameNode& node : game.nodes) {
    const std::string& comment = node.note.comment;
    (*lost)["clocks"] +=
        comment.find("[%clk") != std::string::npos || comment.find("[%emt") != std::string::npos;
    (*lost)["comments"] += !comment.empty() && !(comment.starts_with("[%") && comment.ends_with(']'));
    (*lost)["evaluations"] += node.note.eval.has_value();
    (*lost)["glyphs"] += static_cast<int>(node.note.nags.size());
    (*lost)["variations"] += node.next.empty() ? 0 : static_cast<int>(node.next.size()) - 1;
  }
}

}  // namespace

void add_game_choice(CLI::App* app, std::string* choice) {
  const auto fits = [](const std::string& text) {
    int number = 0;
    return text == "all" || (CLI::detail::lexical_cast(text, number) && number > 0);
  };
  app->add_option("--game", *choice, "Which of several games in the file: a number, or all")
      ->type_name("N|all")
      ->check(wanted("the number of a game in the file, or 'all'", fits));
}

std::vector<NumberedGame> choose_games(const std::string& file, std::string_view text,
                                       const std::string& choice) {
  const std::vector<std::string_view> texts = split_games(text);
  std::vector<NumberedGame> games;
  games.reserve(texts.size());
  for (const std::string_view game : texts)
    games.push_back({static_cast<int>(games.size()) + 1, static_cast<int>(texts.size()), game});
  const std::string holds =
      file + " holds " + std::to_string(games.size()) + (games.size() == 1 ? " game" : " games");
  if (choice == "all" || (choice.empty() && games.size() == 1)) return games;
  if (choice.empty()) throw UsageError(holds + ": give --game N or --game all");
  const std::size_t number = std::stoul(choice);
  if (number > games.size()) throw UsageError("--game: " + holds);
  return {games[number - 1]};
}

void note_losses(const std::vector<AnnotatedGame>& games, bool as_text) {
  std::map<std::string, int> lost;
  for (const AnnotatedGame& game : games) {
    lost["variations that cannot be read"] += game.unread_variations;
    if (as_text) count_annotations(game, &lost);
  }
  for (const auto& [kind, count] : lost) {
    if (count > 0) std::cerr << "note: not written: " << count << " " << kind << "\n";
  }
}

}  // namespace makzero::play
