#include "models/endings_file.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/framed_file.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFrameCodes = 1 << 26;  // Of a class that has more, a frame.

constexpr int kSolver = 2;  // Greater by one where values have changed: tables of before are made anew.

game::GamePtr named_game(const game::GameInfo& info) {
  return *game::make_game(game::ruleset_name(info.ruleset));
}

// Folder of the tables of a ruleset: that of the named one, with the board where it has another:
// "makyek-5x5".
std::string folder_of(const game::GameInfo& info) {
  const std::string name(game::ruleset_name(info.ruleset));
  const bool same_board = info.board() == named_game(info)->info().board();
  return same_board ? name : name + "-" + std::to_string(info.files) + "x" + std::to_string(info.ranks);
}

// First frame of a file.
std::string head_of(const game::GameInfo& info, const std::string& name) {
  return folder_of(info) + " " + name + " " + std::to_string(kSolver);
}

std::string repair_of(const game::GameInfo& info) {
  return ": remove it and run `makzero endings " + info.ruleset + "`";
}

}  // namespace

fs::path endings_folder() {
  if (const char* named = std::getenv("MAKZERO_ENDINGS")) return named;
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = data && *data ? fs::path(data) : fs::path(home ? home : ".") / ".local" / "share";
  return folder / "makzero" / "endings";
}

fs::path ending_path(const game::GameInfo& info, const std::string& name) {
  return endings_folder() / folder_of(info) / (name + ".mze");
}

std::string no_endings_reason(const game::GameInfo& info) {
  if (std::string refusal = mcts::ending_refusal(info); !refusal.empty()) return refusal;
  const game::GamePtr named = named_game(info);
  const std::string& ruleset = named->info().ruleset;
  const game::OptionInfo* setup = game::find_option(info, "setup");
  const game::GamePtr alike =
      setup ? *game::make_game(game::with_option(ruleset, "setup=" + setup->value)) : named;
  if (game::differ_in_limits_alone(info, alike->info())) return {};
  return "endings are solved for named rulesets: leave the options out, as in '" + ruleset + "'";
}

void write_ending(const game::GameInfo& info, const mcts::EndingTable& table) {
  const std::string& name = table.ending.name();
  const fs::path path = ending_path(info, name);
  make_folder(path.parent_path());
  FrameBuffer buffer(FileKind::kEnding);
  buffer.add(head_of(info, name));
  const std::string_view codes(reinterpret_cast<const char*>(table.codes.data()), table.codes.size());
  for (std::size_t from = 0; from < codes.size(); from += kFrameCodes)
    buffer.add(codes.substr(from, kFrameCodes));
  write_text_file(path, buffer.bytes());
}

std::vector<std::uint8_t> read_ending(const game::GameInfo& info, const mcts::EndingClass& ending) {
  const fs::path path = ending_path(info, ending.name());
  FrameReader reader(path, FileKind::kEnding);
  const std::optional<std::string> head = reader.next();
  std::vector<std::uint8_t> codes;
  while (const std::optional<std::string> frame = reader.next())
    codes.insert(codes.end(), frame->begin(), frame->end());
  if (!reader.damage().empty()) throw Error(path, reader.damage() + repair_of(info));
  if (!head || *head != head_of(info, ending.name()) || codes.size() != ending.size())
    throw Error(path, "is another ending, or one of another version" + repair_of(info));
  return codes;
}

namespace {

// A search may be what asks: it goes on without the class.
std::vector<std::uint8_t> read_or_note(const game::GameInfo& info, const mcts::EndingClass& ending) {
  try {
    return read_ending(info, ending);
  } catch (const Error& error) {
    std::fprintf(stderr, "note: %s\n", error.what());
    return {};
  }
}

}  // namespace

std::shared_ptr<const mcts::Endings> installed_endings(const game::Game& game) {
  if (endings_folder().empty() || !no_endings_reason(game.info()).empty()) return nullptr;
  if (!fs::is_directory(endings_folder() / folder_of(game.info()))) return nullptr;
  auto endings = std::make_shared<mcts::Endings>(game);
  for (const mcts::Material material : mcts::ending_materials(game)) {
    mcts::EndingClass ending(game, material);
    if (!fs::is_regular_file(ending_path(game.info(), ending.name()))) continue;
    endings->add(std::move(ending), [&info = game.info()](const mcts::EndingClass& wanted) {
      return read_or_note(info, wanted);
    });
  }
  return endings->empty() ? nullptr : endings;
}

std::string missing_endings(const game::GameInfo& info) {
  if (std::string reason = no_endings_reason(info); !reason.empty()) return reason;
  if (endings_folder().empty()) return "MAKZERO_ENDINGS is empty, which means no endings";
  return "none are installed: `makzero endings " + info.ruleset + "` makes them in minutes";
}

}  // namespace makzero::models
