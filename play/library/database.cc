#include "play/library/database.h"

#include <sqlite3.h>

#include <utility>

#include "models/error.h"

namespace makzero::play {
namespace {

constexpr int kBusyMs = 10'000;  // How long another process may hold the file.

[[noreturn]] void fail(const std::filesystem::path& path, sqlite3* database) {
  throw models::Error(path, std::string("library: ") + sqlite3_errmsg(database));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement::Statement(sqlite3* database, const std::filesystem::path& path, std::string_view sql,
                     const std::vector<SqlValue>& values)
    : database_(database), path_(path) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK)
    fail(path_, database_);
  statement_.reset(statement);
  for (size_t i = 0; i < values.size(); ++i) {
    const int place = static_cast<int>(i) + 1;
    const auto* text = std::get_if<std::string>(&values[i]);
    const int bound = text ? sqlite3_bind_text(statement, place, text->data(), static_cast<int>(text->size()),
                                               SQLITE_TRANSIENT)
                           : sqlite3_bind_int64(statement, place, std::get<std::int64_t>(values[i]));
    if (bound != SQLITE_OK) fail(path_, database_);
  }
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) fail(path_, database_);
  return result == SQLITE_ROW;
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, sqlite3_column_bytes(statement_.get(), column)) : std::string();
}

Database::Database(std::filesystem::path path) : path_(std::move(path)) {
  sqlite3* database = nullptr;
  const int opened = sqlite3_open(path_.c_str(), &database);
  database_.reset(database);
  if (opened != SQLITE_OK) fail(path_, database);
  sqlite3_busy_timeout(database, kBusyMs);
}

Statement Database::query(std::string_view sql, const std::vector<SqlValue>& values) {
  return {database_.get(), path_, sql, values};
}

void Database::run(std::string_view sql, const std::vector<SqlValue>& values) { query(sql, values).step(); }

void Database::run_script(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    fail(path_, database_.get());
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(database_.get()); }
std::int64_t Database::changes() const { return sqlite3_changes(database_.get()); }

Transaction::Transaction(Database* database) : database_(database) { database_->run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_->run("ROLLBACK");
  } catch (const models::Error&) {
    // It was rolled back by the failure.
  }
}

void Transaction::commit() {
  database_->run("COMMIT");
  open_ = false;
}

}  // namespace makzero::play
