// Model card of a model of the zoo: what the model is, what it computes and how it plays; and whether that is
// still true.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/card.pb.h"
#include "models/model.h"
#include "models/zoo.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

inline constexpr std::uint64_t kMostNetworkBytes = 3'000'000;

// All of a model card but its matches: networks, rules, training, levels, and outputs on test positions.
// `machine` is where the tower was trained if the manifest does not say. Throws models::Error where the model
// is not of the default ruleset of a game; `path` is for errors.
models::ModelCard describe_model(const std::filesystem::path& path, const models::Model& model,
                                 const std::string& machine);

// Results of a network, which is player_a, with their 95 % intervals. `strength` is what follows its id in
// its name. REQUIRES: whole pairs of games, the two of an opening one after the other.
models::MatchResult describe_match(const std::string& network, const std::string& opponent,
                                   const std::string& strength, std::span<const MatchRecord> games);

// The card of the model of an entry. Throws models::Error where there is none.
models::ModelCard read_model_card(const std::filesystem::path& network);

// What the model card and the configuration say and the networks, the rules and this program do not: a line
// each, empty where all is as published. Damaged and missing files are such lines too.
std::vector<std::string> check_entry(const models::ZooEntry& entry);

// The same of all entries of a zoo and its page.
std::vector<std::string> check_zoo(const models::Zoo& zoo);

// The README.md of a zoo: its tables, from the model cards. Throws models::Error.
std::string zoo_page(const models::Zoo& zoo);

// Writes that page. Throws models::Error where README.md is another page.
void write_zoo_page(const models::Zoo& zoo);

}  // namespace makzero::train
