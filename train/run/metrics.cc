#include "train/run/metrics.h"

#include "game/outcome.h"
#include "train/replay/game_replay.h"

namespace makzero::train {
namespace {

constexpr float kSure = 0.9f;  // A cut game counts as the win that its last search was so sure of.

}  // namespace

void GameStatistics::add(const GameRecord& game, int pieces_taken) {
  const auto result = static_cast<game::Result>(game.result());
  const auto reason = static_cast<game::Reason>(game.reason());
  ++games_;
  plies_ += game.plies_size();
  captures_ += pieces_taken;
  for (const PlyRecord& ply : game.plies()) {
    if (!ply.full_search()) continue;
    ++rows_;
    surprise_ += ply.surprise();
  }
  const mcts::WhiteValue end = result_value(game, {});
  const bool white = result == game::Result::kWhiteWins || end.white > kSure;
  const bool black = result == game::Result::kBlackWins || end.black > kSure;
  draws_ += !white && !black;
  white_ += white;
  decided_ += (white || black) && reason != game::Reason::kMaterialAtPlyCap;
  cut_ += reason == game::Reason::kCut;
  adjudicated_ += reason == game::Reason::kMaterialAtPlyCap;
  reasons_[game.reason() % reasons_.size()]++;
}

std::vector<std::pair<std::string, std::int64_t>> GameStatistics::reasons() const {
  std::vector<std::pair<std::string, std::int64_t>> named;
  for (size_t i = 0; i < reasons_.size(); ++i)
    if (reasons_[i] > 0) named.emplace_back(game::reason_text(static_cast<game::Reason>(i)), reasons_[i]);
  return named;
}

double GenerationMetrics::replay_ratio() const {
  return played.rows > 0 ? static_cast<double>(learnt.rows) / static_cast<double>(played.rows) : 0;
}

double GenerationMetrics::core_share() const {
  return played.seconds * threads > 0 ? played.self_play.cpu_seconds / (played.seconds * threads) : 0;
}

double GenerationMetrics::card_share() const {
  return played.seconds > 0 ? played.self_play.card_seconds / played.seconds : 0;
}

}  // namespace makzero::train
