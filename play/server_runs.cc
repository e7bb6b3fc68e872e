#include "play/server_runs.h"

#include <chrono>
#include <utility>

#include "play/run_watcher.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

// How often a run's files are looked at, and after how many quiet looks a sign of life is sent.
constexpr milliseconds kInterval{500};
constexpr int kQuietLooks = 20;

HttpReply no_run(const std::string& name) {
  return error_reply(404, "there is no run '" + name + "': /api/runs lists them");
}

void watch(const fs::path& run, EventStream& events) {
  RunWatcher watcher(run);
  int quiet = 0;
  do {
    std::vector<RunEvent> changes = watcher.changes();
    for (; !changes.empty(); changes = watcher.changes()) {
      quiet = 0;
      for (const RunEvent& event : changes) {
        if (!events.send(event.kind, event.data)) return;
      }
      if (!events.wait(milliseconds(0))) return;
    }
    if (++quiet % kQuietLooks == 0 && !events.send_heartbeat()) return;
  } while (events.wait(kInterval));
}

HttpReply checkpoints(const NetworkFolder& runs, const std::string& name) {
  const auto run = runs.run(name);
  if (!run) return no_run(name);
  std::vector<json> list = list_checkpoints(*run);
  for (json& checkpoint : list) checkpoint["player"] = name + "/" + checkpoint["id"].get<std::string>();
  return json_reply(list);
}

}  // namespace

void add_run_routes(Router* router, const NetworkFolder& runs) {
  router->add("GET", "/api/runs",
              [&runs](const HttpRequest&, const PathParts&) { return json_reply(list_runs(runs.path())); });
  router->add("GET", "/api/runs/*/events", [&runs](const HttpRequest&, const PathParts& parts) {
    const auto run = runs.run(parts[0]);
    if (!run) return no_run(parts[0]);
    HttpReply reply;
    reply.stream = [path = *run](EventStream& events) { watch(path, events); };
    return reply;
  });
  router->add("GET", "/api/runs/*/checkpoints",
              [&runs](const HttpRequest&, const PathParts& parts) { return checkpoints(runs, parts[0]); });
}

}  // namespace makzero::play
