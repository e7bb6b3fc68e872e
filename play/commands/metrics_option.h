// --metrics-port of commands that run for long.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "play/server/metrics_server.h"
#include "train/gauges.h"

namespace makzero::play {

struct MetricsOption {
  MetricsAddress address;
  std::optional<int> port;  // None: no server.
};

// Adds --metrics-port and --metrics-address.
void add_metrics(CLI::App* app, MetricsOption* option);

// Serves the figures as long as it lives; null without a port. Names its address on stderr.
std::unique_ptr<MetricsServer> serve_metrics(const MetricsOption& option, const train::Gauges& gauges);

}  // namespace makzero::play
