#include "train/rating/rating.h"

#include <array>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "models/error.h"
#include "models/framed_file.h"
#include "train/rating/sqlite.h"

namespace makzero::train {

namespace {

using models::FileKind;

constexpr int kSchemaVersion = 2;

// `points` and `lead` are player_a's. `origin` says how far the records had been read when the tables were
// written.
constexpr const char* kSchema = R"sql(
  CREATE TABLE matches (
    number INTEGER PRIMARY KEY, ruleset TEXT, player_a TEXT, player_b TEXT, a_is_white INTEGER, points REAL,
    result INTEGER, reason INTEGER, lead INTEGER, captured INTEGER, plies INTEGER, opening_plies INTEGER, seed INTEGER,
    played_unix INTEGER, generation_a INTEGER, generation_b INTEGER);
  CREATE INDEX matches_by_players ON matches (player_a, player_b);
  CREATE TABLE ratings (player TEXT PRIMARY KEY, elo REAL, elo_low REAL, elo_high REAL, games INTEGER);
  CREATE TABLE ratings_by_material (player TEXT PRIMARY KEY, elo REAL, elo_low REAL, elo_high REAL, games INTEGER);
  CREATE TABLE origin (records INTEGER, bytes INTEGER);
  INSERT INTO origin VALUES (0, 0);
)sql";

// The database at `path`, empty where it was missing; none where it cannot be used.
std::unique_ptr<Database> open_sound_database(const std::filesystem::path& path) {
  try {
    auto database = std::make_unique<Database>(path);
    Statement check(database.get(), "PRAGMA quick_check");
    if (!check.step() || check.text(0) != "ok") return nullptr;
    return database;
  } catch (const models::Error&) {
    return nullptr;
  }
}

void remove_database(const std::filesystem::path& path) {
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    std::filesystem::remove(path.string() + suffix, ignored);
  }
}

std::int64_t single_number(Database* database, const std::string& sql) {
  Statement query(database, sql);
  return query.step() ? query.number(0) : 0;
}

void insert_match(Statement* insert, const MatchRecord& game) {
  const GameResult result = result_of(game);
  insert->bind(game.ruleset()).bind(game.player_a()).bind(game.player_b());
  insert->bind(std::int64_t{game.a_is_white()}).bind(result.points);
  for (const std::int64_t value :
       std::array<std::int64_t, 10>{game.result(), game.reason(), result.lead, result.captured, result.plies,
                                    game.opening_plies(), static_cast<std::int64_t>(game.seed()),
                                    game.played_unix(), game.generation_a(), game.generation_b()}) {
    insert->bind(value);
  }
  insert->step();
}

void insert_matches(Database* database, std::span<const MatchRecord> games) {
  Statement insert(database, "INSERT INTO matches VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const MatchRecord& game : games) insert_match(&insert, game);
}

// Where the ratings of a scoring are, and how its SQL asks for the points of player_a.
struct RatingTable {
  const char* name;
  const char* points;
};

RatingTable table_of(Scoring scoring) {
  if (scoring == Scoring::kRules) return {"ratings", "points"};
  return {"ratings_by_material",
          "CASE WHEN points <> 0.5 OR lead = 0 THEN points WHEN lead > 0 THEN 1 ELSE 0 END"};
}

std::vector<PairResult> pair_results(Database* database, Scoring scoring) {
  Statement pairs(database, std::string("WITH games AS (SELECT player_a, player_b, ") +
                                table_of(scoring).points +
                                R"sql( AS scored FROM matches)
    SELECT player_a, player_b, SUM(scored = 1), SUM(scored = 0.5), SUM(scored = 0)
    FROM games GROUP BY player_a, player_b)sql");
  std::vector<PairResult> results;
  while (pairs.step())
    results.push_back({pairs.text(0), pairs.text(1), pairs.real(2), pairs.real(3), pairs.real(4)});
  return results;
}

void update_ratings(Database* database) {
  for (const Scoring scoring : {Scoring::kRules, Scoring::kMaterial}) {
    const std::string table = table_of(scoring).name;
    database->execute("DELETE FROM " + table);
    Statement insert(database, "INSERT INTO " + table + " VALUES (?,?,?,?,?)");
    for (const Rating& rating : fit_ratings(pair_results(database, scoring))) {
      insert.bind(rating.player).bind(rating.elo).bind(rating.low).bind(rating.high);
      insert.bind(std::int64_t{rating.games}).step();
    }
  }
}

// Sets how far the records have been read. REQUIRES: a transaction is open.
void set_origin(Database* database, std::int64_t bytes) {
  Statement update(database, "UPDATE origin SET records = (SELECT COUNT(*) FROM matches), bytes = ?");
  update.bind(bytes).step();
}

}  // namespace

