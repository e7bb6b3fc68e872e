#include "train/zoo/match_book.h"

#include <fmt/format.h>

#include <string_view>

#include "models/framed_file.h"

namespace makzero::train {

MatchBook::MatchBook(const std::filesystem::path& zoo, const ModelCard& card)
    : path_(zoo / "matches" /
            fmt::format("{}-{}.mzm", card.at("network").get<std::string>(),
                        card.at("rules").at("signature").get<std::string>())) {
  if (!std::filesystem::exists(path_)) return;
  models::recover_frames(path_, models::FileKind::kMatches, [this](std::string_view bytes) {
    MatchRecord record;
    if (record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) keep(record);
  });
}

void MatchBook::add(const std::vector<MatchRecord>& records) {
  std::filesystem::create_directories(path_.parent_path());
  if (std::filesystem::exists(path_)) models::repair_frames(path_, models::FileKind::kMatches);
  models::FrameAppender file(path_, models::FileKind::kMatches);
  for (const MatchRecord& record : records) {
    if (keep(record)) file.add(record.SerializeAsString());
  }
  file.sync();
}

bool MatchBook::keep(const MatchRecord& record) {
  if (!seeds_.emplace(record.player_a(), record.player_b(), record.seed()).second) return false;
  games_[{record.player_a(), record.player_b()}].push_back(record);
  return true;
}

std::string strength_of(const std::string& player) { return player.substr(player.find_first_of(":?") + 1); }

ModelCard* find_match(ModelCard* card, const std::string& opponent, const std::string& strength) {
  for (ModelCard& match : card->at("matches")) {
    if (match.at("opponent") == opponent && match.at("strength") == strength) return &match;
  }
  return nullptr;
}

std::vector<std::string> compare_matches(ModelCard card, const MatchBook& book) {
  std::vector<std::string> lines;
  for (const auto& [players, games] : book.all()) {
    const std::string strength = strength_of(players.first);
    const ModelCard* stated = find_match(&card, players.second, strength);
    if (!stated || stated->at("games") != games.size()) continue;
    const std::string what = fmt::format("{} against {}", strength, players.second);
    for (std::string& line : compare_numbers(what, *stated, describe_match(players.second, strength, games)))
      lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace makzero::train
