// Any text either is refused with reasons or names a legal move. The input is a line of moves.
#include <algorithm>

#include "game/notation.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero::game;
  auto [game, text] = split(data, size);
  Position position = game->initial();
  MoveList legal;
  while (!text.empty()) {
    game->legal_moves(position, &legal);
    if (game->outcome(position, !legal.empty(), 1).over()) break;
    const std::size_t end = std::min(text.find(' '), text.size());
    const Parsed<Move> move = parse_move(*game, position, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!move) {
      require(!move.why().empty(), "a refusal has a reason");
      continue;
    }
    require(std::find(legal.begin(), legal.end(), *move) != legal.end(), "a move that was read is legal");
    game->apply(*move, &position);
  }
  return 0;
}
