// makzero worker: plays for a run that is trained elsewhere.
#include "train/hub/worker.h"

#include <cstdio>
#include <memory>

#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/commands/metrics_option.h"
#include "train/hub/redis_hub.h"
#include "train/run/start_training.h"

namespace makzero::play {
namespace {

struct WorkerOptions {
  std::string hub;
  std::string run;
  std::string spool = "spool";
  int threads = 1;
  std::int64_t spool_megabytes = 256;
  nn::Backend backend;
  bool drain = false;
  MetricsOption metrics;
};

int run_worker_command(const WorkerOptions& options) {
  const train::HubAddress address = value_or_usage_error(train::parse_hub_address(options.hub));
  train::WorkerRequest request;
  const std::string run = train::hub_name(options.run);
  request.open = [address, run] { return std::make_shared<train::RedisHub>(address, run); };
  request.account = address.user;
  request.spools = std::filesystem::path(options.spool) / run;
  request.threads = options.threads;
  request.device = options.backend.device;
  request.precision = std::string(nn::precision_name(options.backend.precision));
  request.spool_bytes = static_cast<std::size_t>(options.spool_megabytes) << 20;
  request.log = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  const std::stop_token stop =
      stop_on_interrupt("\nstopping; games that are not sent stay in the spool; again leaves at once\n");
  if (options.drain) return train::drain_spools(request, stop) ? 0 : 1;
  train::Gauges gauges;
  request.gauges = &gauges;
  const std::unique_ptr<MetricsServer> server = serve_metrics(options.metrics, gauges);
  train::run_worker(request, stop);
  return 0;
}

}  // namespace

Run add_worker(CLI::App* app) {
  auto options = std::make_shared<WorkerOptions>();
  app->add_option("--hub", options->hub, "Redis server of the run: redis://HOST:PORT[/DB], unix:///PATH")
      ->required()
      ->type_name("URL");
  app->add_option("--run", options->run, "Name of the run: that of its folder at the trainer")
      ->required()
      ->type_name("NAME");
  add_threads(app, &options->threads, "That play (one per core)");
  add_backend(app, &options->backend);
  app->add_option("--spool", options->spool, "Keeps games until the trainer has them on its disk (spool)")
      ->type_name("DIR");
  add_number(app, "--spool-megabytes", &options->spool_megabytes, "Bound of the spool (256)", 1, 1 << 20);
  add_metrics(app, &options->metrics);
  app->add_flag("--drain", options->drain, "Play nothing: send what dead workers have left in the folder");
  app->footer(
      "Ctrl-C or SIGTERM stops it within seconds; the next start sends what is left. The hub's password may\n"
      "stand in the environment variable MAKZERO_HUB_PASSWORD.\n\n"
      "Examples:\n"
      "  makzero train makyek --hub redis://localhost     (elsewhere)\n"
      "  makzero worker --hub redis://trainer:6379 --run makyek\n"
      "  makzero worker --hub redis://trainer:6379 --run makyek --drain");
  return [options] { return run_worker_command(*options); };
}

}  // namespace makzero::play
