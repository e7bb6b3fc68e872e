#include "play/count_view.h"

#include <algorithm>

#include "game/catalog.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Position;

const char* name_of(Color side) { return side == Color::kWhite ? "White" : "Black"; }

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
  return honour ? "Pieces' honour" : "Count of the bare king";
}

}  // namespace

std::optional<CountView> count_view(const game::GameInfo& info, const Position& position) {
  if (position.count_limit == 0) return std::nullopt;
  CountView view;
  const std::optional<Color> bare = bare_side(position);
  view.name = bare ? bare_count_name(info) : "Board's honour";
  view.counter = bare;
  if (position.counter != game::Counter::kNobody)
    view.counter = position.counter == game::Counter::kWhite ? Color::kWhite : Color::kBlack;
  view.limit = position.count_limit / 2;
  // Against a bare king the chaser's moves count, which follow those of the king; else a move counts with
  // its first ply.
  view.moves = std::min(view.limit, bare ? position.count / 2 : (position.count + 1) / 2);
  view.left = view.limit - view.moves;
  view.text =
      view.name + ": " + std::to_string(view.moves) + " of " + std::to_string(view.limit) + " moves, ";
  if (view.left == 0) {
    view.text += "a draw unless the next move wins.";
  } else {
    const std::string whom = bare ? std::string(" for ") + name_of(game::other(*bare)) + " to win" : "";
    view.text += std::to_string(view.left) + " left" + whom + ", then a draw.";
  }
  view.text +=
      view.counter ? std::string(" ") + name_of(*view.counter) + " counts." : " It binds both sides.";
  return view;
}

}  // namespace makzero::play
