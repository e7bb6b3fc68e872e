#include "models/player/engine_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "models/error.h"

namespace makzero::models {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kQuit = "quit\n";
constexpr milliseconds kTimeToQuit{1000};
constexpr const char* kGames = "/usr/games";

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

// Starts `/bin/sh -c command` with `socket` as its standard input and output. Returns 0 or an errno.
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

EngineProcess::EngineProcess(std::string command, milliseconds timeout)
    : command_(std::move(command)), timeout_(timeout) {
  std::array<int, 2> sockets;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    fail(models::system_text(errno));
  const int error = spawn_shell(command_, sockets[1], &child_);
  close(sockets[1]);
  socket_ = sockets[0];
  if (error == 0) return;
  close(socket_);
  fail("cannot start a shell: " + models::system_text(error));
}

EngineProcess::~EngineProcess() {
  ::send(socket_, kQuit.data(), kQuit.size(), MSG_NOSIGNAL);
  const auto deadline = steady_clock::now() + kTimeToQuit;
  while (read_more(deadline)) buffer_.clear();
  close(socket_);
  if (steady_clock::now() >= deadline) kill(-child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void EngineProcess::send(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("does not read its input any more; run it by hand to see why");
    rest.remove_prefix(written);
  }
}

std::string EngineProcess::wait_for(std::initializer_list<std::string_view> words) {
  if (const auto line = poll_for(words, timeout_)) return *line;
  fail_silent();
}

void EngineProcess::fail_silent() const {
  fail("has not answered for " + std::to_string(timeout_.count()) +
       " ms; give it more with ?timeout=SECONDS");
}

std::optional<std::string> EngineProcess::poll_for(std::initializer_list<std::string_view> words,
                                                   milliseconds time) {
  const auto deadline = steady_clock::now() + time;
  for (;;) {
    if (auto line = find_line(words)) return line;
    if (read_more(deadline)) continue;
    if (steady_clock::now() < deadline) fail("ended; run it by hand to see why");
    return std::nullopt;
  }
}

// Of the lines that were read the first that begins with one of the words; it and those before it are taken.
std::optional<std::string> EngineProcess::find_line(std::initializer_list<std::string_view> words) {
  for (size_t end; (end = buffer_.find('\n')) != std::string::npos;) {
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    for (const std::string_view word : words) {
      if (begins_with_word(line, word)) return line;
    }
  }
  return std::nullopt;
}

std::chrono::nanoseconds EngineProcess::processor_time() const { return processor_time_of(child_); }

// Appends what the engine has written; false when it ended or the deadline has passed.
bool EngineProcess::read_more(steady_clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready = {socket_, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(left.count()));
    if (count == 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t size = count < 0 ? -1 : read(socket_, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    buffer_.append(bytes.data(), size);
    return true;
  }
}

void EngineProcess::fail(const std::string& what) const {
  throw models::Error("engine '" + command_ + "' " + what);
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path ? path : "") + ":" + kGames);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace makzero::models
