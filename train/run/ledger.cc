#include "train/run/ledger.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "models/error.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/store.h"
#include "train/run/file_kinds.h"

namespace makzero::train {
namespace {

using std::filesystem::path;

struct Entry {
  std::uint64_t bytes = 0;   // From the beginning of the file.
  std::uint64_t frames = 0;  // In these bytes; 0 where the file has none. Of the index: all games.
  std::int64_t rows = 0;     // Of a shard; of the index: all, those of deleted shards too.
  std::string mark = "-";    // Of these bytes: their xxh3, or what Accounting says.
};

struct Ledger {
  std::string run = "-";     // Id of the first network: it identifies the run.
  std::uint64_t serial = 0;  // Grows with every writing.
  std::int64_t generation = 0;
  std::multimap<std::string, Entry> files;  // By their path below the run.

  bool operator==(const Ledger& other) const { return text() == other.text(); }

  std::string text() const {
    std::string lines = fmt::format("run {}\nserial {}\ngeneration {}\n", run, serial, generation);
    for (const auto& [name, entry] : files)
      lines += fmt::format("{} {} {} {} {}\n", entry.bytes, entry.frames, entry.rows, entry.mark, name);
    return lines;
  }
};

std::string hash_of(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string title_of(std::string_view lines) {
  return fmt::format("# bytes frames rows mark file, xxh3 {}\n", hash_of(lines));
}

path main_of(const path& run) { return run / "ledger"; }
path copy_of(const path& run) { return run / "checkpoints" / "ledger"; }

// None where it is missing or damaged.
std::optional<Ledger> read(const path& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string content = models::read_text_file(file);
  const std::size_t body = std::min(content.find('\n') + 1, content.size());
  if (content.substr(0, body) != title_of(std::string_view(content).substr(body))) return std::nullopt;
  std::istringstream lines(content.substr(body));
  Ledger ledger;
  std::string word, name;
  lines >> word >> ledger.run >> word >> ledger.serial >> word >> ledger.generation;
  for (Entry entry; lines >> entry.bytes >> entry.frames >> entry.rows >> entry.mark >> std::ws;) {
    std::getline(lines, name);
    ledger.files.emplace(name, entry);
  }
  return ledger;
}

std::string first_bytes(const path& file, std::uint64_t bytes) {
  return models::File(file, models::File::Mode::kRead).read(0, bytes);
}

// Mark of a file's first bytes. Throws models::Error for damage that is seen on the way.
std::string mark_of(const RunFileKind& kind, const path& file, std::uint64_t bytes) {
  if (kind.accounting == Accounting::kPresent) return "-";
  if (kind.accounting == Accounting::kNetwork) return models::id_of(models::read_manifest(file));
  if (kind.accounting == Accounting::kLearner) {
    const models::Manifest manifest = models::read_manifest(file);
    return fmt::format("{}:{}", manifest.generation(), manifest.parent());
  }
  return hash_of(first_bytes(file, bytes));
}

bool counts_bytes(const RunFileKind& kind) {
  return kind.accounting == Accounting::kWhole || kind.accounting == Accounting::kPrefix ||
         kind.accounting == Accounting::kShard;
}

// Up to the last whole frame, where the file has frames: a killed process tears the last one. Its bytes are
// on the disk afterwards.
Entry count(const RunFileKind& kind, const path& file) {
  models::File(file, models::File::Mode::kRead).sync();
  Entry entry;
  if (!counts_bytes(kind)) {
    entry.mark = mark_of(kind, file, 0);
    return entry;
  }
  const std::string content = first_bytes(file, std::filesystem::file_size(file));
  entry.bytes = content.size();
  if (const auto framed = models::find_file_kind(file)) {
    models::FrameReader reader(file.string(), content, *framed);
    while (reader.next()) ++entry.frames;
    entry.bytes = reader.good_bytes();
  }
  entry.mark = hash_of(std::string_view(content).substr(0, entry.bytes));
  return entry;
}

// Why the file is not that of the entry; empty where it is.
std::string misfit_of(const RunFileKind& kind, const path& file, const Ledger& ledger, const Entry& entry,
                      LedgerDepth depth, bool* is_other) {
  *is_other = false;
  const std::string source = fmt::format("the ledger of generation {}", ledger.generation);
  std::error_code missing;
  const std::uint64_t bytes = std::filesystem::file_size(file, missing);
  const std::string content = entry.frames > 0 ? fmt::format(" with {} records", entry.frames) : "";
  if (missing) return fmt::format("is missing; {} has it{}", source, content);
  if (bytes < entry.bytes || bytes == 0)
    return fmt::format("has {} bytes, in {} it has {}{}", bytes, source, entry.bytes, content);
  if (kind.accounting == Accounting::kShard && depth == LedgerDepth::kQuick) return "";
  const std::string mark = mark_of(kind, file, entry.bytes);
  if (mark == entry.mark && (kind.accounting != Accounting::kWhole || bytes == entry.bytes)) return "";
  if (kind.accounting == Accounting::kLearner) {
    // A killed process may have written the next one.
    const auto parent =
        ledger.files.find(models::CheckpointStore("checkpoints").path(ledger.generation).generic_string());
    if (parent != ledger.files.end() &&
        mark == fmt::format("{}:{}", ledger.generation + 1, parent->second.mark))
      return "";
  }
  *is_other = true;
  return fmt::format("is not that of {}: it was changed, or is another run's", source);
}

std::vector<LedgerFault> faults_by(const Ledger& ledger, const path& run, LedgerDepth depth) {
  std::vector<LedgerFault> faults;
  for (auto entry = ledger.files.begin(); entry != ledger.files.end();) {
    const std::string& name = entry->first;
    const path file = run / name;
    const RunFileKind* kind = counted_kind(name);
    LedgerFault fault{file, ""};
    bool has_fit = kind == nullptr;
    const auto last = ledger.files.upper_bound(name);
    for (; entry != last; ++entry) {
      if (has_fit) continue;
      try {
        fault.what = misfit_of(*kind, file, ledger, entry->second, depth, &fault.is_other);
      } catch (const models::Error& error) {
        fault.what = error.what();
        const std::string prefix = file.string() + ": ";
        if (fault.what.starts_with(prefix)) fault.what.erase(0, prefix.size());
      }
      has_fit = fault.what.empty();
    }
    if (!has_fit) faults.push_back(std::move(fault));
  }
  return faults;
}

// The ledger that the run fits best, and what is wrong with either file.
struct Found {
  std::optional<Ledger> ledger;
  std::vector<LedgerFault> faults;
};

Found find_ledger(const path& run, LedgerDepth depth) {
  const path files[] = {main_of(run), copy_of(run)};
  Found found;
  std::vector<LedgerFault> of_ledgers;
  for (const path& file : files) {
    const std::optional<Ledger> ledger = read(file);
    if (!ledger) {
      of_ledgers.push_back({file, std::filesystem::exists(file) ? "is damaged" : "is missing"});
      continue;
    }
    std::vector<LedgerFault> faults = faults_by(*ledger, run, depth);
    if (!found.ledger) {
      found = {ledger, std::move(faults)};
      continue;
    }
    // A killed process may have written the first file alone.
    const bool is_sound = found.ledger->run == ledger->run &&
                          (*found.ledger == *ledger || found.ledger->serial == ledger->serial + 1);
    if (is_sound) continue;
    const bool is_better = faults.size() < found.faults.size();
    of_ledgers.push_back({is_better ? files[0] : file, "is another run's, or an old one"});
    if (is_better) found = {ledger, std::move(faults)};
  }
  if (found.ledger) std::move(of_ledgers.begin(), of_ledgers.end(), std::back_inserter(found.faults));
  return found;
}

std::optional<Ledger> best_ledger(const path& run) { return find_ledger(run, LedgerDepth::kQuick).ledger; }

void write(const path& run, Ledger ledger) {
  ++ledger.serial;
  const std::string lines = ledger.text(), text = title_of(lines) + lines;
  models::write_text_file(main_of(run), text);
  models::write_text_file(copy_of(run), text);
}

// The counted files of a run, by their path below it.
std::map<std::string, const RunFileKind*> counted_files(const path& run) {
  std::map<std::string, const RunFileKind*> files;
  for (const auto& each : std::filesystem::recursive_directory_iterator(run)) {
    if (!each.is_regular_file()) continue;
    const std::string name = each.path().lexically_relative(run).generic_string();
    if (const RunFileKind* kind = counted_kind(name)) files[name] = kind;
  }
  return files;
}

// True where an entry holds on without the file being read.
bool is_unchanged(const RunFileKind& kind, const path& file, const Entry& entry) {
  if (!counts_bytes(kind)) return kind.accounting == Accounting::kNetwork;
  const std::uint64_t bytes = std::filesystem::file_size(file);
  return bytes == entry.bytes || (bytes < entry.bytes && kind.accounting != Accounting::kWhole);
}

}  // namespace

void write_ledger(const path& run, std::int64_t generation, const std::vector<ShardIndex>& indices) {
  std::map<std::string, Entry> known;  // Games and rows.
  for (const ShardIndex& index : indices) {
    for (const Shard& shard : index.shards) {
      const path name = shard.path.lexically_relative(run);
      known[name.generic_string()].rows = shard.rows;
      Entry& all = known[(name.parent_path() / "index").generic_string()];
      all.frames += static_cast<std::uint64_t>(shard.games);
      all.rows += shard.rows;
    }
  }
  const Ledger old = best_ledger(run).value_or(Ledger{});
  Ledger ledger = old;
  ledger.generation = generation;
  for (const auto& [name, kind] : counted_files(run)) {
    const path file = run / name;
    const auto [first, last] = old.files.equal_range(name);
    const auto entries = std::distance(first, last);
    if (entries == 1 && is_unchanged(*kind, file, first->second)) continue;
    const auto is_sound = [&](const auto& each) {
      bool is_other = false;
      return misfit_of(*kind, file, old, each.second, LedgerDepth::kEveryByte, &is_other).empty();
    };
    if (entries > 0 && kind->accounting != Accounting::kLearner && std::none_of(first, last, is_sound))
      continue;
    Entry entry = count(*kind, file);
    if (const auto found = known.find(name); found != known.end()) {
      entry.frames = std::max(entry.frames, found->second.frames);
      entry.rows = found->second.rows;
    }
    if (ledger.run == "-" && kind->accounting == Accounting::kNetwork) ledger.run = entry.mark;
    ledger.files.erase(name);
    ledger.files.emplace(name, std::move(entry));
  }
  write(run, std::move(ledger));
}

void expect_content(const path& run, const path& file, std::string_view content) {
  std::optional<Ledger> ledger = best_ledger(run);
  const std::string name = file.lexically_relative(run).generic_string();
  if (!ledger || !ledger->files.contains(name)) return;
  Entry next{content.size(), 0, 0, hash_of(content)};
  const auto [first, last] = ledger->files.equal_range(name);
  if (std::any_of(first, last, [&](const auto& each) { return each.second.mark == next.mark; })) return;
  ledger->files.emplace(name, std::move(next));
  write(run, std::move(*ledger));
}

void forget_files(const path& run, const std::vector<path>& files) {
  std::optional<Ledger> ledger = best_ledger(run);
  if (!ledger) return;
  for (const path& file : files) ledger->files.erase(file.lexically_relative(run).generic_string());
  write(run, std::move(*ledger));
}

void count_anew(const path& run, const path& file) {
  std::optional<Ledger> ledger = best_ledger(run);
  if (!ledger) return;
  const std::string name = file.lexically_relative(run).generic_string();
  const RunFileKind* kind = counted_kind(name);
  ledger->files.erase(name);
  if (kind && std::filesystem::exists(file)) ledger->files.emplace(name, count(*kind, file));
  write(run, std::move(*ledger));
}

std::vector<LedgerFault> ledger_faults(const path& run, LedgerDepth depth) {
  std::vector<LedgerFault> faults;
  // A training that writes meanwhile may have deleted on purpose what its ledger of before had.
  for (std::uint64_t serial = 0;;) {
    Found found = find_ledger(run, depth);
    faults = std::move(found.faults);
    if (faults.empty() || !found.ledger || found.ledger->serial == serial) return faults;
    serial = found.ledger->serial;
  }
}

std::string data_hash(const path& run) {
  const std::optional<Ledger> ledger = best_ledger(run);
  if (!ledger) return "";
  std::string entries;
  for (const auto& [name, entry] : ledger->files) {
    if (path(name).extension() == ".mzg") entries += fmt::format("{} {} {}\n", name, entry.bytes, entry.mark);
  }
  return hash_of(entries);
}

ShardCounts deleted_shards(const path& run, const path& folder) {
  ShardCounts deleted;
  const std::optional<Ledger> ledger = best_ledger(run);
  if (!ledger) return deleted;
  for (const auto& [name, entry] : ledger->files) {
    if (path(name).parent_path() != folder.lexically_relative(run)) continue;
    const int sign = path(name).filename() == "index" ? 1 : -1;
    deleted.games += sign * static_cast<std::int64_t>(entry.frames);
    deleted.rows += sign * entry.rows;
  }
  return deleted;
}

void require_accounted(const std::vector<LedgerFault>& faults, const path& file) {
  for (const LedgerFault& fault : faults) {
    if (fault.file != file) continue;
    throw models::Error(file, fault.what + "; `makzero fsck RUN --repair` keeps what is good");
  }
}

path run_of(const path& file) {
  for (path folder = std::filesystem::absolute(file).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (std::filesystem::exists(main_of(folder)) || std::filesystem::exists(copy_of(folder))) return folder;
  }
  return {};
}

}  // namespace makzero::train
