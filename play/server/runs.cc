#include "play/server/routes.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"
#include "play/export/export_network.h"
#include "play/server/run_watcher.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

// How often a run's files are looked at, and after how many quiet looks a sign of life is sent.
constexpr milliseconds kInterval{500};
constexpr int kQuietLooks = 20;

// Of an export that is a page: what a browser opens.
constexpr const char* kPage = "index.html";

HttpReply no_run(const std::string& name) {
  return error_reply(404, message("there is no run '{run}': /api/runs lists them", {{"run", name}}));
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

// Where the server's exports of a run lie: RUN/exports/000012-onnx.
fs::path exports_of(const fs::path& run) { return run / "exports"; }

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) || letter == '-' || letter == '_' || letter == '.') {
      encoded += letter;
    } else {
      encoded.append({'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
    }
  }
  return encoded;
}

// What a browser shall do with a file of an export: open the page and what it loads, save anything else.
std::string type_of(const fs::path& file) {
  static const std::map<std::string, std::string> kTypes = {{".html", "text/html; charset=utf-8"},
                                                            {".js", "text/javascript; charset=utf-8"},
                                                            {".mjs", "text/javascript; charset=utf-8"},
                                                            {".css", "text/css; charset=utf-8"},
                                                            {".svg", "image/svg+xml"},
                                                            {".wasm", "application/wasm"},
                                                            {".json", "application/json"},
                                                            {".webmanifest", "application/manifest+json"},
                                                            {".png", "image/png"}};
  const auto found = kTypes.find(file.extension());
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

// Writes exports and gives them out: /exports/RUN/000012-onnx/model.onnx.
class Exporter {
 public:
  explicit Exporter(const NetworkFolder& runs) : runs_(runs) {}

  // One at a time: it computes for seconds.
  HttpReply write(const HttpRequest& request, const std::string& run, const std::string& id) try {
    const game::Parsed<json> query = read_object(request.body);
    if (!query) return error_reply(400, query.why());
    const json to = query->value("to", json());
    const auto kinds = export_kinds();
    if (!to.is_string() || std::find(kinds.begin(), kinds.end(), to.get<std::string>()) == kinds.end())
      return field_error("'to' must be \"onnx\", \"web\", \"json\" or \"small\"", "to");
    const auto checkpoint = runs_.checkpoint(run, id);
    if (!checkpoint) return error_reply(404, "there is no checkpoint '" + id + "' in a run '" + run + "'");
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return error_reply(429, message("another export is running: try again when it is done"));

    const fs::path folder = exports_of(*runs_.run(run)) / (id + "-" + to.get<std::string>());
    fs::create_directories(folder.parent_path());
    json files = json::array();
    for (const fs::path& path : export_network(*checkpoint, to.get<std::string>(), folder).files) {
      const fs::path name = path.lexically_relative(folder);
      std::string url = "/exports/" + percent_encoded(run) + "/" + folder.filename().string();
      for (const fs::path& part : name) url += "/" + percent_encoded(part);
      json file = {{"name", name}, {"url", std::move(url)}};
      files.insert(name == kPage ? files.begin() : files.end(), std::move(file));
    }
    return json_reply({{"files", std::move(files)}});
  } catch (const models::Error& error) {
    return error_reply(409, runs_.without_place(error.what()));
  }

  // `parts`: run, then folders and the name of the file.
  HttpReply read(const PathParts& parts) const {
    std::optional<fs::path> path = runs_.run(parts.front());
    if (path) path = exports_of(*path);
    for (size_t i = 1; path && i < parts.size(); ++i) path = entry_of(*path, parts[i]);
    if (!path || fs::symlink_status(*path).type() != fs::file_type::regular)
      return error_reply(404, "there is no such export");
    return {.type = type_of(*path), .body = models::read_text_file(*path)};
  }

 private:
  const NetworkFolder& runs_;
  std::mutex mutex_;
};

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
  const auto exporter = std::make_shared<Exporter>(runs);
  router->add("POST", "/api/runs/*/checkpoints/*/export",
              [exporter](const HttpRequest& request, const PathParts& parts) {
                return exporter->write(request, parts[0], parts[1]);
              });
  for (const char* path : {"/exports/*/*/*", "/exports/*/*/*/*"}) {
    router->add("GET", path,
                [exporter](const HttpRequest&, const PathParts& parts) { return exporter->read(parts); });
  }
}

}  // namespace makzero::play
