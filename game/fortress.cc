// Squares are followed one by one, with nothing of the move generators or captures of the rules.
#include "game/fortress.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>
#include <string>

#include "game/catalog.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

struct Step {
  int files, ranks;
};
constexpr std::array<Step, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// The square beside another, or -1 beyond the edge.
Square beside(Square square, Step step) {
  const int file = file_of(square) + step.files, rank = rank_of(square) + step.ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : square_at(file, rank);
}

bool holds(Bitboard set, Square square) { return square >= 0 && contains(set, square); }

// Moves and captures of the enemy by the rules of the game.
struct EnemyRules {
  bool custodian = false, whole_lines = false, pairs = false, corners = false, surround = false,
       jumps = false;
};

Parsed<EnemyRules> rules_of(const Game& game) {
  const std::string name(game_of(game.info().ruleset));
  if (name != "makyek" && name != "apit" && name != "rek")
    return Parsed<EnemyRules>::failure({"fortresses are known of makyek, apit and rek alone: '" + name +
                                        "' has moves or captures that their check does not know"});
  const auto is = [&](const char* option, const char* value) {
    const OptionInfo* info = find_option(game.info(), option);
    return info && info->value == value;
  };
  if (game.info().files != 8)
    return Parsed<EnemyRules>::failure({"fortresses are known on boards of 8x8 alone"});
  EnemyRules rules;
  if (name == "rek") {
    rules.pairs = true;
    rules.surround = !is("surround", "off");
  } else {
    rules.custodian = !is("custodian", "none");
    rules.whole_lines = is("custodian", "line");
    rules.pairs = !is("intervention", "none");
    rules.corners = is("corner_capture", "on");
    rules.jumps = is("jump", "on");
  }
  return rules;
}

// Squares that an enemy on `origin` may reach, with `others` where further enemies may stand.
Bitboard reach(const EnemyRules& rules, Square origin, Bitboard own, Bitboard others) {
  Bitboard reached = 0;
  for (const Step step : kSteps) {
    Square square = beside(origin, step);
    if (rules.jumps && holds(own | others, square)) {
      const Square landing = beside(square, step);
      if (landing >= 0 && !holds(own, landing)) reached |= bit(landing);
    }
    for (; square >= 0 && !holds(own, square); square = beside(square, step)) reached |= bit(square);
  }
  return reached;
}

// True if an enemy that arrives may take something, with `others` where further enemies may stand.
bool takes(const EnemyRules& rules, Square arrival, Bitboard own, Bitboard others) {
  for (const Step step : kSteps) {
    const Square ahead = beside(arrival, step), behind = beside(arrival, {-step.files, -step.ranks});
    if (rules.pairs && holds(own, ahead) && holds(own, behind)) return true;
    if (!rules.custodian || !holds(own, ahead)) continue;
    Square beyond = beside(ahead, step);
    while (rules.whole_lines && holds(own, beyond)) beyond = beside(beyond, step);
    if (holds(others, beyond)) return true;
  }
  if (!rules.corners) return false;
  for (const Square corner : {0, 7, 56, 63}) {
    Bitboard neighbours = 0;
    for (const Step step : kSteps) {
      if (const Square square = beside(corner, step); square >= 0) neighbours |= bit(square);
    }
    if (holds(own, corner) && holds(neighbours, arrival) && !(neighbours & ~(others | bit(arrival))))
      return true;
  }
  return false;
}

// True if a group of own pieces would have no empty square beside it if enemies stood on all of theirs.
bool enclosed(Bitboard own, Bitboard enemy) {
  Bitboard free = 0;
  for (Bitboard last = ~free; last != free;) {
    last = free;
    for (Square square = 0; square < kSquares; ++square) {
      for (const Step step : kSteps) {
        const Square next = beside(square, step);
        if (holds(own, square) && next >= 0 && (holds(free, next) || !holds(own | enemy, next)))
          free |= bit(square);
      }
    }
  }
  return own != free;
}

std::string board_text(Bitboard own, Bitboard enemy) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const Square square = square_at(file, rank);
      text += holds(own, square) ? 'M' : holds(enemy, square) ? '*' : '.';
    }
    if (rank > 0) text += '/';
  }
  return text;
}

std::string move_of(Square from, Square to) { return square_text(from) + square_text(to); }

FortressSetup image_of(const FortressSetup& setup, const Symmetry& symmetry) {
  return {symmetry(setup.own), symmetry(setup.enemy), symmetry(setup.from), symmetry(setup.to)};
}

// Follows the set-ups.
class Check {
 public:
  Check(const EnemyRules& rules, std::span<const FortressSetup> setups)
      : rules_(rules), setups_(setups), met_(setups.size() * kSymmetries) {
    for (const FortressSetup& setup : setups) {
      for (int id = 0; id < kSymmetries; ++id) images_.push_back(image_of(setup, Symmetry(id, 8, 8)));
    }
  }

  // Comes to a position with the side to move, enemies nowhere but on these squares.
  void own_turn(Bitboard own, Bitboard enemy, const std::string& how) {
    for (std::size_t i = 0; i < images_.size(); ++i) {
      if (images_[i].own != own || (enemy & ~images_[i].enemy)) continue;
      if (!met_[i]) open_.push_back(i);
      met_[i] = true;
      return;
    }
    fail(how + " leads out of the set-ups: none is " + board_text(own, enemy));
  }

  // The first move, by the enemy, who stands exactly on these squares.
  void first_enemy_turn(Bitboard own, Bitboard enemy) {
    enemy_turn(own, enemy, "at first", [&](Square origin, Square arrival) {
      if (!holds(enemy, arrival))
        own_turn(own, (enemy ^ bit(origin)) | bit(arrival), "the enemy's " + move_of(origin, arrival));
    });
  }

