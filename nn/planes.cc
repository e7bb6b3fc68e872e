#include "nn/planes.h"

#include <algorithm>
#include <utility>

#include "game/plain_text.h"

namespace makzero::nn {
namespace {

using game::Counter;
using game::GameInfo;

constexpr float kHandScale = 1 / 16.0f;    // 16 men are the most that any game holds.
constexpr float kCountScale = 1 / 128.0f;  // 64 moves of either side; only Low's counts may be longer.
constexpr float kPliesLeftScale = 1 / 64.0f;
constexpr int kRightsPerSide = 4;
constexpr int kPlyStep = 16;

PlaneContent squares(game::Bitboard set) { return {.squares = set}; }

PlaneContent constant(float value) { return {.value = value, .constant = true}; }

float share(int part, int whole) {
  return whole == 0 ? 0 : std::min(1.0f, static_cast<float>(part) / static_cast<float>(whole));
}

game::Color color_of(const PlaneInput& input, int side) {
  return side == 0 ? input.position.to_move : game::other(input.position.to_move);
}

// --- How each plane is written. ---

PlaneContent pieces(const PlaneInput& input, int side, int letter) {
  return squares(input.of_letter[letter] & input.position.side[game::index(color_of(input, side))]);
}

PlaneContent targets(const PlaneInput& input, int side, int) { return squares(input.threats[side].targets); }

PlaneContent destinations(const PlaneInput& input, int side, int) {
  return squares(input.threats[side].destinations);
}

PlaneContent obliged(const PlaneInput& input, int, int) {
  return squares(input.position.obliged[0] | input.position.obliged[1]);
}

PlaneContent hand(const PlaneInput& input, int side, int) {
  return constant(kHandScale * input.position.hand[game::index(color_of(input, side))]);
}

PlaneContent right(const PlaneInput& input, int side, int number) {
  const int rights = input.position.rights >> (kRightsPerSide * game::index(color_of(input, side)));
  return constant(static_cast<float>(rights >> number & 1));
}

PlaneContent count_limit(const PlaneInput& input, int, int) {
  return constant(kCountScale * input.position.count_limit);
}

PlaneContent count_used(const PlaneInput& input, int, int) {
  return constant(share(input.position.count, input.position.count_limit));
}

PlaneContent declared_count(const PlaneInput& input, int side, int) {
  const bool white = color_of(input, side) == game::Color::kWhite;
  return constant(input.position.counter == (white ? Counter::kWhite : Counter::kBlack));
}

PlaneContent repetition(const PlaneInput& input, int, int) {
  return constant(share(input.occurrences, input.info.repetition));
}

PlaneContent seen(const PlaneInput& input, int, int times) {
  return constant(input.info.repetition > 0 && input.occurrences > times);
}

PlaneContent no_progress(const PlaneInput& input, int, int) {
  return constant(share(input.position.no_progress_plies, input.info.no_progress));
}

PlaneContent left(const PlaneInput& input, int, int) {
  return constant(
      std::min(1.0f, kPliesLeftScale * static_cast<float>(game::plies_left(input.info, input.position))));
}

PlaneContent ply(const PlaneInput& input, int, int) {
  return constant(share(input.position.ply / kPlyStep * kPlyStep, input.info.max_plies));
}

PlaneContent board(const PlaneInput&, int, int) { return constant(1); }

// --- The table. ---

// Whose plane it is: that of neither side, or one of each, "own NAME" and "enemy NAME".
enum class Owner { kNeither, kSide };

// What follows the name of a row, which then stands for several planes.
enum class Suffix { kNone, kKind, kNumber, kRuleset };

enum class Use {
  kUseful,
  kCaptures,  // Shows captures; learning without takes far longer.
  kRequired,  // Without it positions that differ in their moves would look alike.
  kRetired,   // No new network sees it; those that were trained with it do.
};

struct PlaneRow {
  std::string_view name;
  Owner owner;
  Suffix suffix;
  PlaneContent (*content)(const PlaneInput& input, int side, int number);
  bool (*in_game)(const GameInfo& info);  // Whether the game has it.
  Use use;
  std::string_view meaning;  // In words; one that ends with a blank goes on with the suffix.
  int numbers = 1;           // How many there are with a number.
};

bool always(const GameInfo&) { return true; }
bool with_obligations(const GameInfo& info) { return info.has_obligations; }
bool with_hands(const GameInfo& info) { return info.has_hands; }
bool with_rights(const GameInfo& info) { return info.has_rights; }
bool with_counting(const GameInfo& info) { return info.has_counting; }

// To add a plane: a row here.
constexpr PlaneRow kPlanes[] = {
    {"", Owner::kSide, Suffix::kKind, pieces, always, Use::kRequired, "1 on pieces of the kind "},
    {"targets", Owner::kSide, Suffix::kNone, targets, always, Use::kCaptures,
     "1 on pieces that this side could take if it were to move"},
    {"destinations", Owner::kSide, Suffix::kNone, destinations, always, Use::kCaptures,
     "1 on squares on which this side would take something by arriving"},
    {"obliged", Owner::kNeither, Suffix::kNone, obliged, with_obligations, Use::kRequired,
     "1 on squares on which the next move must end"},
    {"hand", Owner::kSide, Suffix::kNone, hand, with_hands, Use::kRequired,
     "pieces in this side's hand / 16, on every square"},
    {"right ", Owner::kSide, Suffix::kNumber, right, with_rights, Use::kRequired,
     "1 on every square while this side has this first-move right: 0 king, 1 met, 2 the khon or ma on its "
     "left, 3 on its right",
     kRightsPerSide},
    {"count limit", Owner::kNeither, Suffix::kNone, count_limit, with_counting, Use::kRequired,
     "the limit of the running count in plies / 128, on every square"},
    {"count used", Owner::kNeither, Suffix::kNone, count_used, with_counting, Use::kRequired,
     "counted plies / limit, at most 1, on every square"},
    {"count", Owner::kSide, Suffix::kNone, declared_count, with_counting, Use::kRequired,
     "1 on every square where this side declared the running count"},
    {"repetition", Owner::kNeither, Suffix::kNone, repetition, always, Use::kUseful,
     "how often the position has stood on the board / how often ends the game, on every square; 0 where "
     "repetition does not end it"},
    {"no progress", Owner::kNeither, Suffix::kNone, no_progress, always, Use::kUseful,
     "plies without progress / the limit of the rules, at most 1, on every square; 0 without limit"},
    {"plies left", Owner::kNeither, Suffix::kNone, left, always, Use::kUseful,
     "plies until the limit of the game's length / 64, at most 1, on every square; 1 without limit"},
    {"seen ", Owner::kNeither, Suffix::kNumber, seen, always, Use::kRetired,
     "1 on every square where the position stood on the board at least so many times before", 100},
    {"quiet plies", Owner::kNeither, Suffix::kNone, no_progress, always, Use::kRetired,
     "plies without progress / the limit of the rules, at most 1, on every square; 0 without limit"},
    {"ply", Owner::kNeither, Suffix::kNone, ply, always, Use::kRetired,
     "plies of the game in steps of 16 / the limit of the rules, at most 1, on every square; 0 without "
     "limit"},
    {kBoardPlane, Owner::kNeither, Suffix::kNone, board, always, Use::kUseful,
     "1 on every square of the board"},
    {"board ", Owner::kNeither, Suffix::kRuleset, board, always, Use::kRetired,
     "1 on every square of the board in games of "},
};

constexpr std::array<std::string_view, 2> kSides = {"own ", "enemy "};

// A name taken apart.
struct ParsedName {
  const PlaneRow* row;
  int side;
  std::string_view suffix;
  int number;  // That the suffix stands for.
};

// What the suffix stands for; none where the row has no such plane.
std::optional<int> number_of(const PlaneRow& row, std::string_view suffix) {
  const auto below = [](int number, int end) {
    return number >= 0 && number < end ? std::optional(number) : std::nullopt;
  };
  switch (row.suffix) {
    case Suffix::kNone:
      return suffix.empty() ? std::optional(0) : std::nullopt;
    case Suffix::kKind:
      return below(suffix.size() == 1 ? suffix[0] - 'A' : -1, kKindLetters);
    case Suffix::kRuleset:
      return suffix.empty() ? std::nullopt : std::optional(0);
    case Suffix::kNumber:
      break;
  }
  return below(game::parse_number<int>(suffix).value_or(-1), row.numbers);
}

std::optional<ParsedName> parse_name(std::string_view name) {
  Owner owner = Owner::kNeither;
  int side = 0;
  for (int i = 0; i < 2; ++i) {
    if (!name.starts_with(kSides[i])) continue;
    owner = Owner::kSide;
    side = i;
    name.remove_prefix(kSides[i].size());
    break;
  }
  for (const PlaneRow& row : kPlanes) {
    if (row.owner != owner || !name.starts_with(row.name)) continue;
    const std::string_view suffix = name.substr(row.name.size());
    if (const std::optional<int> number = number_of(row, suffix))
      return ParsedName{&row, side, suffix, *number};
  }
  return std::nullopt;
}

// Those of a row's planes that a game has.
std::vector<std::string> suffixes_of(const PlaneRow& row, const GameInfo& info) {
  std::vector<std::string> suffixes;
  switch (row.suffix) {
    case Suffix::kNone:
      return {""};
    case Suffix::kRuleset:
      return {info.ruleset};
    case Suffix::kKind:
      for (const char kind : info.kinds) suffixes.emplace_back(1, kind);
      return suffixes;
    case Suffix::kNumber:
      break;
  }
  for (int number = 0; number < row.numbers; ++number) suffixes.push_back(std::to_string(number));
  return suffixes;
}

}  // namespace

PlaneInput::PlaneInput(const GameInfo& info, const game::Position& position, int occurrences)
    : info(info), position(position), occurrences(occurrences) {
  for (size_t kind = 0; kind < info.kinds.size(); ++kind)
    of_letter[info.kinds[kind] - 'A'] = position.kind[kind];
}

std::optional<Plane> find_plane(std::string_view name) {
  const std::optional<ParsedName> parsed = parse_name(name);
  if (!parsed) return std::nullopt;
  const PlaneRow& row = *parsed->row;
  const std::string_view ruleset = row.suffix == Suffix::kRuleset ? parsed->suffix : std::string_view();
  return Plane{row.content, row.use == Use::kCaptures, parsed->side, parsed->number, std::string(ruleset)};
}

std::vector<std::string> default_planes(const GameInfo& info, bool captures) {
  std::vector<std::string> names;
  for (const PlaneRow& row : kPlanes) {
    if (row.use == Use::kRetired || !row.in_game(info) || (row.use == Use::kCaptures && !captures)) continue;
    const std::span sides = row.owner == Owner::kSide ? std::span(kSides) : std::span(kSides).first(1);
    for (const std::string_view side : sides) {
      const std::string name = std::string(row.owner == Owner::kSide ? side : "") + std::string(row.name);
      for (const std::string& suffix : suffixes_of(row, info)) names.push_back(name + suffix);
    }
  }
  return names;
}

std::string unknown_plane(std::span<const std::string> planes) {
  const auto unknown =
      std::find_if(planes.begin(), planes.end(), [](const std::string& name) { return !parse_name(name); });
  return unknown == planes.end() ? "" : *unknown;
}

std::string missing_plane(std::span<const std::string> planes, const GameInfo& info) {
  for (std::string& name : default_planes(info)) {
    const bool required = parse_name(name)->row->use == Use::kRequired;
    if (required && std::find(planes.begin(), planes.end(), name) == planes.end()) return std::move(name);
  }
  return "";
}

std::string plane_meaning(std::string_view name) {
  const ParsedName parsed = parse_name(name).value();
  std::string meaning = parsed.row->owner == Owner::kNeither ? "" : parsed.side == 0 ? "own: " : "enemy: ";
  meaning += parsed.row->meaning;
  if (meaning.ends_with(' ')) meaning += parsed.suffix;
  return meaning;
}

std::vector<std::string> joint_planes(std::span<const game::GamePtr> games, bool captures) {
  std::vector<std::string> joint;
  for (const game::GamePtr& game : games) {
    for (std::string& name : default_planes(game->info(), captures)) {
      if (std::find(joint.begin(), joint.end(), name) == joint.end()) joint.push_back(std::move(name));
    }
  }
  return joint;
}

}  // namespace makzero::nn
