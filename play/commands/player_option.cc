#include "play/commands/player_option.h"

#include "play/commands/command.h"

namespace makzero::play {

models::PlayerSpec player_or_usage_error(const std::string& flag, const std::string& text,
                                         const models::PlayerPlaces& places) {
  const game::Parsed<models::PlayerSpec> player = models::parse_player(text, places);
  if (!player) throw UsageError(flag + ": " + player.why());
  return *player;
}

models::PlayerSpec limited_player_or_usage_error(const std::string& flag, const std::string& text,
                                                 const models::PlayerPlaces& places) {
  const models::PlayerSpec player = player_or_usage_error(flag, text, places);
  if (!player.strength.limited()) throw UsageError(flag + ": '" + text + "' has no limit: add ?nodes=N");
  return player;
}

}  // namespace makzero::play