  // The replies of all set-ups that play comes to.
  void follow() {
    while (!open_.empty() && hole_.empty()) {
      const FortressSetup& setup = images_[open_.back()];
      open_.pop_back();
      const std::string reply = move_of(setup.from, setup.to);
      if (!slides(setup)) fail(reply + " is not sure to be legal in " + board_text(setup.own, setup.enemy));
      const Bitboard own = (setup.own ^ bit(setup.from)) | bit(setup.to);
      const Bitboard after = enemy_turn(own, setup.enemy, "after " + reply, [](auto...) {});
      own_turn(own, after, "after " + reply + " an enemy move");
    }
  }

  FortressProof proof() const {
    FortressProof proof;
    proof.enemy_moves = enemy_moves_;
    for (std::size_t i = 0; i < setups_.size(); ++i) {
      const auto images = met_.begin() + static_cast<std::ptrdiff_t>(i * kSymmetries);
      if (std::find(images, images + kSymmetries, true) != images + kSymmetries)
        proof.setups.push_back(setups_[i]);
    }
    return proof;
  }

  const std::string& hole() const { return hole_; }

 private:
  // Checks that no move of enemies on these squares takes anything, and calls visit(origin, arrival, move)
  // for each. Returns where enemies may stand after any of them.
  template <class Visit>
  Bitboard enemy_turn(Bitboard own, Bitboard enemy, const std::string& when, const Visit& visit) {
    Bitboard after = enemy;
    for (Square origin = 0; origin < kSquares; ++origin) {
      const Bitboard reached = holds(enemy, origin) ? reach(rules_, origin, own, enemy) : 0;
      for (Square arrival = 0; arrival < kSquares; ++arrival) {
        if (!holds(reached, arrival)) continue;
        ++enemy_moves_;
        after |= bit(arrival);
        if (takes(rules_, arrival, own, enemy))
          fail(when + " the enemy's " + move_of(origin, arrival) + " takes something of " +
               board_text(own, enemy));
        visit(origin, arrival);
      }
    }
    if (rules_.surround && enclosed(own, after))
      fail(when + " the enemy may surround something of " + board_text(own, after));
    return after;
  }

  // True if the reply is a slide over squares that are certainly empty.
  static bool slides(const FortressSetup& setup) {
    for (const Step step : kSteps) {
      Square square = beside(setup.from, step);
      while (square >= 0 && square != setup.to && !holds(setup.own | setup.enemy, square))
        square = beside(square, step);
      if (square == setup.to) return holds(setup.own, setup.from) && !holds(setup.own | setup.enemy, square);
    }
    return false;
  }

  void fail(const std::string& hole) {
    if (hole_.empty()) hole_ = hole;
  }

  const EnemyRules rules_;
  const std::span<const FortressSetup> setups_;
  std::vector<FortressSetup> images_;  // Of each set-up, by symmetry.
  std::vector<bool> met_;              // By image: play comes to it.
  std::vector<std::size_t> open_;      // Those whose replies are still to be followed.
  std::string hole_;                   // The first one found.
  long enemy_moves_ = 0;
};

// Follows the set-ups of one side after the other.
Parsed<FortressProof> prove_sides(const Game& game, const Position& position,
                                  std::initializer_list<Color> sides, std::span<const FortressSetup> setups) {
  const Parsed<EnemyRules> rules = rules_of(game);
  if (!rules) return Parsed<FortressProof>::failure(rules.reasons());
  Check check(*rules, setups);
  for (const Color side : sides) {
    const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
    if (side == position.to_move)
      check.own_turn(own, enemy, "the position");
    else
      check.first_enemy_turn(own, enemy);
    check.follow();
  }
  if (!check.hole().empty()) return Parsed<FortressProof>::failure({check.hole()});
  return check.proof();
}

}  // namespace

Parsed<std::vector<FortressSetup>> parse_fortress(std::string_view text) {
  std::vector<FortressSetup> setups;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string board, reply, more;
    if (!(words >> board) || board[0] == '#') continue;
    words >> reply >> more;
    FortressSetup setup;
    bool well = board.size() == 71 && more.empty();
    for (std::size_t i = 0; well && i < board.size(); ++i) {
      const Square square = square_at(static_cast<int>(i % 9), 7 - static_cast<int>(i / 9));
      if (i % 9 == 8) {
        well = board[i] == '/';
      } else if (board[i] == 'M') {
        setup.own |= bit(square);
      } else if (board[i] == '*') {
        setup.enemy |= bit(square);
      } else {
        well = board[i] == '.';
      }
    }
    const auto from = parse_square(std::string_view(reply).substr(0, 2));
    const auto to = parse_square(std::string_view(reply).substr(std::min<std::size_t>(2, reply.size())));
    if (!well || !from || !to) {
      return Parsed<std::vector<FortressSetup>>::failure(
          {"line " + std::to_string(number) + ": '" + line +
           "': write 8 ranks of 8 letters M, * or . with / between them, then the reply: a1a2"});
    }
    setup.from = *from;
    setup.to = *to;
    setups.push_back(setup);
  }
  return setups;
}

std::string fortress_text(const FortressSetup& setup) {
  return board_text(setup.own, setup.enemy) + " " + move_of(setup.from, setup.to);
}

Parsed<FortressProof> prove_fortress(const Game& game, const Position& position, Color side,
                                     std::span<const FortressSetup> setups) {
  return prove_sides(game, position, {side}, setups);
}

Parsed<FortressProof> prove_fortress(const Game& game, std::span<const FortressSetup> setups) {
  const Position start = game.initial();
  return prove_sides(game, start, {start.to_move, other(start.to_move)}, setups);
}

}  // namespace makzero::game
