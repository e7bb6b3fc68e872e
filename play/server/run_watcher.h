// What a training leaves in its folder, read while it runs; nothing in the folder is changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "play/notation/game_document.h"

namespace makzero::play {

// The runs in a folder, as {name, game, generation, running, phase, elo?}, newest first.
std::vector<nlohmann::json> list_runs(const std::filesystem::path& folder);

// The checkpoints of a run, as {id, generation, file, bytes, elo?, eloLow?, eloHigh?}, newest first.
std::vector<nlohmann::json> list_checkpoints(const std::filesystem::path& run);

struct RunEvent {
  // "metrics", "status" (with what is damaged), "ratings", "ladder", "smallRatings" (of the small network
  // beside a tower), "game" or "losses" (shown_losses.h).
  std::string kind;
  std::string data;  // JSON in one line.
};

// Remembers how far it has read. A file that cannot be read now is tried again at the next call.
class RunWatcher {
 public:
  explicit RunWatcher(std::filesystem::path run);

  // What is new since the last call; at first the history, some hundred events at a time. Empty: nothing is.
  std::vector<RunEvent> changes();

 private:
  // What says whether a file has changed.
  struct Stamp {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  static std::optional<Stamp> stamp(const std::filesystem::path& path);

  void add_metrics(std::vector<RunEvent>* events);
  void add_status(std::vector<RunEvent>* events);
  void add_ratings(std::vector<RunEvent>* events);
  void add_small_ratings(std::vector<RunEvent>* events);
  void add_game(std::vector<RunEvent>* events);
  void add_losses(std::vector<RunEvent>* events);

  std::filesystem::path run_;
  std::uint64_t metrics_read_ = 0;  // Bytes.
  std::string status_, ruleset_;
  std::vector<std::string> damage_;  // What the run had lost at first.
  std::optional<Stamp> ratings_, small_ratings_;
  std::filesystem::path newest_games_;
  std::optional<Stamp> newest_stamp_;
  std::optional<Stamp> losses_;
};

// The last game of a file of RUN/games, as train::game_text() writes it; none where it cannot be read.
std::optional<GameDocument> last_sample_game(const std::string& text);

}  // namespace makzero::play
