// Audits a run against its hub: games in the shards, durable marks, games under way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/hub/hub.h"

namespace makzero::train {

struct AuditReport {
  std::vector<std::string> lines;   // A line for each worker, and for the stream.
  std::vector<std::string> faults;  // What must not be; empty: nothing is lost or twice.

  bool is_sound() const { return faults.empty(); }
  std::string text() const;
};

// Reads all shards: no (worker, sequence) may be there twice, and none may be missing below the worker's
// last one there or its durable mark but those in RUN/quarantine: what a damaged spool has lost is missing
// too. `spools`: folders of spools of this machine, whose games must be above their mark or in the shards;
// empty: none. Nothing is changed. Throws models::Error.
AuditReport audit_run(const std::filesystem::path& run, Hub* hub,
                      const std::vector<std::filesystem::path>& spools = {});

}  // namespace makzero::train
