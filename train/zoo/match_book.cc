#include "train/zoo/match_book.h"

#include <fmt/format.h>

#include <string_view>

#include "models/framed_file.h"

namespace makzero::train {

MatchBook::MatchBook(const std::filesystem::path& zoo, const std::string& network,
                     const std::string& signature)
    : path_(zoo / "matches" / fmt::format("{}-{}.mzm", network, signature)) {
  if (!std::filesystem::exists(path_)) return;
  models::recover_frames(path_, models::FileKind::kMatches, [this](std::string_view bytes) {
    MatchRecord record;
    if (record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) keep(record);
  });
}

int MatchBook::add(const std::vector<MatchRecord>& records) {
  std::filesystem::create_directories(path_.parent_path());
  if (std::filesystem::exists(path_)) models::repair_frames(path_, models::FileKind::kMatches);
  models::FrameAppender file(path_, models::FileKind::kMatches);
  int added = 0;
  for (const MatchRecord& record : records) {
    if (!keep(record)) continue;
    file.add(record.SerializeAsString());
    ++added;
  }
  file.sync();
  return added;
}

bool MatchBook::keep(const MatchRecord& record) {
  if (!seeds_.emplace(record.player_a(), record.player_b(), record.seed()).second) return false;
  games_[{record.player_a(), record.player_b()}].push_back(record);
  return true;
}

std::string strength_of(const std::string& player) { return player.substr(player.find_first_of(":?") + 1); }

const std::vector<MatchRecord>* MatchBook::find(const std::string& opponent,
                                                const std::string& strength) const {
  for (const auto& [players, games] : games_)
    if (players.second == opponent && strength_of(players.first) == strength) return &games;
  return nullptr;
}

}  // namespace makzero::train
