// SQLite database and its statements, with failures as exceptions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace makzero::play {

using SqlValue = std::variant<std::int64_t, std::string>;

// A statement on its way through its rows. Must not outlive its database.
class Statement {
 public:
  // Goes to the next row. False where there is none. Throws models::Error.
  bool step();

  // Columns of the row, from 0.
  std::int64_t number(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* database, const std::filesystem::path& path, std::string_view sql,
            const std::vector<SqlValue>& values);

  sqlite3* database_;
  std::filesystem::path path_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// An open database; every failure throws models::Error with its path. One thread at a time.
class Database {
 public:
  // Opens the file, which is created where it is missing.
  explicit Database(std::filesystem::path path);

  // A statement with values for its '?', in their order.
  Statement query(std::string_view sql, const std::vector<SqlValue>& values = {});

  // Runs a statement that has no rows.
  void run(std::string_view sql, const std::vector<SqlValue>& values = {});

  // Runs several statements without values.
  void run_script(const char* sql);

  std::int64_t last_id() const;  // Of the row that was inserted last.
  std::int64_t changes() const;  // Rows that the last statement changed.

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> database_;
};

// Changes that are kept together by commit(), or not at all.
class Transaction {
 public:
  explicit Transaction(Database* database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database* database_;
  bool open_ = true;
};

}  // namespace makzero::play
