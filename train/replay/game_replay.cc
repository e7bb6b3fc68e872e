#include "train/replay/game_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/small_network.h"
#include "models/error.h"

namespace makzero::train {
namespace {

bool is_adjudicated(const GameRecord& record) {
  return static_cast<game::Reason>(record.reason()) == game::Reason::kMaterialAtPlyCap;
}

[[noreturn]] void fail(const GameRecord& record, int ply, const std::string& why) {
  throw models::Error(
      fmt::format("game {}, ply {}: {}. The record was made under other rules or is damaged: "
                  "run 'makzero fsck' on the run, or begin another one",
                  record.number(), ply, why));
}

game::Position start_of(const game::Game& game, const GameRecord& record) {
  if (record.ruleset() != game.info().ruleset)
    fail(record, 0, fmt::format("played by '{}', not by '{}'", record.ruleset(), game.info().ruleset));
  if (record.start().empty()) return game.initial();
  const auto position = game::parse_position(game, record.start());
  if (!position) fail(record, 0, position.why());
  return *position;
}

// Plays all plies; fills in positions and occurrences.
void play_through(const game::Game& game, const GameRecord& record, GameReplay* replay) {
  game::GameState state(game, start_of(game, record));
  replay->plies.reserve(record.plies_size());
  for (int ply = 0; ply < record.plies_size(); ++ply) {
    const PlyRecord& played = record.plies(ply);
    const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(played.move()));
    const game::MoveList& legal = state.legal();
    if (state.over()) fail(record, ply, "the game was over by the rules");
    if (std::find(legal.begin(), legal.end(), move) == legal.end())
      fail(record, ply, "the move is not legal");
    if (!played.policy().empty() && played.policy().size() != 2 * static_cast<size_t>(legal.size()))
      fail(
          record, ply,
          fmt::format("a policy over {} moves where {} are legal", played.policy().size() / 2, legal.size()));
    replay->plies.push_back({state.position(), state.history().occurrences(), 0, replay->result, {}});
    state.play(move);
  }
  const game::Outcome& outcome = state.outcome();
  const auto recorded = static_cast<game::Result>(record.result());
  if (outcome.over() && outcome.result != recorded)
    fail(record, record.plies_size(),
         fmt::format("the rules say {}, the record {}", game::result_text(outcome.result),
                     game::result_text(recorded)));
  replay->last = state.position();
  replay->end = outcome;
  replay->cut = !outcome.over();
}

// Follows the pieces back from the end: a survivor stood on its move's origin before it stood on the
// destination.
void mark_survivors(const game::Game& game, const GameRecord& record, GameReplay* replay) {
  game::Bitboard survivors = replay->last.occupied();
  for (int ply = record.plies_size() - 1; ply >= 0; --ply) {
    const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(record.plies(ply).move()));
    if (!move.is_pass()) {
      const bool survives = game::contains(survivors, move.destination());
      survivors &= ~game::bit(move.destination());
      if (survives && move.is_step()) survivors |= game::bit(move.origin());
      const auto displaced = game.displacement(replay->plies[ply].position, move);
      if (displaced && game::contains(survivors, displaced->to))
        survivors ^= game::bit(displaced->to) | game::bit(displaced->from);
    }
    replay->plies[ply].survivors = survivors;
  }
}

// Who was ahead when a game was cut says little about a position long before.
void bootstrap_cut_values(const GameRecord& record, GameReplay* replay) {
  for (int ply = static_cast<int>(record.opening_plies()); ply < record.plies_size(); ++ply) {
    const auto distance = static_cast<float>(record.plies_size() - 1 - ply);
    replay->plies[ply].value =
        blend(replay->result, searched_value(record.plies(ply)), -std::expm1(-distance / kCutHorizon));
  }
}

// Plies of the opening have no search and take the value of the next one.
void average_values(const GameRecord& record, float horizon, GameReplay* replay) {
  mcts::WhiteValue average = replay->result;
  for (int ply = record.plies_size() - 1; ply >= 0; --ply) {
    if (ply >= static_cast<int>(record.opening_plies()))
      average = blend(average, searched_value(record.plies(ply)), 1 / horizon);
    replay->plies[ply].short_term = average;
  }
}

