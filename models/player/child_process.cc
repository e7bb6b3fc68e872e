#include "models/player/child_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace makzero::models {

struct ChildProcess::System {
  pid_t child = -1;
  int socket = -1;
};

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kGames = "/usr/games";

// Starts `/bin/sh -c command` with `socket` as its standard input and output, in a process group of its own.
// Returns 0 or an errno.
int spawn_shell(const std::string& command, int socket, pid_t* child) {
  std::string script = std::string("PATH=\"$PATH:") + kGames + "\"; exec " + command;
  std::array<char, 8> shell = {"sh"}, flag = {"-c"};
  std::array<char*, 4> arguments = {shell.data(), flag.data(), script.data(), nullptr};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Of a process and its descendants; 0 where it has ended.
std::chrono::nanoseconds processor_time_of(pid_t process) {
  clockid_t clock = 0;
  timespec own = {};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &own) != 0) return {};
  std::chrono::nanoseconds sum = std::chrono::seconds(own.tv_sec) + std::chrono::nanoseconds(own.tv_nsec);
  std::error_code ended;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", ended)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) sum += processor_time_of(child);
  }
  return sum;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) : system_(std::make_unique<System>()) {
  std::array<int, 2> sockets;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw std::system_error(errno, std::generic_category());
  const int error = spawn_shell(command, sockets[1], &system_->child);
  close(sockets[1]);
  system_->socket = sockets[0];
  if (error == 0) return;
  close(sockets[0]);
  throw std::system_error(error, std::generic_category());
}

ChildProcess::~ChildProcess() {
  close(system_->socket);
  waitpid(system_->child, nullptr, 0);
}

bool ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = send(system_->socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool ChildProcess::read(steady_clock::time_point deadline, std::string* bytes) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready = {system_->socket, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), INT_MAX)));
    if (count == 0) continue;
    std::array<char, 4096> piece;
    const ssize_t size = count < 0 ? -1 : ::read(system_->socket, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes->append(piece.data(), static_cast<size_t>(size));
    return true;
  }
}

void ChildProcess::kill() { ::kill(-system_->child, SIGKILL); }

std::chrono::nanoseconds ChildProcess::processor_time() const { return processor_time_of(system_->child); }

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path ? path : "") + ":" + kGames);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace makzero::models