class RatingStore::Impl {
 public:
  explicit Impl(const std::filesystem::path& run)
      : records_path_(run / "matches.mzm"), database_path_(run / "ratings.sqlite") {
    std::error_code ignored;
    const bool missing = !std::filesystem::exists(database_path_, ignored);
    database_ = open_sound_database(database_path_);
    if (!database_) {
      remove_database(database_path_);
      database_ = std::make_unique<Database>(database_path_);
      rebuilt_ = "it was damaged";
    }
    Transaction transaction(database_.get());
    if (const std::string why = out_of_step(); !why.empty()) {
      rebuild();
      const bool empty = single_number(database_.get(), "SELECT COUNT(*) FROM matches") == 0;
      if (rebuilt_.empty() && !empty) rebuilt_ = missing ? "it was missing" : why;
      transaction.commit();
    }
  }

  void add(std::span<const MatchRecord> games) {
    Transaction transaction(database_.get());  // Its lock guards the records too.
    models::FrameAppender records(records_path_, FileKind::kMatches);
    for (const MatchRecord& game : games) records.add(game.SerializeAsString());
    records.sync();
    insert_matches(database_.get(), games);
    update_ratings(database_.get());
    set_origin(database_.get(), static_cast<std::int64_t>(records.size()));
    transaction.commit();
  }

  std::vector<Rating> ratings(Scoring scoring) const {
    std::vector<Rating> ratings;
    Statement rows(database_.get(), std::string("SELECT player, elo, elo_low, elo_high, games FROM ") +
                                        table_of(scoring).name + " ORDER BY elo DESC, player");
    while (rows.step()) {
      ratings.push_back(
          {rows.text(0), rows.real(1), rows.real(2), rows.real(3), static_cast<int>(rows.number(4))});
    }
    return ratings;
  }

  std::vector<PairResult> pair_results(Scoring scoring) const {
    return train::pair_results(database_.get(), scoring);
  }

  // The games of a against b, from a's side, in the order in which they were played.
  std::vector<GameResult> games_of(const std::string& a, const std::string& b) const {
    Statement rows(database_.get(),
                   "SELECT points, lead, captured, plies FROM matches WHERE player_a = ? AND player_b = ? "
                   "ORDER BY number");
    rows.bind(a).bind(b);
    std::vector<GameResult> games;
    while (rows.step()) {
      games.push_back({rows.real(0), static_cast<int>(rows.number(1)), static_cast<int>(rows.number(2)),
                       static_cast<int>(rows.number(3))});
    }
    return games;
  }

  MatchScore latest_score(const std::string& opponent) const {
    Statement newest(
        database_.get(),
        "SELECT player_a FROM matches WHERE player_b = ? AND generation_a >= 0 ORDER BY number DESC");
    if (!newest.bind(opponent).step()) return {};
    return score_of(games_of(newest.text(0), opponent));
  }

  const std::string& rebuilt() const { return rebuilt_; }