void add_exact_values(const mcts::Endings& endings, GameReplay* replay) {
  for (ReplayedPly& ply : replay->plies) {
    const std::optional<mcts::EndingValue> value = endings.probe(ply.position);
    if (!value) continue;
    const mcts::MoverValue own = {value->result > 0 ? 1.0f : 0.0f, value->result == 0 ? 1.0f : 0.0f,
                                  value->result < 0 ? 1.0f : 0.0f};
    ply.exact = mcts::to_white(own, ply.position.to_move);
  }
}

// By the surprise of a row against the mean of the game's rows.
void weigh_rows(const GameRecord& record, float share, GameReplay* replay) {
  float sum = 0;
  int rows = 0;
  for (const PlyRecord& ply : record.plies()) {
    if (ply.full_search()) sum += ply.surprise(), ++rows;
  }
  if (sum == 0) return;
  const float mean = sum / static_cast<float>(rows);
  for (int ply = 0; ply < record.plies_size(); ++ply) {
    const float surprise = record.plies(ply).surprise() / mean;
    replay->plies[ply].weight = std::min(kGreatestWeight, 1 + share * (surprise - 1));
  }
}

}  // namespace

GameReplay replay_game(const game::Game& game, const GameRecord& record, const ReplayOptions& values) {
  GameReplay replay;
  replay.result = result_value(record, values);
  play_through(game, record, &replay);
  mark_survivors(game, record, &replay);
  if (replay.cut && !is_adjudicated(record)) bootstrap_cut_values(record, &replay);
  average_values(record, values.short_term_horizon, &replay);
  if (values.policy_surprise_weight > 0) weigh_rows(record, values.policy_surprise_weight, &replay);
  if (values.endings) add_exact_values(*values.endings, &replay);
  return replay;
}

double expected_by_score(const PlyRecord& ply) {
  const mcts::LogitScore score{ply.score()};
  if (score.proven()) return score.value > 0 ? 1 : 0;
  return mcts::expected_result(score);
}

mcts::WhiteValue searched_value(const PlyRecord& ply) {
  if (ply.depth() == 0) return {ply.white(), 1 - ply.white() - ply.black(), ply.black()};
  const auto lead = static_cast<float>(2 * expected_by_score(ply) - 1);
  return {std::max(lead, 0.0f), 1 - std::abs(lead), std::max(-lead, 0.0f)};
}

int pieces_taken(const game::Game& game, const GameRecord& record) {
  const auto pieces = [](const game::Position& position) {
    return game::size(position.occupied()) + position.hand[0] + position.hand[1];
  };
  game::Position position = start_of(game, record);
  const int before = pieces(position);
  for (const PlyRecord& ply : record.plies())
    game.apply(game::Move::from_bits(static_cast<std::uint16_t>(ply.move())), &position);
  return before - pieces(position);
}

mcts::WhiteValue blend(const mcts::WhiteValue& a, const mcts::WhiteValue& b, float share_of_b) {
  return {std::lerp(a.white, b.white, share_of_b), std::lerp(a.draw, b.draw, share_of_b),
          std::lerp(a.black, b.black, share_of_b)};
}

namespace {

// A great lead is worth nearly the whole value of an adjudicated win, a small one little: so that leads grow.
float adjudicated_value(const GameRecord& record, const ReplayOptions& values) {
  if (values.adjudicated_lead == 0) return values.adjudicated_win;
  const auto lead = static_cast<float>(std::abs(record.final_material())) / 100;
  return values.adjudicated_win * -std::expm1(-lead / values.adjudicated_lead);
}

}  // namespace

bool was_cut(const GameRecord& record) {
  return is_adjudicated(record) || static_cast<game::Reason>(record.reason()) == game::Reason::kCut;
}

