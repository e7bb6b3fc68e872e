// A redis-server of its own on a Unix socket in a temporary folder.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "models/error.h"
#include "train/hub/redis_hub.h"

namespace makzero::train {

class RedisServer {
 public:
  // Starts it with these further arguments and waits until it answers.
  explicit RedisServer(std::filesystem::path folder, std::vector<std::string> more = {})
      : folder_(std::move(folder)), more_(std::move(more)) {
    std::string name = (std::filesystem::temp_directory_path() / "makzero-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw models::Error(name, "cannot be made");
    socket_ = std::filesystem::path(name) / "redis";
    start();
  }
  ~RedisServer() {
    kill();
    std::filesystem::remove_all(socket_.parent_path());
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  HubAddress address() const { return *parse_hub_address("unix://" + socket_.string()); }

  // With -9, as a failing machine does.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  // Its answer to an account's command.
  std::string answer_to(const std::string& user, const std::string& password,
                        const std::vector<std::string>& words) const {
    std::string command =
        "redis-cli --no-auth-warning -s '" + socket_.string() + "' --user " + user + " --pass " + password;
    for (const std::string& word : words) command += " '" + word + "'";
    FILE* answer = popen((command + " 2>&1").c_str(), "r");
    std::string text;
    for (int c = 0; answer != nullptr && (c = std::fgetc(answer)) != EOF;) text += static_cast<char>(c);
    if (answer != nullptr) pclose(answer);
    return text;
  }

  void start() {
    std::vector<std::string> words = {"redis-server",
                                      "--port",
                                      "0",
                                      "--unixsocket",
                                      socket_.string(),
                                      "--dir",
                                      folder_.string(),
                                      "--save",
                                      "",
                                      "--daemonize",
                                      "no",
                                      "--logfile",
                                      (folder_ / "redis.log").string()};
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (posix_spawnp(&process_, "redis-server", nullptr, nullptr, arguments.data(), environ) != 0)
      throw models::Error("redis-server cannot be started: apt-get install redis-server");
    wait_until_it_answers();
  }

 private:
  void wait_until_it_answers() {
    static constexpr int kTries = 1000;
    std::string why;
    for (int i = 0; i < kTries; ++i) {
      try {
        RedisHub(address(), "any").backlog();
        return;
      } catch (const HubError& error) {
        why = error.what();
        if (why.find("NOAUTH") != std::string::npos) return;
      }
      usleep(10'000);
    }
    throw models::Error(folder_ / "redis.log", "redis-server does not answer: " + why);
  }

  std::filesystem::path folder_;
  std::filesystem::path socket_;  // In a folder of its own: a path of a socket has 107 bytes at most.
  std::vector<std::string> more_;
  pid_t process_ = 0;
};

}  // namespace makzero::train
