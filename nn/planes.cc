#include "nn/planes.h"

#include <algorithm>
#include <charconv>
#include <utility>

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

struct PlaneKind {
  std::string_view name;  // A name that ends with a blank is followed by a number.
  Owner owner;
  PlaneContent (*content)(const PlaneInput& input, int side, int number);
  bool (*in_game)(const GameInfo& info);  // Whether the game has it.
  std::string_view meaning;
  int numbers = 1;        // How many there are of a numbered plane.
  bool required = false;  // Without it positions that differ in their moves would look alike.
  bool retired = false;   // No new network sees it; those that were trained with it do.
};

bool always(const GameInfo&) { return true; }

constexpr PlaneKind kPlanes[] = {
    {"targets", Owner::kSide, targets, always, "1 on pieces that this side could take if it were to move"},
    {"destinations", Owner::kSide, destinations, always,
     "1 on squares on which this side would take something by arriving"},
    {"obliged", Owner::kNeither, obliged, [](const GameInfo& info) { return info.has_obligations; },
     "1 on squares on which the next move must end", 1, true},
    {"hand", Owner::kSide, hand, [](const GameInfo& info) { return info.has_hands; },
     "pieces in this side's hand / 16, on every square", 1, true},
    {"right ", Owner::kSide, right, [](const GameInfo& info) { return info.has_rights; },
     "1 on every square while this side has this first-move right (counted from 0)", kRightsPerSide, true},
    {"count limit", Owner::kNeither, count_limit, [](const GameInfo& info) { return info.has_counting; },
     "the limit of the running count in plies / 128, on every square", 1, true},
    {"count used", Owner::kNeither, count_used, [](const GameInfo& info) { return info.has_counting; },
     "counted plies / limit, at most 1, on every square", 1, true},
    {"count", Owner::kSide, declared_count, [](const GameInfo& info) { return info.has_counting; },
     "1 on every square where this side declared the running count", 1, true},
    {"repetition", Owner::kNeither, repetition, always,
     "how often the position has stood on the board / how often ends the game, on every square; 0 where "
     "repetition does not end it"},
    {"no progress", Owner::kNeither, no_progress, always,
     "plies without progress / the limit of the rules, at most 1, on every square; 0 without limit"},
    {"plies left", Owner::kNeither, left, always,
     "plies until the limit of the game's length / 64, at most 1, on every square; 1 without limit"},
    {"seen ", Owner::kNeither, seen, always,
     "1 on every square where the position stood on the board at least so many times before", 100, false,
     true},
    {"quiet plies", Owner::kNeither, no_progress, always,
     "plies without progress / the limit of the rules, at most 1, on every square; 0 without limit", 1, false,
     true},
    {"ply", Owner::kNeither, ply, always,
     "plies of the game in steps of 16 / the limit of the rules, at most 1, on every square; 0 without limit",
     1, false, true},
    {kBoardPlane, Owner::kNeither, board, always, "1 on every square of the board"},
};

constexpr std::array<std::string_view, 2> kSides = {"own ", "enemy "};

bool numbered(const PlaneKind& kind) { return kind.name.ends_with(' '); }

// The number behind a numbered name; none where there is another text.
std::optional<int> number_behind(std::string_view text, std::string_view name) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + name.size(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A name taken apart.
struct ParsedName {
  const PlaneKind* kind = nullptr;  // Null: the pieces of the kind `letter`, or the board of one game.
  int side = 0;
  int number = 0;
  char letter = 0;
  std::string_view ruleset = {};  // Of "board RULESET".
};

std::optional<ParsedName> parse_name(std::string_view name) {
  ParsedName parsed;
  Owner owner = Owner::kNeither;
  for (int side = 0; side < 2; ++side) {
    if (!name.starts_with(kSides[side])) continue;
    owner = Owner::kSide;
    parsed.side = side;
    name.remove_prefix(kSides[side].size());
  }
  for (const PlaneKind& kind : kPlanes) {
    if (kind.owner != owner || !name.starts_with(kind.name)) continue;
    if (!numbered(kind) && name != kind.name) continue;
    const std::optional<int> number = numbered(kind) ? number_behind(name, kind.name) : 0;
    if (!number || *number < 0 || *number >= kind.numbers) continue;
    parsed.kind = &kind;
    parsed.number = *number;
    return parsed;
  }
  if (owner == Owner::kSide && name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') {
    parsed.letter = name[0];
    return parsed;
  }
  if (name.starts_with(kBoardPlane) && name.size() > kBoardPlane.size() + 1 &&
      name[kBoardPlane.size()] == ' ') {
    parsed.ruleset = name.substr(kBoardPlane.size() + 1);
    return parsed;
  }
  return std::nullopt;
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
  if (!parsed->ruleset.empty()) return Plane{.content = board, .ruleset = std::string(parsed->ruleset)};
  if (parsed->kind == nullptr) return Plane{pieces, parsed->side, parsed->letter - 'A'};
  const auto content = parsed->kind->content;
  return Plane{content, parsed->side, parsed->number, content == targets || content == destinations};
}

std::vector<std::string> default_planes(const GameInfo& info, bool captures) {
  std::vector<std::string> names;
  for (const std::string_view side : kSides) {
    for (const char kind : info.kinds) names.push_back(std::string(side) + kind);
  }
  for (const PlaneKind& kind : kPlanes) {
    const bool shows_captures = kind.content == targets || kind.content == destinations;
    if (kind.retired || !kind.in_game(info) || (shows_captures && !captures)) continue;
    const std::span sides = kind.owner == Owner::kSide ? std::span(kSides) : std::span(kSides).first(1);
    for (const std::string_view side : sides) {
      const std::string name = std::string(kind.owner == Owner::kSide ? side : "") + std::string(kind.name);
      for (int number = 0; number < kind.numbers; ++number)
        names.push_back(numbered(kind) ? name + std::to_string(number) : name);
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
    const PlaneKind* kind = parse_name(name)->kind;
    const bool required = kind == nullptr || kind->required;
    if (required && std::find(planes.begin(), planes.end(), name) == planes.end()) return std::move(name);
  }
  return "";
}

std::string plane_meaning(std::string_view name) {
  const ParsedName parsed = parse_name(name).value();
  if (!parsed.ruleset.empty())
    return "1 on every square of the board in games of " + std::string(parsed.ruleset);
  const bool of_side = parsed.kind == nullptr || parsed.kind->owner == Owner::kSide;
  std::string meaning = of_side ? (parsed.side == 0 ? "own: " : "enemy: ") : "";
  if (parsed.kind == nullptr) return meaning + "1 on pieces of the kind " + parsed.letter;
  return meaning.append(parsed.kind->meaning);
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
