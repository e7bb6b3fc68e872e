#include "models/player/player_text.h"

#include <algorithm>

#include "game/plain_text.h"

namespace makzero::models {

namespace {

constexpr int kMaxMilliseconds = 3'600'000;

// The player whose options begin behind `mark`, which is npos where there are none.
WrittenPlayer split(std::string_view text, size_t mark, std::string_view separators) {
  WrittenPlayer player{std::string(text.substr(0, mark)), {}};
  while (mark < text.size()) {
    const size_t end = std::min(text.find_first_of(separators, mark + 1), text.size());
    const std::string_view option = text.substr(mark + 1, end - mark - 1);
    mark = end;
    if (option.empty()) continue;
    const size_t equals = std::min(option.find('='), option.size());
    player.options.emplace_back(option.substr(0, equals), option.substr(std::min(equals + 1, option.size())));
  }
  return player;
}

// True if the '?' at `mark` is part of a folder's name.
bool in_folder(std::string_view text, size_t mark) {
  if (mark == std::string_view::npos) return false;
  const size_t end = text.find_first_of("/=?&,", mark + 1);
  return end != std::string_view::npos && text[end] == '/';
}

}  // namespace

WrittenPlayer read_written_player(std::string_view text) {
  size_t mark = text.find('?');
  while (in_folder(text, mark)) mark = text.find('?', mark + 1);
  return split(text, mark, "?&,");
}

WrittenPlayer read_written_engine(std::string_view text) { return split(text, text.rfind('?'), "&"); }

bool has_option(const WrittenPlayer& player, std::string_view name) {
  return std::any_of(player.options.begin(), player.options.end(),
                     [name](const auto& option) { return option.first == name; });
}

int positive_number(const std::string& text) {
  return std::max(0, game::parse_number<int>(text).value_or(0));
}

game::Parsed<std::chrono::milliseconds> parse_move_time(const std::string& value) {
  const int number = positive_number(value);
  if (number > 0 && number <= kMaxMilliseconds) return std::chrono::milliseconds(number);
  return game::Parsed<std::chrono::milliseconds>::failure(
      {"ms='" + value + "' must be a number of milliseconds from 1 to " + std::to_string(kMaxMilliseconds)});
}

}  // namespace makzero::models
