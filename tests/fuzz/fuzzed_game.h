// What the fuzzers share: a ruleset chosen by the first byte of the input, and what must never fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "game/catalog.h"
#include "game/game.h"

namespace makzero::game {

struct FuzzedText {
  const Game* game;
  std::string_view text;
};

inline FuzzedText split(const std::uint8_t* data, std::size_t size) {
  static const std::vector<GamePtr> kGames = [] {
    std::vector<GamePtr> games;
    for (const std::string& name : ruleset_names()) games.push_back(*make_game(name));
    return games;
  }();
  const std::size_t choice = size > 0 ? data[0] % kGames.size() : 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return {kGames[choice].get(), text.substr(size > 0 ? 1 : 0)};
}

// An assertion that holds in every build; libFuzzer keeps the input that broke it.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace makzero::game
