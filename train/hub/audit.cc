#include "train/hub/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "models/file_io.h"
#include "models/framed_file.h"
#include "train/replay/record_check.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

// What is known of the games of one worker.
struct Ledger {
  std::map<std::uint64_t, int> stored;  // How often each sequence is in the shards.
  std::set<std::uint64_t> quarantined;
  std::size_t under_way = 0, repeated = 0, spooled = 0, forgotten = 0;
  std::uint64_t hub_mark = 0;
  std::uint64_t first = 1;  // What came before may have been deleted on purpose.

  std::uint64_t last() const { return stored.empty() ? 0 : stored.rbegin()->first; }
};

class Audit {
 public:
  Audit(const std::filesystem::path& run, Hub* hub) : paths_(run), hub_(hub) {}

  AuditReport run(const std::vector<std::filesystem::path>& spools) {
    for (const auto& [worker, mark] : hub_->marks()) ledgers_[worker].hub_mark = mark;
    for (const std::filesystem::path& folder : {paths_.replay(), paths_.small_replay()}) read_shards(folder);
    read_quarantine();
    read_streams();
    for (const std::filesystem::path& spool : spools) read_spool(spool);
    for (const auto& [worker, ledger] : ledgers_) judge(worker, ledger);
    report_.lines.push_back(fmt::format("streams: {} games", hub_->backlog()));
    return std::move(report_);
  }

 private:
  void read_shards(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return;
    std::map<std::string, std::uint64_t> first;  // Sequence of each worker.
    for (const Shard& shard : list_shards(folder)) {
      models::Recovery recovery;
      for (const auto& game : read_shard(shard.path, &recovery)) {
        if (game->worker().empty()) continue;
        ++ledgers_[game->worker()].stored[game->sequence()];
        first.try_emplace(game->worker(), game->sequence());
      }
      for (const std::string& damage : recovery.damages) {
        if (!recovery.torn) report_.faults.push_back(shard.path.string() + ": " + damage);
      }
    }
    // Shards that replay.gigabytes deleted held the first games.
    const std::vector<Shard> counted = read_shard_index(folder).shards;
    if (std::ranges::none_of(counted, [](const Shard& shard) { return shard.bytes == 0; })) return;
    for (auto& [worker, ledger] : ledgers_) {
      const auto kept = first.find(worker);
      const std::uint64_t known =
          kept == first.end() ? std::max(ledger.hub_mark, ledger.last()) + 1 : kept->second;
      ledger.first = std::max(ledger.first, known);
    }
  }

  void read_quarantine() {
    const std::filesystem::path folder = paths_.root / "quarantine";
    if (!std::filesystem::exists(folder)) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().stem();  // WORKER-SEQUENCE.
      const std::size_t dash = name.rfind('-');
      if (entry.path().extension() != ".frame" || dash == std::string::npos) continue;
      ledgers_[name.substr(0, dash)].quarantined.insert(std::strtoull(&name[dash + 1], nullptr, 10));
    }
  }

  void read_streams() {
    for (const std::string& worker : hub_->senders()) {
      Ledger& ledger = ledgers_[worker];
      for (const Delivery& delivery : hub_->read({&worker, 1}, std::numeric_limits<int>::max()))
        ++(ledger.stored.contains(delivery.game.sequence) ? ledger.repeated : ledger.under_way);
    }
  }

  // A spool may hold games that are in the shards, until the mark has come back. Those at or below the mark
  // that are not there are lost once it comes.
  void read_spool(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".mzg") continue;
      models::recover_frames(entry.path(), models::FileKind::kGames, [&](std::string_view bytes) {
        const ParsedRecord parsed = parse_record(bytes);
        if (!parsed.record) return;
        Ledger& ledger = ledgers_[parsed.record->worker()];
        const std::uint64_t sequence = parsed.record->sequence();
        if (ledger.stored.contains(sequence) || ledger.quarantined.contains(sequence)) return;
        ++ledger.spooled;
        ledger.forgotten += sequence <= ledger.hub_mark ? 1 : 0;
      });
    }
  }

  void judge(const std::string& worker, const Ledger& ledger) {
    const auto add_fault = [&](const std::string& what) {
      report_.faults.push_back(fmt::format("worker {}: {}", worker, what));
    };
    std::size_t twice = 0;
    std::uint64_t expected = ledger.first;
    const auto pass_gap = [&](std::uint64_t next) {
      const auto begin = ledger.quarantined.lower_bound(expected), end = ledger.quarantined.lower_bound(next);
      const std::uint64_t missing = next - expected - static_cast<std::uint64_t>(std::distance(begin, end));
      if (missing > 0)
        add_fault(fmt::format("{} games are missing of {} to {}", missing, expected, next - 1));
      expected = next + 1;
    };
    for (const auto& [sequence, count] : ledger.stored) {
      if (sequence >= expected) pass_gap(sequence);
      twice += count > 1 ? 1 : 0;
    }
    if (ledger.hub_mark >= expected) pass_gap(ledger.hub_mark + 1);
    if (twice > 0) add_fault(fmt::format("{} games are there twice", twice));
    if (ledger.forgotten > 0) {
      add_fault(
          fmt::format("{} games of its spool are below the mark and in no shard: keep a copy of the spool",
                      ledger.forgotten));
    }
    report_.lines.push_back(
        fmt::format("worker {}: {} games in shards, last {}, mark {}, {} quarantined, {} in the stream, {} "
                    "sent again, {} in "
                    "the spool",
                    worker, ledger.stored.size(), ledger.last(), ledger.hub_mark, ledger.quarantined.size(),
                    ledger.under_way, ledger.repeated, ledger.spooled));
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
