// Any text either is refused with reasons or names a position whose moves can be made and whose text reads
// back.
#include "game/notation.h"
#include "tests/fuzz/fuzzed_game.h"

namespace makzero::game {
namespace {

void try_moves(const Game& game, const Position& position) {
  MoveList legal;
  game.legal_moves(position, &legal);
  if (game.outcome(position, !legal.empty(), 1).over()) return;
  for (const Move move : legal) {
    Position next = position;
    game.apply(move, &next);
    const Parsed<Move> read = parse_move(game, position, move_text(game, position, move));
    require(read && *read == move, "a legal move reads back from its text");
  }
}

}  // namespace
}  // namespace makzero::game

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero::game;
  const auto [game, text] = split(data, size);
  const Parsed<Position> position = parse_position(*game, text);
  if (!position) {
    require(!position.why().empty(), "a refusal has a reason");
    return 0;
  }
  const Parsed<Position> again = parse_position(*game, position_text(*game, *position));
  require(again && *again == *position, "a position reads back from its text");
  try_moves(*game, *position);
  return 0;
}