 private:
  // Why the tables do not say what the records say; empty = they do.
  std::string out_of_step() {
    if (single_number(database_.get(), "PRAGMA user_version") != kSchemaVersion)
      return "it was of another version";
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(records_path_, missing);
    const bool same = single_number(database_.get(), "SELECT bytes FROM origin") ==
                          (missing ? 0 : static_cast<std::int64_t>(bytes)) &&
                      single_number(database_.get(), "SELECT records FROM origin") ==
                          single_number(database_.get(), "SELECT COUNT(*) FROM matches");
    return same ? "" : "it was out of step with the match records";
  }

  // REQUIRES: a transaction is open.
  void rebuild() {
    for (const char* table : {"matches", "ratings", "ratings_by_material", "origin"}) {
      database_->execute(std::string("DROP TABLE IF EXISTS ") + table);
    }
    database_->execute(kSchema);
    database_->execute("PRAGMA user_version = " + std::to_string(kSchemaVersion));
    std::error_code missing;
    if (!std::filesystem::exists(records_path_, missing)) return;

    const models::FrameAppender records(records_path_, FileKind::kMatches);  // Cuts off a torn end.
    std::vector<MatchRecord> games;
    models::scan_frames(records_path_, FileKind::kMatches, [&](std::string_view bytes) {
      if (!games.emplace_back().ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        throw models::Error(records_path_,
                            "record " + std::to_string(games.size()) + " is not a match record");
      }
    });
    insert_matches(database_.get(), games);
    update_ratings(database_.get());
    set_origin(database_.get(), static_cast<std::int64_t>(records.size()));
  }

  std::filesystem::path records_path_, database_path_;
  std::unique_ptr<Database> database_;
  std::string rebuilt_;
};

RatingStore::RatingStore(const std::filesystem::path& run) : impl_(std::make_unique<Impl>(run)) {}
RatingStore::~RatingStore() = default;

void RatingStore::add(const std::vector<MatchRecord>& games) { impl_->add(games); }
std::vector<Rating> RatingStore::ratings(Scoring scoring) const { return impl_->ratings(scoring); }
std::vector<PairResult> RatingStore::pair_results(Scoring scoring) const {
  return impl_->pair_results(scoring);
}
MatchScore RatingStore::latest_score(const std::string& opponent) const {
  return impl_->latest_score(opponent);
}
const std::string& RatingStore::rebuilt() const { return impl_->rebuilt(); }

MatchScore RatingStore::score(const std::string& a, const std::string& b) const {
  std::vector<GameResult> games = impl_->games_of(a, b);
  if (a != b)
    for (const GameResult& result : impl_->games_of(b, a)) games.push_back(reversed(result));
  return score_of(games);
}

std::vector<RatedNetwork> read_rated_networks(const std::filesystem::path& run) {
  const std::filesystem::path path = run / "ratings.sqlite";
  if (!std::filesystem::exists(path)) return {};
  Database database = Database::reader(path);
  Statement rows(&database, R"sql(
    WITH networks AS (
      SELECT player_a AS player, generation_a AS generation FROM matches
      UNION SELECT player_b, generation_b FROM matches)
    SELECT generation, elo, elo_low, elo_high FROM ratings JOIN networks USING (player)
    WHERE generation >= 0 ORDER BY generation)sql");
  std::vector<RatedNetwork> networks;
  while (rows.step()) networks.push_back({rows.number(0), rows.real(1), rows.real(2), rows.real(3)});
  return networks;
}

std::vector<RatedPlayer> read_rated_opponents(const std::filesystem::path& run) {
  const std::filesystem::path path = run / "ratings.sqlite";
  if (!std::filesystem::exists(path)) return {};
  Database database = Database::reader(path);
  Statement rows(&database, R"sql(
    WITH networks AS (
      SELECT player_a AS player FROM matches WHERE generation_a >= 0
      UNION SELECT player_b FROM matches WHERE generation_b >= 0)
    SELECT player, elo, elo_low, elo_high FROM ratings WHERE player NOT IN networks ORDER BY elo)sql");
  std::vector<RatedPlayer> players;
  while (rows.step()) players.push_back({rows.text(0), rows.real(1), rows.real(2), rows.real(3)});
  return players;
}

}  // namespace makzero::train
