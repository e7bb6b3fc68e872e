#include "train/rating/engine_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "models/error.h"

namespace makzero::train {

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

}  // namespace

EngineProcess::EngineProcess(std::string command, milliseconds timeout)
    : command_(std::move(command)), timeout_(timeout) {
  std::array<int, 2> sockets;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) fail(std::strerror(errno));
  const int error = spawn_shell(command_, sockets[1], &child_);
  close(sockets[1]);
  socket_ = sockets[0];
  if (error == 0) return;
  close(socket_);
  fail(std::string("cannot start a shell: ") + std::strerror(error));
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
  const auto deadline = steady_clock::now() + timeout_;
  for (;;) {
    std::string line = read_line(deadline);
    for (const std::string_view word : words) {
      if (begins_with_word(line, word)) return line;
    }
  }
}

std::string EngineProcess::read_line(steady_clock::time_point deadline) {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (read_more(deadline)) continue;
    if (steady_clock::now() < deadline) fail("ended; run it by hand to see why");
    fail("has not answered for " + std::to_string(timeout_.count()) +
         " ms; give it more with ?timeout=SECONDS");
  }
}

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

WrittenEngine read_engine(std::string_view text) {
  const size_t mark = text.rfind('?');
  WrittenEngine engine{std::string(text.substr(0, mark)), {}};
  std::istringstream parts(mark == std::string_view::npos ? "" : std::string(text.substr(mark + 1)));
  for (std::string part; std::getline(parts, part, '&');) {
    const size_t equals = part.find('=');
    engine.settings.emplace_back(part.substr(0, equals),
                                 equals == std::string::npos ? "" : part.substr(equals + 1));
  }
  return engine;
}

int positive_number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

}  // namespace makzero::train
