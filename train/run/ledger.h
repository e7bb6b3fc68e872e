// What a run has told, file by file: RUN/ledger and its copy beside the checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "train/replay/shard_index.h"

namespace makzero::train {

// The ledger is written behind every checkpoint, whole and with a checksum. A file that has fewer bytes than
// its entry says, or other ones, is damaged; more is work since then. In runs of before, which have none,
// nothing is missed. One process writes it: the training, or a repair.

// Counts the files of a run as Accounting (file_kinds.h) says; `index` knows the rows of the shards. An entry
// that its file does not fit stays, so that damage is named until it is repaired. Throws models::Error.
void write_ledger(const std::filesystem::path& run, std::int64_t generation, const ShardIndex& index);

// Before a file is replaced: from now on either content is right.
void expect_content(const std::filesystem::path& run, const std::filesystem::path& file,
                    std::string_view content);

// Before files are deleted on purpose.
void forget_files(const std::filesystem::path& run, const std::vector<std::filesystem::path>& files);

// After a repair: what is there is right. `file` may be the ledger itself.
void count_anew(const std::filesystem::path& run, const std::filesystem::path& file);

struct LedgerFault {
  std::filesystem::path file;
  std::string what = {};
  bool is_other = false;  // The file has enough bytes, but they are others.
};

enum class LedgerDepth : std::uint8_t { kQuick, kEveryByte };  // kQuick: of shards only their size.

// What the run has lost since its ledger was written. Changes nothing, and may be called while a training
// writes. Throws models::Error.
std::vector<LedgerFault> ledger_faults(const std::filesystem::path& run, LedgerDepth depth);

// Of the shards that were deleted on purpose.
struct ShardCounts {
  std::int64_t games = 0, rows = 0;
};
ShardCounts deleted_shards(const std::filesystem::path& run);

// Throws models::Error where this file has a fault.
void require_accounted(const std::vector<LedgerFault>& faults, const std::filesystem::path& file);

// The run that a file is of: the nearest folder above it with a ledger; empty where there is none.
std::filesystem::path run_of(const std::filesystem::path& file);

}  // namespace makzero::train
