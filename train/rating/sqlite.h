// SQLite with errors as exceptions and handles that close themselves.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace makzero::train {

// An open database. Every failure throws models::Error with the path. One thread at a time.
class Database {
 public:
  // Opens or creates it in WAL mode; waits up to ten seconds for other processes.
  explicit Database(const std::filesystem::path& path);

  // Opens an existing one only to read. Nothing in its folder is touched unless another process writes it
  // now.
  static Database reader(const std::filesystem::path& path);

  // Runs statements that return nothing.
  void execute(const std::string& sql);

 private:
  friend class Statement;
  struct Closer {
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  };
  Database(std::filesystem::path path, const std::string& uri, int flags);
  void check(int status) const;

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

// A prepared statement: bind in order, step, read columns from 0. The database must outlive it.
class Statement {
 public:
  Statement(Database* database, const std::string& sql);

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);

  // Moves to the next row; false when there is none. The first step after that starts anew with new bindings.
  bool step();

  std::int64_t number(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  std::string text(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> handle_;
  int bound_ = 0;
};

// Holds the write lock of a database over all processes; rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database* database) : database_(database) { database_->execute("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database* database_;
};

}  // namespace makzero::train
