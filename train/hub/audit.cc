#include "train/hub/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "models/file_io.h"
#include "models/framed_file.h"
#include "train/replay/record_check.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

constexpr std::uint64_t kDamageGap = 1 << 16;  // A spool goes on so far behind a damage (spool.cc).
constexpr std::size_t kBatch = 256;

// What is known of the games of one worker.
struct Ledger {
  std::map<std::uint64_t, int> stored;  // How often each sequence is in the shards.
  std::size_t quarantined = 0, under_way = 0, repeated = 0, spooled = 0;
  std::uint64_t hub_mark = 0;

  std::uint64_t last() const { return stored.empty() ? 0 : stored.rbegin()->first; }
};

class Audit {
 public:
  Audit(const std::filesystem::path& run, Hub* hub) : paths_(run), hub_(hub) {}

  AuditReport run(const std::vector<std::filesystem::path>& spools) {
    for (const auto& [worker, mark] : hub_->marks()) ledgers_[worker].hub_mark = mark;
    read_shards();
    read_stream();
    for (const std::filesystem::path& spool : spools) read_spool(spool);
    for (const auto& [worker, ledger] : ledgers_) judge(worker, ledger);
    report_.lines.push_back(fmt::format("stream: {} games", hub_->backlog()));
    return std::move(report_);
  }

 private:
  void read_shards() {
    if (!std::filesystem::exists(paths_.replay())) return;
    for (const Shard& shard : list_shards(paths_.replay())) {
      models::Recovery recovery;
      for (const auto& game : read_shard(shard.path, &recovery)) {
        if (!game->worker().empty()) ++ledgers_[game->worker()].stored[game->sequence()];
      }
      for (const std::string& damage : recovery.damages) {
        if (!recovery.torn) report_.faults.push_back(shard.path.string() + ": " + damage);
      }
    }
  }

  bool is_quarantined(const std::string& worker, std::uint64_t sequence) const {
    return std::filesystem::exists(paths_.root / "quarantine" / fmt::format("{}-{}.frame", worker, sequence));
  }

  void read_stream() {
    for (std::string after;;) {
      const std::vector<Delivery> games = hub_->list(after, kBatch);
      if (games.empty()) return;
      after = games.back().id;
      for (const Delivery& delivery : games) {
        Ledger& ledger = ledgers_[delivery.game.worker];
        const bool is_known = ledger.stored.contains(delivery.game.sequence);
        ++(is_known ? ledger.repeated : ledger.under_way);
      }
    }
  }

  // A spool may hold games that are in the shards, until the mark has come back.
  void read_spool(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".mzg") continue;
      models::recover_frames(entry.path(), models::FileKind::kGames, [&](std::string_view bytes) {
        const ParsedRecord parsed = parse_record(bytes);
        if (!parsed.record) return;
        Ledger& ledger = ledgers_[parsed.record->worker()];
        if (!ledger.stored.contains(parsed.record->sequence())) ++ledger.spooled;
      });
    }
  }

  void judge(const std::string& worker, const Ledger& ledger) {
    std::size_t twice = 0, missing = 0, quarantined = 0, jumps = 0;
    std::uint64_t expected = 1;
    const auto pass_gap = [&](std::uint64_t next) {
      if (next - expected >= kDamageGap) {
        ++jumps;
      } else {
        for (; expected < next; ++expected) ++(is_quarantined(worker, expected) ? quarantined : missing);
      }
      expected = next + 1;
    };
    for (const auto& [sequence, count] : ledger.stored) {
      pass_gap(sequence);
      twice += count > 1 ? 1 : 0;
    }
    if (ledger.hub_mark > ledger.last()) pass_gap(ledger.hub_mark + 1);
    report_.lines.push_back(fmt::format(
        "worker {}: {} games in shards, last {}, mark {}, {} quarantined, {} damages of its spool, {} in the "
        "stream, {} sent again, {} in the spool",
        worker, ledger.stored.size(), ledger.last(), ledger.hub_mark, quarantined, jumps, ledger.under_way,
        ledger.repeated, ledger.spooled));
    if (twice > 0)
      report_.faults.push_back(fmt::format("worker {}: {} games are there twice", worker, twice));
    if (missing > 0)
      report_.faults.push_back(fmt::format("worker {}: {} games are missing", worker, missing));
  }

  RunPaths paths_;
  Hub* hub_;
  std::map<std::string, Ledger> ledgers_;
  AuditReport report_;
};

}  // namespace

std::string AuditReport::text() const {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  for (const std::string& fault : faults) text += "!! " + fault + "\n";
  return text + (is_sound() ? "every game that workers have handed over is there once\n"
                            : fmt::format("{} faults\n", faults.size()));
}

AuditReport audit_run(const std::filesystem::path& run, Hub* hub,
                      const std::vector<std::filesystem::path>& spools) {
  return Audit(run, hub).run(spools);
}

}  // namespace makzero::train
