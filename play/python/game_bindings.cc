// Python's Rules, Position, Outcome and Game.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/outcome.h"
#include "nn/planes.h"
#include "play/notation/written_move.h"
#include "play/played_game.h"
#include "play/python/objects.h"

namespace makzero::play {

Rules rules_of(const std::string& spec) {
  const game::GamePtr game = value_of(game::make_game(spec));
  return {game, std::make_shared<nn::Encoder>(nn::default_planes(game->info()))};
}

std::shared_ptr<const nn::Encoder> encoder_of(const Rules& rules, const std::vector<std::string>& planes) {
  if (planes.empty()) return rules.encoder;
  if (const std::string unknown = nn::unknown_plane(planes); !unknown.empty())
    throw nb::value_error(("planes: no game has a plane '" + unknown + "'; Rules.planes lists them").c_str());
  return std::make_shared<nn::Encoder>(planes);
}

std::optional<game::Move> find_action(const game::GameInfo& info, game::Color mover,
                                      const game::MoveList& legal, std::int64_t action) {
  if (action < 0 || action >= game::kPolicySize) return std::nullopt;
  // Turning the board is its own inverse. It needs a square of the board, which every legal move has.
  for (const game::Move move : legal) {
    if (nn::policy_index(info, move, mover) == action) return move;
  }
  return std::nullopt;
}

namespace {

const char* color_name(game::Color color) { return color == game::Color::kWhite ? "white" : "black"; }

game::Color parse_color(const std::string& name) {
  if (name == "white") return game::Color::kWhite;
  if (name == "black") return game::Color::kBlack;
  throw nb::value_error(("'" + name + "' is no colour: white or black").c_str());
}

std::optional<const char*> winner(const game::Outcome& outcome) {
  if (outcome.result == game::Result::kWhiteWins) return "white";
  if (outcome.result == game::Result::kBlackWins) return "black";
  return std::nullopt;
}

// "1-0 checkmate", "* not over".
std::string outcome_text(const game::Outcome& outcome) {
  return std::string(game::result_text(outcome.result)) + " " +
         std::string(game::reason_text(outcome.reason));
}

game::MoveList legal_moves(const RulesPosition& at) {
  game::MoveList legal;
  at.rules.game->legal_moves(at.position, &legal);
  return legal;
}

std::vector<std::string> move_texts(const game::Game& game, const game::Position& position,
                                    const game::MoveList& legal) {
  std::vector<std::string> texts;
  for (const game::Move move : legal) texts.push_back(game::move_text(game, position, move));
  return texts;
}

game::Move move_of(const RulesPosition& at, const std::string& text) {
  return value_of(game::parse_move(*at.rules.game, at.position, text));
}

game::Move action_of(const RulesPosition& at, std::int64_t action) {
  const auto move = find_action(at.rules.game->info(), at.position.to_move, legal_moves(at), action);
  if (move) return *move;
  throw nb::value_error(("action " + std::to_string(action) + " is no legal move of " +
                         game::position_text(*at.rules.game, at.position))
                            .c_str());
}

RulesPosition after(const RulesPosition& at, game::Move move) {
  RulesPosition next{at.rules, at.position};
  at.rules.game->apply(move, &next.position);
  return next;
}

game::Outcome outcome_of(const RulesPosition& at) {
  const bool can_move = at.rules.game->count_moves(at.position) > 0;
  return at.rules.game->outcome(at.position, can_move, at.occurrences);
}

bool is_check(const RulesPosition& at) {
  const game::Game& game = *at.rules.game;
  const game::Color enemy = game::other(at.position.to_move);
  return game.threats(at.position, enemy).targets & game::kings(game.info(), at.position);
}

bool takes(const RulesPosition& at, const std::string& text) {
  const game::Position next = after(at, move_of(at, text)).position;
  return game::size(next.own()) < game::size(at.position.enemy());
}

// Whether a side could not win whatever the other plays.
bool lacks_material(const RulesPosition& at, const std::string& color) {
  const game::Game& game = *at.rules.game;
  const game::Bitboard own = at.position.side[game::index(parse_color(color))];
  if (!game.info().takes_by_arrival) return false;
  const game::Outcome outcome = game.outcome(at.position, true, 1);
  return outcome.reason == game::Reason::kInsufficientMaterial ||
         !(own & ~game::kings(game.info(), at.position));
}

// The position after a line of moves, whatever a count, a repetition or a limit says on the way.
RulesPosition after_line(const Rules& rules, const std::string& fen, const std::vector<std::string>& moves) {
  RulesPosition at{rules, value_of(game::parse_position(*rules.game, fen))};
  game::History history(at.position);
  for (const std::string& text : moves) {
    rules.game->apply(move_of(at, text), &at.position);
    history.push(at.position);
  }
  at.occurrences = history.occurrences();
  return at;
}

nb::object legal_actions(const RulesPosition& at) {
  std::vector<std::int32_t> actions;
  for (const game::Move move : legal_moves(at)) {
    const int action = nn::policy_index(at.rules.game->info(), move, at.position.to_move);
    if (std::find(actions.begin(), actions.end(), action) == actions.end()) actions.push_back(action);
  }
  const std::size_t count = actions.size();
  return to_numpy(std::move(actions), {count});
}

nb::object planes_of(const RulesPosition& at, const nb::object& out) {
  const nn::Encoder& encoder = *at.rules.encoder;
  const Filled<float> planes =
      to_fill<float>(out, {static_cast<std::size_t>(encoder.plane_count()), 8, 8}, "float32");
  encoder.encode(*at.rules.game, at.position, at.occurrences, planes.data);
  return planes.object;
}

std::map<std::string, std::string> options_of(const Rules& rules) {
  std::map<std::string, std::string> values;
  for (const game::OptionInfo& option : rules.game->info().options) values[option.name] = option.value;
  return values;
}

// A game as it is played, with its rules.
struct RulesGame {
  Rules rules;
  PlayedGame played;

