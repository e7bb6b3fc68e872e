#include "play/notation/annotated_game.h"

#include <algorithm>

namespace makzero::play {

AnnotatedGame::AnnotatedGame(const PlayedGame& played) : game(played), nodes(1) {
  int node = 0;
  for (const Action& action : played.actions()) node = follow(node, action);
}

int AnnotatedGame::follow(int node, const Action& action) {
  for (const int next : nodes[node].next) {
    if (nodes[next].action == action) return next;
  }
  const int added = static_cast<int>(nodes.size());
  nodes.push_back({.action = action, .parent = node});
  nodes[node].next.push_back(added);
  return added;
}

void AnnotatedGame::make_main(int node) {
  std::vector<int>& siblings = nodes[nodes[node].parent].next;
  const auto found = std::find(siblings.begin(), siblings.end(), node);
  std::rotate(siblings.begin(), found, found + 1);
}

std::vector<int> AnnotatedGame::main_line() const {
  std::vector<int> line = {0};
  while (!nodes[line.back()].next.empty()) line.push_back(nodes[line.back()].next.front());
  return line;
}

}  // namespace makzero::play
