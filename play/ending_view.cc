#include "play/ending_view.h"

#include <algorithm>
#include <optional>

#include "play/count_view.h"

namespace makzero::play {
namespace {

Message text_of(const PlayedGame& game, const mcts::EndingValue& value, bool to_capture) {
  if (value.result == 0) return message("draw");
  // The winner makes the last move.
  const bool wins = value.result > 0;
  MessageValues values = {{"count", wins ? (value.plies + 1) / 2 : value.plies / 2}};
  if (to_capture)
    return wins ? message("win, a capture in {count}", values)
                : message("loss, a capture in {count}", values);
  if (!wins) return message("loss in {count}", values);
  const std::optional<CountView> count = count_view(game.rules().info(), game.position());
  if (!count) return message("win in {count}", values);
  values.emplace_back("left", count->left);
  return message("win in {count}, the count leaves {left}", values);
}

}  // namespace

std::vector<EndingGroup> ending_view(const PlayedGame& game, const mcts::SearchInfo& info) {
  std::vector<EndingGroup> groups;
  for (std::size_t i = 0; i < info.endings.values.size(); ++i) {
    const std::optional<mcts::EndingValue>& value = info.endings.values[i];
    if (!value) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const EndingGroup& each) { return each.value == *value; });
    if (group == groups.end())
      group = groups.insert(group, {*value, text_of(game, *value, info.endings.to_capture), {}});
    group->moves.push_back(game.legal()[static_cast<int>(i)]);
  }
  std::sort(groups.begin(), groups.end(),
            [](const EndingGroup& a, const EndingGroup& b) { return better(a.value, b.value); });
  return groups;
}

}  // namespace makzero::play
