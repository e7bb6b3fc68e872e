// Library of games over HTTP: list, import, export, moves of a position, and reviews in the background.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "nn/backend.h"
#include "play/engine/search_pool.h"
#include "play/library/library.h"
#include "play/server/networks.h"
#include "play/server/router.h"

namespace makzero::play {

// Thread-safe.
class LibraryService {
 public:
  // The library is made in `folder` by the first import; the networks must outlive it.
  LibraryService(std::filesystem::path folder, const NetworkFolder& networks, nn::Backend backend);

  // Ends a review that is at work.
  ~LibraryService() = default;

  // Null where nothing was imported yet, unless it is to be `made`.
  Library* library(bool made = false);

  // Reviews games in the background, one review at a time. The reason where it cannot begin.
  std::optional<std::string> begin_review(std::vector<std::int64_t> ids, int visits);
  void stop_review();
  nlohmann::json review_state();

 private:
  void review(const std::stop_token& stop, const std::vector<std::int64_t>& ids, int visits);
  bool review_one(const std::stop_token& stop, std::int64_t id, int visits, SearchPool* pool);

  const std::filesystem::path folder_;
  const NetworkFolder& networks_;
  const nn::Backend backend_;
  std::mutex mutex_;
  std::unique_ptr<Library> library_;
  struct State {
    bool running = false;
    std::size_t done = 0, of = 0, skipped = 0;
    std::string now;  // The players of the game at work.
    std::chrono::steady_clock::time_point begin;
  } state_;              // Guarded by mutex_.
  std::jthread worker_;  // Last: its end stops what is searched.
};

// The service must outlive the router.
void add_library_routes(Router* router, LibraryService* service);

}  // namespace makzero::play
