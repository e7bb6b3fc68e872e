#include "play/message.h"

#include <algorithm>

namespace makzero::play {

std::string fill_places(std::string_view text,
                        const std::vector<std::pair<std::string, std::string>>& values) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    filled += text.substr(0, open);
    text.remove_prefix(open);
    const std::size_t close = text.find('}');
    const std::string_view name = close == std::string_view::npos ? "" : text.substr(1, close - 1);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const auto& one) { return one.first == name; });
    if (value == values.end()) {
      filled += text.substr(0, 1);
      if (!text.empty()) text.remove_prefix(1);
      continue;
    }
    filled += value->second;
    text.remove_prefix(close + 1);
  }
  return filled;
}

std::string Message::english() const {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, value] : values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    texts.emplace_back(name, number ? std::to_string(*number) : std::get<std::string>(value));
  }
  return fill_places(text, texts);
}

}  // namespace makzero::play
