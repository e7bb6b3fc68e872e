#include "train/rating/rating.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "models/error.h"
#include "models/framed_file.h"
#include "train/run_folder.h"

namespace makzero::train {

using models::FileKind;

namespace {

constexpr const char* kMatches = "matches.mzm";

// Other processes that add matches wait as long as it lives.
class WriterLock {
 public:
  explicit WriterLock(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0)
      throw models::Error(path, "cannot be locked: " + std::generic_category().message(errno));
  }
  ~WriterLock() { ::close(descriptor_); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

RatingStore::RatingStore(const std::filesystem::path& run) : path_(run / kMatches) { read(); }

bool RatingStore::keeps() const {
  std::error_code missing;
  const bool exists = std::filesystem::exists(path_, missing);
  return ::access(exists ? path_.c_str() : path_.parent_path().c_str(), W_OK) == 0;
}

void RatingStore::add(const std::vector<MatchRecord>& games) {
  if (!keeps()) {
    for (const MatchRecord& game : games) count(game);
    return;
  }
  const WriterLock lock(path_);
  models::FrameAppender records(path_, FileKind::kMatches);
  for (const MatchRecord& game : games) records.add(game.SerializeAsString());
  records.sync();
}

void RatingStore::read() const {
  std::error_code missing;
  const std::uint64_t bytes = std::filesystem::file_size(path_, missing);
  if (missing || bytes == bytes_) return;
  games_.clear();
  const models::Recovery recovery =
      models::recover_frames(path_, FileKind::kMatches, [&](std::string_view frame) {
        MatchRecord game;
        if (!game.ParseFromArray(frame.data(), static_cast<int>(frame.size())))
          throw models::Error(path_, "holds a record that is not a match");
        count(game);
      });
  if (!recovery.damages.empty() && !recovery.torn)
    throw models::Error(path_,
                        recovery.damages.front() + "; `makzero fsck --repair` on the run keeps what is good");
  bytes_ = bytes;
}

void RatingStore::count(const MatchRecord& game) const {
  games_[{game.player_a(), game.player_b()}].push_back(result_of(game));
  if (game.generation_b() >= 0) generations_[game.player_b()] = game.generation_b();
  if (game.generation_a() < 0) return;
  generations_[game.player_a()] = game.generation_a();
  newest_[game.player_b()] = game.player_a();
}

std::vector<Rating> RatingStore::ratings(Scoring scoring) const { return fit_ratings(pair_results(scoring)); }

std::vector<PairResult> RatingStore::pair_results(Scoring scoring) const {
  read();
  std::vector<PairResult> results;
  for (const auto& [players, games] : games_) {
    PairResult& result = results.emplace_back(PairResult{players.first, players.second});
    for (const GameResult& game : games) {
      const double points = scoring == Scoring::kRules ? game.points : points_by_material(game);
      ++(points == 1 ? result.wins : points == 0 ? result.losses : result.draws);
    }
  }
  return results;
}

std::vector<GameResult> RatingStore::games_of(const Pair& pair) const {
  const auto found = games_.find(pair);
  return found == games_.end() ? std::vector<GameResult>{} : found->second;
}

MatchScore RatingStore::score(const std::string& a, const std::string& b) const {
  read();
  std::vector<GameResult> games = games_of({a, b});
  if (a != b)
    for (const GameResult& result : games_of({b, a})) games.push_back(reversed(result));
  return score_of(games);
}

std::vector<GameResult> RatingStore::latest_games(const std::string& opponent) const {
  read();
  const auto newest = newest_.find(opponent);
  return newest == newest_.end() ? std::vector<GameResult>{} : games_of({newest->second, opponent});
}

MatchScore RatingStore::latest_score(const std::string& opponent) const {
  return score_of(latest_games(opponent));
}

const std::map<std::string, std::int64_t>& RatingStore::generations() const {
  read();
  return generations_;
}

std::vector<std::filesystem::path> match_folders(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> folders;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RunPaths(run).ratings_of(""), missing))
    if (entry.path().filename() == kMatches) folders.push_back(entry.path().parent_path());
  std::ranges::sort(folders);
  if (folders.empty() || std::filesystem::exists(run / kMatches)) folders.insert(folders.begin(), run);
  return folders;
}

RunRatings read_ratings(const std::filesystem::path& run) {
  const RatingStore store(run);
  RunRatings rated;
  for (const Rating& rating : store.ratings()) {
    const auto network = store.generations().find(rating.player);
    if (network == store.generations().end())
      rated.opponents.insert(rated.opponents.begin(), {rating.player, rating.elo, rating.low, rating.high});
    else
      rated.networks.push_back({network->second, rating.elo, rating.low, rating.high});
  }
  std::stable_sort(rated.networks.begin(), rated.networks.end(),
                   [](const auto& a, const auto& b) { return a.generation < b.generation; });
  return rated;
}

}  // namespace makzero::train
