#include "play/count_view.h"

#include <algorithm>

#include "game/catalog.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Position;

const char* name_of(Color side) { return side == Color::kWhite ? later("White") : later("Black"); }

// The side that has its king alone.
std::optional<Color> bare_side(const Position& position) {
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    if (game::size(position.side[game::index(side)]) == 1) return side;
  }
  return std::nullopt;
}

// Only where the rules speak of pieces' honour is the count of a bare king called that.
std::string bare_count_name(const game::GameInfo& info) {
  const bool honour = game::rules_text(info.ruleset).find("Pieces' honour") != std::string_view::npos;
  return honour ? later("Pieces' honour") : later("Count of the bare king");
}

// Whom the count binds.
const char* binding(std::optional<Color> counter) {
  if (!counter) return later("It binds both sides.");
  return *counter == Color::kWhite ? later("White counts.") : later("Black counts.");
}

// `bare`: the side that has its king alone, if one has.
Message sentence_of(const CountView& view, std::optional<Color> bare) {
  MessageValues values = {{"name", view.name},
                          {"moves", view.moves},
                          {"limit", view.limit},
                          {"left", view.left},
                          {"who", binding(view.counter)}};
  if (view.left == 0)
    return message("{name}: {moves} of {limit} moves, a draw unless the next move wins. {who}", values);
  if (!bare) return message("{name}: {moves} of {limit} moves, {left} left, then a draw. {who}", values);
  values.emplace_back("side", name_of(game::other(*bare)));
  return message("{name}: {moves} of {limit} moves, {left} left for {side} to win, then a draw. {who}",
                 values);
}

}  // namespace

std::optional<CountView> count_view(const game::GameInfo& info, const Position& position) {
  if (position.count_limit == 0) return std::nullopt;
  CountView view;
  const std::optional<Color> bare = bare_side(position);
  view.name = bare ? bare_count_name(info) : later("Board's honour");
  view.counter = bare;
  if (position.counter != game::Counter::kNobody)
    view.counter = position.counter == game::Counter::kWhite ? Color::kWhite : Color::kBlack;
  view.limit = (position.count_limit + 1) / 2;
  // Against a bare king the chaser's moves count, which follow those of the king; else a move counts with
  // its first ply.
  view.moves = std::min(view.limit, bare ? position.count / 2 : (position.count + 1) / 2);
  view.left = view.limit - view.moves;
  view.text = sentence_of(view, bare);
  return view;
}

}  // namespace makzero::play
