// The games of one network of the zoo, in ZOO/matches: what the matches of its model card are counted from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "train/replay/record.pb.h"
#include "train/zoo/model_card.h"

namespace makzero::train {

// By its players: (the network's name with its strength, the opponent's).
class MatchBook {
 public:
  using Players = std::pair<std::string, std::string>;

  // Of the model card's network under its rules; empty where there is none yet. Of a damaged file all games
  // that can be read. Throws models::Error.
  MatchBook(const std::filesystem::path& zoo, const ModelCard& card);

  // In the order in which they were played.
  const std::vector<MatchRecord>& of(const Players& players) { return games_[players]; }
  const std::map<Players, std::vector<MatchRecord>>& all() const { return games_; }

  // Those that are new, at once on the disk. Throws models::Error.
  void add(const std::vector<MatchRecord>& records);

 private:
  // False where it is on record: a batch that was torn is played again.
  bool keep(const MatchRecord& record);

  std::filesystem::path path_;
  std::map<Players, std::vector<MatchRecord>> games_;
  std::set<std::tuple<std::string, std::string, std::uint64_t>> seeds_;
};

// What follows the network's id in its name as a player: "64", "64+material=0.5", "ms=100".
std::string strength_of(const std::string& player);

// The entry of this opponent in the model card's matches, null where there is none.
ModelCard* find_match(ModelCard* card, const std::string& opponent, const std::string& strength);

// A line for every number of the model card's matches that their games say otherwise, of those matches that
// have as many games on record as they state.
std::vector<std::string> compare_matches(ModelCard card, const MatchBook& book);

}  // namespace makzero::train
