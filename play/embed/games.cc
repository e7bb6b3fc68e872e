// C interface: errors, rules, positions and moves.
#include <algorithm>
#include <array>
#include <climits>
#include <cstring>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/embed/handles.h"
#include "play/json/game_json.h"
#include "play/notation/written_move.h"
#include "play/views.h"

namespace makzero::play::embed {
namespace {

constexpr std::string_view kCut = " ...";

// Without memory of its own, so that an error about missing memory can be kept.
thread_local std::array<char, 2048> last_error = {};

game::Bitboard promoted_pieces(const PlayedGame& game) {
  game::Bitboard promoted = 0;
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    const Action& action = game.actions()[i];
    if (!action.declaration)
      promoted = promoted_after(game.rules(), game.position_before(i), action.move, promoted);
  }
  return promoted;
}

}  // namespace

int keep_error(int status, const char* why) noexcept {
  const std::size_t size = std::min(std::strlen(why), last_error.size() - 1);
  std::memcpy(last_error.data(), why, size);
  last_error[size] = '\0';
  if (size == last_error.size() - 1) std::copy(kCut.begin(), kCut.end(), last_error.end() - 1 - kCut.size());
  return status;
}

int keep_exception() noexcept {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return keep_error(refusal.status, refusal.what());
  } catch (const std::bad_alloc&) {
    return keep_error(MAKZERO_NO_MEMORY, "memory is short: free some, or ask for less");
  } catch (const std::exception& error) {
    return keep_error(MAKZERO_FAILED, error.what());
  } catch (...) {
    return keep_error(MAKZERO_FAILED, "an unknown exception");
  }
}

int write_text(std::string_view text, char* out, std::size_t size) {
  if (text.size() > INT_MAX) throw Refusal(MAKZERO_FAILED, "the text is longer than 2 GiB");
  if (out == nullptr && size > 0) refuse("text is NULL, and size is not 0");
  if (size > 0) {
    const std::size_t written = std::min(text.size(), size - 1);
    std::copy_n(text.begin(), written, out);
    out[written] = '\0';
  }
  return static_cast<int>(text.size());
}

game::Move legal_move(const PlayedGame& game, makzero_move bits) {
  const game::Move move = game::Move::from_bits(bits);
  if (!game.may_go_on()) throw Refusal(MAKZERO_BAD_INPUT, "the game is over: no move may follow");
  if (std::find(game.legal().begin(), game.legal().end(), move) == game.legal().end()) {
    throw Refusal(MAKZERO_BAD_INPUT, "move " + std::to_string(bits) + " is not legal in " +
                                         game::position_text(game.rules(), game.position()));
  }
  return move;
}

}  // namespace makzero::play::embed

using namespace makzero::play::embed;  // NOLINT: the functions of this file are its interface.
using makzero::play::PlayedGame;

namespace game = makzero::game;
namespace play = makzero::play;

int makzero_interface(void) { return MAKZERO_INTERFACE; }
const char* makzero_version(void) { return MAKZERO_VERSION; }
const char* makzero_last_error(void) { return last_error.data(); }

// --- Rules. ---

int makzero_ruleset_count(void) {
  return guarded([] { return static_cast<int>(game::ruleset_names().size()); });
}

const char* makzero_ruleset_name(int number) {
  return guarded_pointer([&] {
    const std::vector<std::string>& names = game::ruleset_names();
    if (number < 0 || number >= static_cast<int>(names.size()))
      refuse("ruleset " + std::to_string(number) + " is not among the " + std::to_string(names.size()));
    return names[number].c_str();
  });
}

int makzero_rulesets_json(char* text, size_t size) {
  return guarded([&] { return write_text(play::json_text(play::games_json()), text, size); });
}

makzero_game* makzero_game_new(const char* ruleset) {
  return guarded_pointer(
      [&] { return new makzero_game{value_of(game::make_game(needed_text(ruleset, "ruleset")))}; });
}

void makzero_game_free(makzero_game* game) { delete game; }

const char* makzero_game_ruleset(const makzero_game* game) {
  return guarded_pointer([&] { return needed(game, "game").rules->info().ruleset.c_str(); });
}

const char* makzero_game_title(const makzero_game* game) {
  return guarded_pointer([&] { return needed(game, "game").rules->info().title.c_str(); });
}

const char* makzero_game_kinds(const makzero_game* game) {
  return guarded_pointer([&] { return needed(game, "game").rules->info().kinds.c_str(); });
}

int makzero_game_files(const makzero_game* game) {
  return guarded([&] { return needed(game, "game").rules->info().files; });
}

