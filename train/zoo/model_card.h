// What a network of the zoo is, what it computes and how it plays, as model_card.json beside it; and whether
// that is still true.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/zoo.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

// The keys of a model card stand in the order in which people read them.
using ModelCard = nlohmann::ordered_json;

inline constexpr std::uint64_t kMostNetworkBytes = 3'000'000;

// All of a model card but its matches: file, rules, training, levels, and the outputs on test positions.
// `machine` is where it was trained if the checkpoint does not say. Throws models::Error where the checkpoint
// is damaged, too large, or not of the default ruleset of a game.
ModelCard describe_network(const std::filesystem::path& checkpoint, const std::string& machine);

// An entry of "matches": results of the network, which is player_a, with their 95 % intervals. `strength` is
// what follows its id in its name (network_name()). REQUIRES:
// whole pairs of games, the two of an opening one after the other.
ModelCard describe_match(const std::string& opponent, const std::string& strength,
                         std::span<const MatchRecord> games);

// Throws models::Error where it is missing or no JSON.
ModelCard read_model_card(const std::filesystem::path& path);

// A line for every fact of `now` that the card does not state so, and for every one that it states besides;
// both without their matches and test positions.
std::vector<std::string> compare_cards(const ModelCard& card, const ModelCard& now);

// A line for every number of `stated` that `now` has otherwise, by more than 0.1 %; `what` begins it.
std::vector<std::string> compare_numbers(const std::string& what, const ModelCard& stated,
                                         const ModelCard& now);

// What the rules of a ruleset are recognised by: their validation record and signature.
ModelCard rules_card(const game::Game& game);

// The positions that networks are compared on: of random games, the i-th 7 i plies after the start.
inline constexpr int kTestPositions = 8;
game::Position test_position(const game::Game& game, int number);

// What the model card and the configuration say and the network, the rules and this program do not: a line
// each, empty where all is as published. Damaged and missing files are such lines too.
std::vector<std::string> check_entry(const models::ZooEntry& entry);

// The same of all entries of a zoo and its page.
std::vector<std::string> check_zoo(const models::Zoo& zoo);

// The README.md of a zoo: its tables, from the model cards. Throws models::Error.
std::string zoo_page(const models::Zoo& zoo);

// Writes that page. Throws models::Error where README.md is another page.
void write_zoo_page(const models::Zoo& zoo);

}  // namespace makzero::train
