#include "play/terminal/outcome_sentence.h"

#include "play/terminal/board_view.h"
#include "play/views.h"

namespace makzero::play {

std::string outcome_sentence(const PlayedGame& game, const game::Outcome& outcome,
                             std::optional<game::Color> person, const Language& language) {
  const std::string cause = language.text(outcome_cause(game, outcome));
  const std::optional<game::Color> loser = loser_of(outcome.result);
  if (!loser) return language.text(message("Draw: {cause}.", {{"cause", cause}}));
  if (!person) {
    const std::string winner = side_name(game::other(*loser));
    return language.text(message("{side} wins: {cause}.", {{"side", winner}, {"cause", cause}}));
  }
  if (*loser == *person) return language.text(message("You lose: {cause}.", {{"cause", cause}}));
  return language.text(message("You win: {cause}.", {{"cause", cause}}));
}

}  // namespace makzero::play