  RulesPosition position() const { return {rules, played.position(), played.history().occurrences()}; }
};

std::vector<std::string> written_moves(const RulesGame& game, const std::string& notation_name) {
  const Notation notation = value_of(parse_notation(notation_name));
  std::vector<std::string> texts;
  game::Bitboard promoted = 0;
  for (std::size_t i = 0; i < game.played.actions().size(); ++i) {
    const Action& action = game.played.actions()[i];
    const game::Position& before = game.played.position_before(static_cast<int>(i));
    if (action.declaration) {
      texts.push_back(declaration_word(*action.declaration));
      continue;
    }
    texts.push_back(written_move(*game.rules.game, before, action.move, notation, promoted));
    promoted = promoted_after(*game.rules.game, before, action.move, promoted);
  }
  return texts;
}

std::vector<std::string> declarations(const RulesGame& game) {
  std::vector<std::string> words;
  for (const game::Declaration one : game.rules.game->declarations(game.played.position()))
    words.emplace_back(declaration_word(one));
  return words;
}

void bind_rules(nb::module_* module) {
  nb::class_<Rules>(*module, "Rules")
      .def(
          "__init__", [](Rules* rules, const std::string& spec) { new (rules) Rules(rules_of(spec)); },
          nb::arg("spec"))
      .def_prop_ro("name", &Rules::name)
      .def_prop_ro("game", [](const Rules& rules) { return std::string(game::game_of(rules.name())); })
      .def_prop_ro("title", [](const Rules& rules) { return rules.game->info().title; })
      .def_prop_ro("family", [](const Rules& rules) { return rules.game->info().family; })
      .def_prop_ro("files", [](const Rules& rules) { return rules.game->info().files; })
      .def_prop_ro("ranks", [](const Rules& rules) { return rules.game->info().ranks; })
      .def_prop_ro("options", options_of)
      .def_prop_ro("text", [](const Rules& rules) { return std::string(game::rules_text(rules.name())); })
      .def_prop_ro("planes", [](const Rules& rules) { return rules.encoder->planes(); })
      .def("start",
           [](const Rules& rules) {
             return RulesPosition{rules, rules.game->initial()};
           })
      .def("position", after_line, nb::arg("fen"), nb::arg("moves") = std::vector<std::string>())
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", [](const Rules& rules) { return std::hash<std::string>()(rules.name()); })
      .def("__repr__", [](const Rules& rules) { return "Rules('" + rules.name() + "')"; })
      .def("__getstate__", &Rules::name)
      .def("__setstate__", [](Rules& rules, const std::string& name) { new (&rules) Rules(rules_of(name)); });
}

void bind_outcome(nb::module_* module) {
  nb::enum_<game::Result>(*module, "Result", nb::is_arithmetic())
      .value("ONGOING", game::Result::kOngoing)
      .value("WHITE_WINS", game::Result::kWhiteWins)
      .value("BLACK_WINS", game::Result::kBlackWins)
      .value("DRAW", game::Result::kDraw);
  nb::enum_<game::Reason>(*module, "Reason", nb::is_arithmetic())
      .value("NONE", game::Reason::kNone)
      .value("NO_PIECES", game::Reason::kNoPieces)
      .value("KING_CAPTURED", game::Reason::kKingCaptured)
      .value("TOO_FEW_MEN", game::Reason::kTooFewMen)
      .value("NO_LEGAL_MOVE", game::Reason::kNoLegalMove)
      .value("CHECKMATE", game::Reason::kCheckmate)
      .value("STALEMATE", game::Reason::kStalemate)
      .value("CHECK", game::Reason::kCheck)
      .value("REPETITION", game::Reason::kRepetition)
      .value("NO_PROGRESS", game::Reason::kNoProgress)
      .value("INSUFFICIENT_MATERIAL", game::Reason::kInsufficientMaterial)
      .value("COUNT_EXCEEDED", game::Reason::kCountExceeded)
      .value("COUNTER_MATED", game::Reason::kCounterMated)
      .value("PLY_LIMIT", game::Reason::kPlyLimit)
      .value("MATERIAL_AT_PLY_CAP", game::Reason::kMaterialAtPlyCap)
      .value("RESIGNATION", game::Reason::kResignation)
      .value("CUT", game::Reason::kCut)
      .value("TIME_FORFEIT", game::Reason::kTimeForfeit)
      .value("AGREEMENT", game::Reason::kAgreement);
  nb::class_<game::Outcome>(*module, "Outcome")
      .def_prop_ro("over", &game::Outcome::over)
      .def_ro("result", &game::Outcome::result)
      .def_ro("reason", &game::Outcome::reason)
      .def_prop_ro("winner", winner)
      .def("__bool__", &game::Outcome::over)
      .def("__str__", outcome_text)
      .def("__repr__", [](const game::Outcome& outcome) { return "Outcome(" + outcome_text(outcome) + ")"; });
}

void bind_position(nb::module_* module) {
  using Position = RulesPosition;
  nb::class_<Position>(*module, "Position")
      .def_prop_ro("rules", [](const Position& at) { return at.rules; })
      .def_prop_ro("fen", [](const Position& at) { return game::position_text(*at.rules.game, at.position); })
      .def_prop_ro("to_move", [](const Position& at) { return color_name(at.position.to_move); })
      .def_ro("occurrences", &Position::occurrences)
      .def_prop_ro("ply", [](const Position& at) { return at.position.ply; })
      .def_prop_ro("no_progress_plies", [](const Position& at) { return at.position.no_progress_plies; })
      .def_prop_ro("count", [](const Position& at) { return at.position.count; })
      .def_prop_ro("count_limit", [](const Position& at) { return at.position.count_limit; })
      .def_prop_ro("outcome", outcome_of)
      .def_prop_ro("is_check", is_check)
      .def("legal_moves",
           [](const Position& at) { return move_texts(*at.rules.game, at.position, legal_moves(at)); })
      .def("count_moves", [](const Position& at) { return at.rules.game->count_moves(at.position); })
      .def("legal_actions", legal_actions)
      .def("planes", planes_of, nb::arg("out") = nb::none())
      .def(
          "apply", [](const Position& at, const std::string& move) { return after(at, move_of(at, move)); },
          nb::arg("move"))
      .def(
          "apply", [](const Position& at, std::int64_t action) { return after(at, action_of(at, action)); },
          nb::arg("move"))
      .def(
          "action",
          [](const Position& at, const std::string& move) {
            return nn::policy_index(at.rules.game->info(), move_of(at, move), at.position.to_move);
          },
          nb::arg("move"))
      .def(
          "move",
          [](const Position& at, std::int64_t action) {
            return game::move_text(*at.rules.game, at.position, action_of(at, action));
          },
          nb::arg("action"))
      .def(
          "parse",
          [](const Position& at, const std::string& text) {
            const game::Move move = value_of(parse_written_move(*at.rules.game, at.position, text));
            return game::move_text(*at.rules.game, at.position, move);
          },
          nb::arg("text"))
      .def(
          "san",
          [](const Position& at, const std::string& move, const std::string& notation) {
            return written_move(*at.rules.game, at.position, move_of(at, move),
                                value_of(parse_notation(notation)));
          },
          nb::arg("move"), nb::arg("notation") = "letters")
      .def("is_capture", takes, nb::arg("move"))
      .def("lacks_material", lacks_material, nb::arg("color"))
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__",
           [](const Position& at) { return static_cast<std::size_t>(game::evaluation_key(at.position)); })
      .def("__str__", [](const Position& at) { return game::board_text(*at.rules.game, at.position); })
      .def("__repr__", [](const Position& at) {
        return "Position('" + at.rules.name() + "', '" + game::position_text(*at.rules.game, at.position) +
               "')";
      });
}

void bind_game(nb::module_* module) {
  nb::class_<RulesGame>(*module, "Game")
      .def(
          "__init__",
          [](RulesGame* game, const Rules& rules, const std::optional<std::string>& fen) {
            const game::Position start =
                fen ? value_of(game::parse_position(*rules.game, *fen)) : rules.game->initial();
            new (game) RulesGame{rules, PlayedGame(rules.game, start)};
          },
          nb::arg("rules"), nb::arg("fen") = nb::none())
      .def_prop_ro("rules", [](const RulesGame& game) { return game.rules; })
      .def_prop_ro("start",
                   [](const RulesGame& game) {
                     return RulesPosition{game.rules, game.played.start()};
                   })
      .def_prop_ro("position", &RulesGame::position)
      .def_prop_ro(
          "fen",
          [](const RulesGame& game) { return game::position_text(*game.rules.game, game.played.position()); })
      .def_prop_ro("outcome", [](const RulesGame& game) { return game.played.outcome(); })
      .def_prop_ro("moves", [](const RulesGame& game) { return written_moves(game, "coordinates"); })
      .def("legal_moves",
           [](const RulesGame& game) {
             if (!game.played.may_go_on()) return std::vector<std::string>();
             return move_texts(*game.rules.game, game.played.position(), game.played.legal());
           })
      .def("declarations", declarations)
      .def("san_moves", written_moves, nb::arg("notation") = "letters")
      .def(
          "play",
          [](RulesGame& game, const std::string& move) {
            if (const auto why = play_word(move, &game.played)) throw nb::value_error(why->c_str());
          },
          nb::arg("move"))
      .def("undo", [](RulesGame& game) { return game.played.undo(); })
      .def("copy", [](const RulesGame& game) { return game; })
      .def("__repr__", [](const RulesGame& game) {
        return "Game('" + game.rules.name() + "', " + std::to_string(game.played.actions().size()) +
               " moves, " + std::string(game::result_text(game.played.outcome().result)) + ")";
      });
}

}  // namespace

void bind_games(nb::module_* module) {
  module->attr("POLICY_SIZE") = game::kPolicySize;
  module->def("variants", [] { return game::ruleset_names(); });
  bind_outcome(module);
  bind_rules(module);
  bind_position(module);
  bind_game(module);
}

}  // namespace makzero::play
