// Ledger of a run: bytes, records and checksum of every file that it has written, in RUN/ledger with a copy
// beside the checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "train/replay/shard_index.h"

namespace makzero::train {

// The ledger is written after every checkpoint, as a whole and with its own checksum. A file with fewer bytes
// than its entry, or with other ones, is damaged; more bytes are work since then. Runs of former versions
// have no ledger and no faults. One process writes it: the training, or a repair.

// Writes the entries of all files by the Accounting of their kind (file_kinds.h); `indices` hold the rows of
// the shards of each folder. An entry that its file does not fit stays, so that damage is reported until it
// is repaired. Throws models::Error.
void write_ledger(const std::filesystem::path& run, std::int64_t generation,
                  const std::vector<ShardIndex>& indices);

// Accepts a second content of a file, before it is replaced.
void expect_content(const std::filesystem::path& run, const std::filesystem::path& file,
                    std::string_view content);

// Removes the entries of files that are about to be deleted on purpose.
void forget_files(const std::filesystem::path& run, const std::vector<std::filesystem::path>& files);

// Accepts the present content of a file, after a repair. `file` may be the ledger itself.
void count_anew(const std::filesystem::path& run, const std::filesystem::path& file);

struct LedgerFault {
  std::filesystem::path file;
  std::string what = {};
  bool is_other = false;  // The file has enough bytes, but they are others.
};

enum class LedgerDepth : std::uint8_t { kQuick, kEveryByte };  // kQuick: of shards only their size.

// Losses of the run since its ledger was written. Changes nothing, and may be called while a training writes.
// Throws models::Error.
std::vector<LedgerFault> ledger_faults(const std::filesystem::path& run, LedgerDepth depth);

// Hash of the games in its shards by the ledger, 16 hexadecimal digits; empty without a ledger.
std::string data_hash(const std::filesystem::path& run);

// Games and rows of the shards of a folder below the run that were deleted on purpose.
struct ShardCounts {
  std::int64_t games = 0, rows = 0;
};
ShardCounts deleted_shards(const std::filesystem::path& run, const std::filesystem::path& folder);

// Throws models::Error if this file has a fault.
void require_accounted(const std::vector<LedgerFault>& faults, const std::filesystem::path& file);

// The run folder of a file: the nearest folder above it with a ledger; empty if there is none.
std::filesystem::path run_of(const std::filesystem::path& file);

}  // namespace makzero::train
