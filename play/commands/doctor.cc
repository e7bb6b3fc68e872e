// makzero doctor: what this machine offers, what is missing, and how to repair it.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>

#include "models/zoo.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/runtime.h"
#include "nn/system.h"
#include "play/commands/command.h"
#include "train/hub/hub_check.h"
#include "train/run/start_training.h"

namespace makzero::play {
namespace {

constexpr double kGigabyte = 1e9;
constexpr double kLeastMemory = 2, kLeastDisk = 5;  // Gigabytes: what a run of hours needs.

// One line of the report; a repair makes it a finding.
void report(const char* name, const std::string& found, const std::string& repair = "") {
  print(std::cout, "%-4s %-10s %s\n", repair.empty() ? "ok" : "!!", name, found.c_str());
  if (!repair.empty()) print(std::cout, "%-15s -> %s\n", "", repair.c_str());
}

std::string yes_no(bool yes) { return yes ? "yes" : "no"; }

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / kGigabyte);
  return text;
}

void report_processor(const nn::Runtime& environment) {
  const std::string features = "AVX2 " + yes_no(environment.avx2) + ", AVX-512 " +
                               yes_no(environment.avx512) + ", bf16 " + yes_no(environment.bf16);
  report("CPU", features,
         environment.avx2 ? "" : "an x86 processor with AVX2, or a GPU, is several times faster");
  report("cores", std::to_string(environment.cores) + " usable by this process",
         environment.cores >= 2 ? "" : "give the process two cores or more: self-play uses one per worker");
}

// No card is no fault: everything runs on the CPU.
void report_cuda(const nn::Runtime& environment) {
  if (environment.cuda_devices == 0) return report("CUDA", "none: " + environment.cuda);
  std::string computes, fault;
  for (const nn::Precision precision : {nn::Precision::kFp32, nn::Precision::kBf16, nn::Precision::kFp16}) {
    try {
      nn::require_backend({"cuda", precision});
      computes += (computes.empty() ? "" : ", ") + std::string(nn::precision_name(precision));
    } catch (const std::runtime_error& error) {
      fault = error.what();
    }
  }
  if (!computes.empty()) return report("CUDA", environment.cuda + ", computes in " + computes);
  report("CUDA", environment.cuda + " computes nothing: " + fault,
         "LibTorch " + environment.libtorch_version +
             " has no kernels for cards of this age: take another version");
}

void report_memory() {
  const nn::Memory memory = nn::machine_memory();
  if (memory.total == 0) return;
  report(
      "memory", gigabytes(memory.total) + ", " + gigabytes(memory.unused) + " unused",
      memory.total >= kLeastMemory * kGigabyte ? "" : "use smaller windows: --replay.maximum_window=200000");
}

void report_disk(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path where = std::filesystem::exists(folder) ? folder : ".";
  const std::filesystem::space_info space = std::filesystem::space(where, error);
  if (error) return report("disk", where.string() + ": " + error.message(), "train with --run DIR elsewhere");
  const double available = static_cast<double>(space.available);
  report("disk", gigabytes(available) + " free for " + folder,
         available >= kLeastDisk * kGigabyte ? "" : "free some, or train with --run DIR on another disk");
}

void report_zoo() {
  const models::Zoo zoo = models::Zoo::standard();
  std::string games;
  for (const models::ZooEntry& entry : zoo.entries()) games += (games.empty() ? "" : ", ") + entry.game();
  for (const models::ZooEntry& entry : zoo.families())
    games += std::string(games.empty() ? "" : ", ") + "all " + entry.game() + " games";
  report("zoo",
         (games.empty() ? "no network" : "networks for " + games) + " in '" + zoo.folder().string() + "'",
         games.empty() ? "MAKZERO_ZOO names another folder; without one alpha-beta plays" : "");
}

// Everything about a hub, with the workers that have reported in the last minutes.
int check_hub(const std::string& url, const std::string& run) {
  train::RedisHub hub(value_or_usage_error(train::parse_hub_address(url)), train::hub_name(run));
  bool is_well = true;
  for (const train::HubFinding& finding : train::check_hub(&hub)) {
    report(finding.name.c_str(), finding.found, finding.repair);
    is_well = is_well && finding.repair.empty();
  }
  if (run.empty()) return is_well ? 0 : 1;
  const train::LeaseState lease = hub.lease();
  report("trainer", lease.holder.empty() ? "none" : lease.holder + ", epoch " + std::to_string(lease.epoch));
  report("stream", std::to_string(hub.backlog()) + " games");
  for (const auto& [worker, text] : hub.worker_reports())
    report("worker", fmt::format("{} {}", worker, text));
  return is_well ? 0 : 1;
}

int run_doctor() {
  const nn::Runtime environment = nn::inspect_runtime();
  const bool torch = !environment.libtorch_version.empty();
  report("LibTorch", torch ? environment.libtorch_version : "none", environment.why_no_libtorch);
  if (torch) {
    report("BLAS", environment.blas,
           environment.blas_is_reference ? "apt-get install libopenblas0-pthread: some 10 times faster" : "");
    report_cuda(environment);
  }
  report_processor(environment);
  report_memory();
  report_disk("runs");
  report_zoo();
  return 0;
}

}  // namespace

Run add_doctor(CLI::App* app) {
  struct Options {
    std::string hub, run;
  };
  auto options = std::make_shared<Options>();
  app->add_option("--hub", options->hub, "Check this hub instead of the machine")->type_name("URL");
  app->add_option("--run", options->run, "With --hub: the trainer and the workers of this run")
      ->type_name("NAME");
  app->footer(
      "Each finding (!!) comes with its repair.\n\n"
      "Examples:\n"
      "  makzero doctor\n"
      "  makzero doctor --hub redis://localhost --run makyek");
  return [options] { return options->hub.empty() ? run_doctor() : check_hub(options->hub, options->run); };
}

}  // namespace makzero::play
