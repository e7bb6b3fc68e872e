// A match as text for other machines, and its pairs as they come back.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "train/hub/hub.h"
#include "train/match/arena.h"

namespace makzero::train {

// A match of one game, as both sides know it.
struct SharedMatch {
  game::GamePtr game;
  PlayerSpec a, b;
  MatchOptions options;  // Threads and backend are each machine's own.
};

// Whether others can play it too: networks by their number of simulations, and players without a program of
// their own; moves do not depend on the machine's speed.
bool is_shareable(const PlayerSpec& a, const PlayerSpec& b, const MatchOptions& options);

// REQUIRES: is_shareable().
std::string job_text(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                     const MatchOptions& options);

// The file of a network by its id.
using NetworkFinder = std::function<std::filesystem::path(const std::string& id)>;

// What `text` says, for a program that plays these games. Nothing else than what is_shareable() allows is
// played, whoever wrote the text. Throws models::Error.
SharedMatch read_job(const std::string& text, std::span<const game::GamePtr> games,
                     const NetworkFinder& find_network);

// A played pair as it is sent.
std::string pair_frame(const std::string& job, const MatchPair& played);

// What was sent, or why it is no pair of this match.
struct ReadPair {
  std::optional<MatchPair> pair;
  std::string why;
};
ReadPair read_pair(const std::string& job, const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                   const MatchOptions& options, const PlayedPair& played);

}  // namespace makzero::train