int makzero_game_ranks(const makzero_game* game) {
  return guarded([&] { return needed(game, "game").rules->info().ranks; });
}

// --- Positions. ---

makzero_position* makzero_position_new(const makzero_game* game, const char* fen) {
  return guarded_pointer([&] {
    const game::GamePtr& rules = needed(game, "game").rules;
    if (fen == nullptr) return new makzero_position{PlayedGame(rules)};
    return new makzero_position{PlayedGame(rules, value_of(game::parse_position(*rules, fen)))};
  });
}

makzero_position* makzero_position_copy(const makzero_position* position) {
  return guarded_pointer([&] { return new makzero_position(needed(position, "position")); });
}

void makzero_position_free(makzero_position* position) { delete position; }

int makzero_position_fen(const makzero_position* position, char* text, size_t size) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    return write_text(game::position_text(played.rules(), played.position()), text, size);
  });
}

int makzero_position_side_to_move(const makzero_position* position) {
  return guarded([&] { return game::index(needed(position, "position").game.position().to_move); });
}

int makzero_position_in_check(const makzero_position* position) {
  return guarded(
      [&] { return static_cast<int>(play::checked_kings(needed(position, "position").game) != 0); });
}

int makzero_position_outcome(const makzero_position* position) {
  static_assert(static_cast<int>(game::Result::kWhiteWins) == MAKZERO_WHITE_WINS &&
                static_cast<int>(game::Result::kBlackWins) == MAKZERO_BLACK_WINS &&
                static_cast<int>(game::Result::kDraw) == MAKZERO_DRAW);
  return guarded([&] { return static_cast<int>(needed(position, "position").game.outcome().result); });
}

int makzero_position_reason(const makzero_position* position, char* text, size_t size) {
  return guarded([&] {
    const game::Outcome& outcome = needed(position, "position").game.outcome();
    return write_text(outcome.over() ? game::reason_text(outcome.reason) : "", text, size);
  });
}

int makzero_position_legal_moves(const makzero_position* position, makzero_move* moves, size_t capacity) {
  static_assert(game::MoveList::kCapacity == MAKZERO_MOST_MOVES);
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    if (capacity > 0) needed(moves, "moves");
    if (!played.may_go_on()) return 0;
    const int count = played.legal().size();
    for (int i = 0; i < count && static_cast<size_t>(i) < capacity; ++i) moves[i] = played.legal()[i].bits();
    return count;
  });
}

int makzero_position_play(makzero_position* position, makzero_move move) {
  return guarded([&] {
    PlayedGame& played = needed(position, "position").game;
    played.play(legal_move(played, move));
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_position_play_text(makzero_position* position, const char* text) {
  return guarded([&] {
    PlayedGame& played = needed(position, "position").game;
    if (const auto why = play::play_word(needed_text(text, "text"), &played))
      throw Refusal(MAKZERO_BAD_INPUT, *why);
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_position_declarations(const makzero_position* position, char* text, size_t size) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    std::string words;
    if (played.may_go_on()) {
      for (const game::Declaration declaration : played.rules().declarations(played.position()))
        words += (words.empty() ? "" : " ") + std::string(play::declaration_word(declaration));
    }
    return write_text(words, text, size);
  });
}

int makzero_position_ply(const makzero_position* position) {
  return guarded([&] { return static_cast<int>(needed(position, "position").game.actions().size()); });
}

int makzero_position_moves(const makzero_position* position, char* text, size_t size) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    std::string words;
    for (int i = 0; i < static_cast<int>(played.actions().size()); ++i)
      words += (i == 0 ? "" : " ") + play::action_text(played, i);
    return write_text(words, text, size);
  });
}

int makzero_position_undo(makzero_position* position) {
  return guarded([&] {
    PlayedGame& played = needed(position, "position").game;
    if (played.actions().empty())
      throw Refusal(MAKZERO_BAD_INPUT, "nothing was played that could be taken back");
    played.take_back();
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_position_move_text(const makzero_position* position, makzero_move move, const char* notation,
                               char* text, size_t size) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    const play::Notation wanted =
        notation == nullptr ? play::Notation::kCoordinates : value_of(play::parse_notation(notation));
    const game::Bitboard promoted = wanted == play::Notation::kPlayOk ? promoted_pieces(played) : 0;
    return write_text(
        play::written_move(played.rules(), played.position(), legal_move(played, move), wanted, promoted),
        text, size);
  });
}

int makzero_position_read_move(const makzero_position* position, const char* text) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    const game::Move move =
        value_of(play::parse_written_move(played.rules(), played.position(), needed_text(text, "text")));
    return static_cast<int>(legal_move(played, move.bits()).bits());
  });
}
