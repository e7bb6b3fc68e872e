#include "play/commands/metrics_option.h"

#include <cstdio>

#include "play/commands/command.h"

namespace makzero::play {

void add_metrics(CLI::App* app, MetricsOption* option) {
  static constexpr int kMostPort = 65535;
  app->add_option("--metrics-port", option->port, "Figures for Prometheus at /metrics there (none); 0 = any")
      ->type_name("N")
      ->check(number_in(0, kMostPort));
  app->add_option("--metrics-address", option->address.address,
                  "Where they are served (127.0.0.1: to this machine)")
      ->type_name("IP");
}

std::unique_ptr<MetricsServer> serve_metrics(const MetricsOption& option, const train::Gauges& gauges) {
  if (!option.port) return nullptr;
  auto server = std::make_unique<MetricsServer>(MetricsAddress{option.address.address, *option.port},
                                                [&gauges] { return gauges.text(); });
  std::fprintf(stderr, "figures at %s\n", server->url().c_str());
  return server;
}

}  // namespace makzero::play
