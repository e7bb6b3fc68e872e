// Gives a model its place in a zoo: plays the matches of its model card and writes its folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/zoo.h"
#include "train/match/arena.h"
#include "train/progress.h"

namespace makzero::train {

struct PublishOptions {
  std::vector<std::string> opponents{"random", "alphabeta:3"};
  int simulations = 64;                                // Of the tower per move.
  std::optional<std::chrono::milliseconds> time = {};  // Processor time per move, instead of simulations;
                                                       // of a small network 100 ms where none is named.
  bool small = false;  // The matches are the small network's, also where the model has a tower.
  MatchOptions match = {.games = 200};  // Games against each; openings and seed are fixed.
};

// Plays what is missing of the matches of a model's tower, else of its small network, against these
// opponents, then replaces ZOO/GAME and the page of the zoo. A network that the entry has and the model has
// not stays. The model card states all matches on record of its networks under these rules: those in
// ZOO/matches, which keeps the games, and those of the model card that stands there. Returns whether it came
// to the end: stopped, the games of every twenty are kept and the next call goes on from there. Throws
// models::Error: a model that is damaged, too large or not of the default ruleset of a game, an unknown
// opponent, a failing player.
bool publish(const std::filesystem::path& model, const models::Zoo& zoo, const PublishOptions& options,
             const ShowProgress& progress);

}  // namespace makzero::train
