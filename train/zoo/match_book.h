// The games of one network of the zoo, in ZOO/matches: what the matches of a model card are counted from.
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

namespace makzero::train {

// By its players: (the network's name with its strength, the opponent's).
class MatchBook {
 public:
  using Players = std::pair<std::string, std::string>;

  // Of the network with this id under the rules with this signature; empty where there is none yet. Of a
  // damaged file all games that can be read. Throws models::Error.
  MatchBook(const std::filesystem::path& zoo, const std::string& network, const std::string& signature);

  // In the order in which they were played.
  const std::vector<MatchRecord>& of(const Players& players) { return games_[players]; }
  // Against this opponent with this strength; null where there are none.
  const std::vector<MatchRecord>* find(const std::string& opponent, const std::string& strength) const;

  const std::map<Players, std::vector<MatchRecord>>& all() const { return games_; }
  const std::filesystem::path& path() const { return path_; }

  // Those that are new, at once on the disk; returns how many. Throws models::Error.
  int add(const std::vector<MatchRecord>& records);

 private:
  // False where it is on record: a batch that was torn is played again.
  bool keep(const MatchRecord& record);

  std::filesystem::path path_;
  std::map<Players, std::vector<MatchRecord>> games_;
  std::set<std::tuple<std::string, std::string, std::uint64_t>> seeds_;
};

// Text behind the network's id in its name as a player: "64", "ms=100".
std::string strength_of(const std::string& player);

}  // namespace makzero::train
