#include "play/notation/game_document.h"

#include <algorithm>

#include "game/plain_text.h"

namespace makzero::play {
namespace {

const Tag* find_tag(const std::vector<Tag>& tags, std::string_view name) {
  const auto found = std::find_if(tags.begin(), tags.end(), [small = game::lowered(name)](const Tag& tag) {
    return game::lowered(tag.name) == small;
  });
  return found == tags.end() ? nullptr : &*found;
}

constexpr size_t kMostTags = 1000;

bool is_control(unsigned char c) { return c < ' ' || c == 0x7F; }

// As files hold it, a tag a line.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  return line;
}

}  // namespace

std::string Tags::value(std::string_view name, std::string_view missing) const {
  const Tag* tag = find_tag(tags_, name);
  return tag ? tag->value : std::string(missing);
}

bool Tags::contains(std::string_view name) const { return find_tag(tags_, name) != nullptr; }

void Tags::set(std::string_view name, std::string_view value) {
  if (const Tag* tag = find_tag(tags_, name)) {
    tags_[tag - tags_.data()].value = one_line(value);
  } else {
    add(name, value);
  }
}

void Tags::add(std::string_view name, std::string_view value) {
  const bool readable = !game::trimmed(name).empty() && name.find('"') == std::string_view::npos &&
                        std::none_of(name.begin(), name.end(), is_control);
  if (readable && tags_.size() < kMostTags && !contains(name))
    tags_.push_back({std::string(name), one_line(value)});
}

GameDocument::GameDocument(const PlayedGame& played) : game(played), nodes(1) {
  int node = 0;
  for (const Action& action : played.actions()) node = follow(node, action);
}

int GameDocument::follow(int node, const Action& action) {
  for (const int next : nodes[node].next) {
    if (nodes[next].action == action) return next;
  }
  const int added = static_cast<int>(nodes.size());
  nodes.push_back({.action = action, .parent = node});
  nodes[node].next.push_back(added);
  return added;
}

void GameDocument::make_main(int node) {
  std::vector<int>& siblings = nodes[nodes[node].parent].next;
  const auto found = std::find(siblings.begin(), siblings.end(), node);
  std::rotate(siblings.begin(), found, found + 1);
}

std::vector<int> GameDocument::main_line() const {
  std::vector<int> line = {0};
  while (!nodes[line.back()].next.empty()) line.push_back(nodes[line.back()].next.front());
  return line;
}

}  // namespace makzero::play