mcts::WhiteValue result_value(const GameRecord& record, const ReplayOptions& values) {
  const auto result = static_cast<game::Result>(record.result());
  const auto reason = static_cast<game::Reason>(record.reason());
  const bool searched = record.plies_size() > static_cast<int>(record.opening_plies());
  if (reason == game::Reason::kCut && searched) return searched_value(*record.plies().rbegin());
  if (result == game::Result::kDraw) return {0, 1, 0};
  const float win = is_adjudicated(record) ? adjudicated_value(record, values) : 1;
  return result == game::Result::kWhiteWins ? mcts::WhiteValue{win, 1 - win, 0}
                                            : mcts::WhiteValue{0, 1 - win, win};
}

float policy_surprise(const std::vector<mcts::RootMove>& moves) {
  float sum = 0;
  for (const mcts::RootMove& move : moves) {
    if (move.policy > 0) sum += move.policy * std::log(move.policy / std::max(move.prior, 1e-9f));
  }
  return std::max(sum, 0.0f);
}

void record_search(const mcts::SearchResult& result, PlyRecord* ply) {
  ply->set_white(result.value.white);
  ply->set_black(result.value.black);
  ply->set_policy(encode_policy(result.moves));
  ply->set_surprise(policy_surprise(result.moves));
}

std::string encode_policy(const std::vector<mcts::RootMove>& moves) {
  std::string bytes;
  bytes.reserve(2 * moves.size());
  for (const mcts::RootMove& move : moves) {
    const auto scaled = static_cast<unsigned>(std::lround(std::clamp(move.policy, 0.0f, 1.0f) * 65535));
    bytes += static_cast<char>(scaled & 255);
    bytes += static_cast<char>(scaled >> 8);
  }
  return bytes;
}

void decode_policy(std::string_view bytes, std::vector<float>* policy) {
  const size_t begin = policy->size();
  float sum = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto low = static_cast<unsigned char>(bytes[i]), high = static_cast<unsigned char>(bytes[i + 1]);
    policy->push_back(static_cast<float>(low | high << 8));
    sum += policy->back();
  }
  for (size_t i = begin; i < policy->size(); ++i) (*policy)[i] /= sum;
}

std::string game_line(const game::Game& game, const GameRecord& record) {
  static constexpr int kMoves = 6;
  std::string text =
      fmt::format("{} {}, {} plies: ...", game::result_text(static_cast<game::Result>(record.result())),
                  game::reason_text(static_cast<game::Reason>(record.reason())), record.plies_size());
  game::Position position = start_of(game, record);
  for (int ply = 0; ply < record.plies_size(); ++ply) {
    const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(record.plies(ply).move()));
    if (ply >= record.plies_size() - kMoves) text += " " + game::move_text(game, position, move);
    game.apply(move, &position);
  }
  return text;
}

std::string game_text(const game::Game& game, const GameRecord& record) {
  game::Position position = start_of(game, record);
  std::string text = fmt::format(
      "[Game \"{}\"] [Ruleset \"{}\"] [Result \"{}\"] [Reason \"{}\"] [Plies \"{}\"] [Material "
      "\"{:+.2f}\"]\n",
      record.number(), record.ruleset(), game::result_text(static_cast<game::Result>(record.result())),
      game::reason_text(static_cast<game::Reason>(record.reason())), record.plies_size(),
      record.final_material() / 100.0);
  if (!record.start().empty()) text += "[FEN \"" + record.start() + "\"]\n";
  std::string line;
  for (int ply = 0; ply < record.plies_size(); ++ply) {
    const PlyRecord& played = record.plies(ply);
    const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(played.move()));
    std::string word =
        position.to_move == game::Color::kWhite || ply == 0 ? fmt::format("{}. ", ply / 2 + 1) : "";
    word += game::move_text(game, position, move);
    if (ply >= static_cast<int>(record.opening_plies()))
      word += fmt::format(" {{{:+.2f}}}", searched_value(played).white - searched_value(played).black);
    if (line.size() + word.size() > 110) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    game.apply(move, &position);
  }
  return text + line + "\n" + game::position_text(game, position) + "\n\n";
}

}  // namespace makzero::train
