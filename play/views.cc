#include "play/views.h"

#include <algorithm>

#include "game/catalog.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Position;
using game::Reason;

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
  values.emplace_back("side", side_name(game::other(*bare)));
  return message("{name}: {moves} of {limit} moves, {left} left for {side} to win, then a draw. {who}",
                 values);
}

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

// Where men hunt a hunter they are too few to shut it in; else the loser's are.
Message too_few_men(const game::GameInfo& info, const std::string& loser) {
  return info.has_hunter ? message("too few men are left to shut the hunter in")
                         : message("{side} has too few men left", {{"side", loser}});
}

}  // namespace

const char* side_name(Color side) { return side == Color::kWhite ? later("White") : later("Black"); }

game::Bitboard checked_kings(const PlayedGame& game) {
  const game::Position& position = game.position();
  const game::Bitboard kings = position.own() & game::kings(game.rules().info(), position);
  return kings ? kings & game.rules().threats(position, game::other(position.to_move)).targets : 0;
}

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

std::optional<Color> loser_of(game::Result result) {
  if (result == game::Result::kWhiteWins) return Color::kBlack;
  if (result == game::Result::kBlackWins) return Color::kWhite;
  return std::nullopt;
}

Message outcome_cause(const PlayedGame& game, const game::Outcome& outcome) {
  const game::GameInfo& info = game.rules().info();
  const std::optional<Color> lost = loser_of(outcome.result);
  const std::string loser = side_name(lost.value_or(Color::kWhite));
  const std::string winner = side_name(game::other(lost.value_or(Color::kWhite)));
  const std::string mover = side_name(game.position().to_move);
  switch (outcome.reason) {
    case Reason::kNoPieces:
      return is_chess(info) ? message("{side} has no pieces left", {{"side", loser}})
                            : message("{side} has no men left", {{"side", loser}});
    case Reason::kKingCaptured:
      return message("{side}'s king is captured", {{"side", loser}});
    case Reason::kTooFewMen:
      return too_few_men(info, loser);
    case Reason::kNoLegalMove:
      return message("{side} cannot move", {{"side", mover}});
    case Reason::kCheckmate:
      return message("{side} is checkmated", {{"side", loser}});
    case Reason::kStalemate:
      return message("stalemate, {side} cannot move and is not in check", {{"side", mover}});
    case Reason::kCheck:
      return message("{side} is in check, which loses this game", {{"side", loser}});
    case Reason::kRepetition:
      return message("the same position came {count} times", {{"count", game.history().occurrences()}});
    case Reason::kNoProgress:
      return message("too many moves without progress");
    case Reason::kInsufficientMaterial:
      return message("neither side has enough left to win");
    case Reason::kCountExceeded:
      return message("the count ran out");
    case Reason::kCounterMated:
      return message("{side} is mated by the side that was counting", {{"side", mover}});
    case Reason::kPlyLimit:
      return message("the game has reached its greatest length");
    case Reason::kMaterialAtPlyCap:
      return message("{side} has more left where the game was cut", {{"side", winner}});
    case Reason::kResignation:
      return message("{side} resigned", {{"side", loser}});
    case Reason::kTimeForfeit:
      return message("{side}'s time is up", {{"side", loser}});
    case Reason::kAgreement:
      return message("the players agreed to a draw");
    case Reason::kNone:
      return message("the record does not say why");
    case Reason::kCut:
      break;
  }
  return {std::string(game::reason_text(outcome.reason))};
}

}  // namespace makzero::play
