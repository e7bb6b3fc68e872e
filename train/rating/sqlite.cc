#include "train/rating/sqlite.h"

#include <utility>

#include "models/error.h"

namespace makzero::train {

namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

// The name as part of a URI.
std::string uri_of(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char letter : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '?' || letter == '#' || letter == '%') {
      uri.append({'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
    } else {
      uri += letter;
    }
  }
  return uri;
}

}  // namespace

Database::Database(std::filesystem::path path, const std::string& uri, int flags) : path_(std::move(path)) {
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_URI, nullptr);
  handle_.reset(handle);
  check(status);
  check(sqlite3_busy_timeout(handle, 10'000));
}

Database::Database(const std::filesystem::path& path)
    : Database(path, uri_of(path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {
  execute("PRAGMA journal_mode = WAL");
}

// Without a write-ahead log it is not being written, and no lock is needed.
Database Database::reader(const std::filesystem::path& path) {
  const bool written = std::filesystem::exists(path.string() + "-wal");
  return {path, uri_of(path) + (written ? "?mode=ro" : "?immutable=1"), SQLITE_OPEN_READONLY};
}

void Database::execute(const std::string& sql) {
  check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void Database::check(int status) const {
  if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
  throw models::Error(path_, handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(status));
}

Statement::Statement(Database* database, const std::string& sql) : database_(*database) {
  sqlite3_stmt* handle = nullptr;
  const int status = sqlite3_prepare_v2(database_.handle_.get(), sql.c_str(), -1, &handle, nullptr);
  handle_.reset(handle);
  database_.check(status);
}

Statement& Statement::bind(std::int64_t value) {
  database_.check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  database_.check(sqlite3_bind_double(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  const int size = static_cast<int>(value.size());
  database_.check(sqlite3_bind_text(handle_.get(), ++bound_, value.data(), size, SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  const int status = sqlite3_step(handle_.get());
  if (status == SQLITE_ROW) return true;
  database_.check(status);
  sqlite3_reset(handle_.get());
  bound_ = 0;
  return false;
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return bytes == nullptr ? "" : std::string(bytes, sqlite3_column_bytes(handle_.get(), column));
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  try {
    database_->execute("ROLLBACK");
  } catch (const models::Error&) {  // It is rolled back when the database is closed.
  }
}

void Transaction::commit() {
  database_->execute("COMMIT");
  database_ = nullptr;
}

}  // namespace makzero::train
