// makzero serve: the web page and its interface, until Ctrl-C.
#include <malloc.h>
#include <pthread.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "play/commands/command.h"
#include "play/server/library.h"
#include "play/server/routes.h"
#include "play/server/run_watcher.h"
#include "play/server/search.h"
#include "play/server/server.h"

namespace makzero::play {
namespace {

constexpr size_t kShortestToken = 12;
constexpr size_t kMostFileBytes = 16 << 20;  // Of a file of games.

struct ServeRequest {
  ServerOptions server;
  std::string runs = "runs";
  std::filesystem::path library = kept_file("library");
  nn::Backend backend;
};

void check_token(const std::string& token) {
  const bool odd =
      token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") !=
      std::string::npos;
  if (odd || (!token.empty() && token.size() < kShortestToken))
    throw UsageError(
        "--token: write at least 12 letters, digits, '-' or '_'; without --token one is made up");
}

void check_runs(const std::filesystem::path& runs) {
  if (std::filesystem::exists(runs / "status.json")) {
    throw UsageError("--runs: '" + runs.string() + "' is a run: name the folder that it lies in");
  }
}

// The signals that end the program are taken by wait_for_end() alone: blocked here, in threads made later
// too.
sigset_t block_end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// A second signal ends the program at once.
void wait_for_end(const sigset_t& signals) {
  int signal = 0;
  sigwait(&signals, &signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

int run_serve(ServeRequest request) {
  for (const char* path : {"/api/read", "/api/library/import"})
    request.server.limits.body_bytes_of[path] = kMostFileBytes;
  check_token(request.server.token);
  check_runs(request.runs);
  if (request.server.token.empty() && !is_loopback(request.server.address))
    request.server.token = random_token();
  // Each thread would get an arena of its own, which keeps what a long body once took: after 10,000 bad
  // requests the program held 26 MB more, with two arenas 2 MB more.
  mallopt(M_ARENA_MAX, 2);
  const sigset_t signals = block_end_signals();
  std::mutex log_mutex;
  Server server(request.server, [&log_mutex](const std::string& line) {
    const std::lock_guard lock(log_mutex);
    std::cerr << line << std::endl;
  });
  const NetworkFolder runs(request.runs, models::Zoo::standard(), request.backend.device);
  add_page_routes(&server);
  SearchService searches(runs, {}, request.backend);
  add_game_routes(&server.router(), runs);
  add_search_routes(&server.router(), &searches,
                    [&server](const HttpRequest& request) { return server.client(request); });
  LibraryService library(request.library, runs, request.backend);
  add_library_routes(&server.router(), &library);
  add_run_routes(&server.router(), runs);
  std::thread serving([&server] { server.run(); });
  std::cout << "Open " << server.url() << "\n";
  if (!is_loopback(request.server.address))
    std::cout
        << "On other machines write the address of this one instead of the host. Traffic is not encrypted.\n";
  const models::Zoo zoo = models::Zoo::standard();
  if (list_runs(request.runs).empty() && zoo.entries().empty() && zoo.families().empty()) {
    std::cout << "No network is trained in '" << request.runs << "' yet, and none is in the zoo '"
              << zoo.folder().string() << "': alpha-beta plays. Try `makzero train makyek`.\n";
  }
  if (!std::filesystem::exists(request.runs))
    std::cout << "There is no folder '" << request.runs
              << "' yet: a training in it is shown when it begins.\n";
  std::cout << "Ctrl-C ends it." << std::endl;
  wait_for_end(signals);
  server.stop();
  serving.join();
  return 0;
}

}  // namespace

Run add_serve(CLI::App* app) {
  auto request = std::make_shared<ServeRequest>();
  add_number(app, "--port", &request->server.port, "Of the page's address; 0 = any free one (8600)", 0,
             65535);
  app->add_option("--address", request->server.address,
                  "Where to listen (127.0.0.1: only this machine can reach it)")
      ->type_name("ADDRESS");
  app->add_option("--token", request->server.token,
                  "Who sends it may come in; made up where others can reach the address")
      ->type_name("T")
      ->envname("MAKZERO_TOKEN");
  app->add_option("--host", request->server.hosts, "A further name that browsers may call the server by")
      ->type_name("NAME");
  app->add_option("--runs", request->runs, "The folder of the runs whose networks play and are shown (runs)")
      ->type_name("DIR");
  app->add_option("--library", request->library, "Folder of the library of games (in ~/.local/state/makzero)")
      ->type_name("DIR");
  add_backend(app, &request->backend);
  app->footer(
      "The page plays every game, analyses positions and shows trainings while they run.\n\n"
      "Examples:\n"
      "  makzero serve\n"
      "  makzero serve --address 0.0.0.0        for the local network; prints an address with a token");
  return [request] { return run_serve(*request); };
}

}  // namespace makzero::play
