#include "game/rules_guide.h"

#include <algorithm>
#include <cctype>

#include "game/catalog.h"
#include "game/plain_text.h"

namespace makzero::game {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kIndent = "    ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

Lines lines_of(std::string_view text) {
  const std::vector<std::string_view> pieces = split(text, '\n');
  Lines lines(pieces.begin(), pieces.end());
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// The pieces of a text between separators, without blanks around them.
Lines split(std::string_view text, std::string_view separator) {
  Lines parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(trimmed(text.substr(at, end - at)));
    at = end + separator.size();
  }
  return parts;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(text.empty() ? "" : " ").append(trimmed(line));
  return text;
}

// --- Boards. ---

// "    8  . m . M     f5f7 takes e7 g7": a row of a board and the note beside it.
struct BoardRow {
  int rank;
  std::string cells;  // "m", "." per file.
  std::string note;
};

bool read_row(const std::string& line, BoardRow* row) {
  if (!line.starts_with(kIndent) || line.size() < 10 || !is_digit(line[4]) || line.substr(5, 2) != "  ")
    return false;
  size_t at = 7;
  const auto is_empty = [&](size_t i) { return line[i] == '.' || line[i] == '+'; };
  const auto is_cell = [&](size_t i) { return i < line.size() && (is_empty(i) || is_letter(line[i])); };
  std::string cells;
  for (; is_cell(at) && (at + 1 == line.size() || line[at + 1] == ' '); at += 2)
    cells += is_empty(at) ? '.' : line[at];
  if (cells.size() < 2) return false;
  *row = {line[4] - '0', cells, std::string(trimmed(line.substr(std::min(at, line.size()))))};
  return true;
}

// "m . . ." as the placement of a position's text: "m3".
std::string placement(const std::string& cells) {
  std::string text;
  int empty = 0;
  for (const char cell : cells) {
    if (cell == '.') {
      ++empty;
      continue;
    }
    if (empty) text += std::to_string(empty);
    empty = 0;
    text += cell;
  }
  return empty ? text + std::to_string(empty) : text;
}

// The move that a note claims something about, "f5f7 takes ...", "c1c2 is illegal"; empty: it is a caption.
std::string claimed_move(const std::string& note) {
  const size_t end = note.find(' ');
  if (end == std::string::npos) return "";
  const std::string rest = note.substr(end + 1);
  return rest.starts_with("takes ") || rest.starts_with("is illegal") ? note.substr(0, end) : "";
}

std::string remark_of(const std::string& note) {
  const size_t open = note.find('('), close = note.rfind(')');
  return open == std::string::npos || close < open ? "" : note.substr(open + 1, close - open - 1);
}

// The board whose rows begin at lines[*at], which becomes the line behind it. Ranks above the first row are
// empty.
GuideBlock read_board(const Lines& lines, size_t* at) {
  std::vector<BoardRow> rows;
  for (BoardRow row; *at < lines.size() && read_row(lines[*at], &row); ++*at) rows.push_back(row);
  const size_t width = rows.front().cells.size();
  std::string board;
  for (int rank = static_cast<int>(width); rank > rows.front().rank; --rank)
    board += std::to_string(width) + "/";
  for (const BoardRow& row : rows) board += placement(row.cells) + (row.rank > 1 ? "/" : "");
  GuideBlock block;
  block.position = board + " w";
  for (const BoardRow& row : rows) {
    const std::string move = claimed_move(row.note);
    if (move.empty()) {
      if (!row.note.empty()) block.text += (block.text.empty() ? "" : " ") + row.note;
      continue;
    }
    // The side whose piece stands where the move begins.
    const auto from = std::find_if(rows.begin(), rows.end(),
                                   [&](const BoardRow& each) { return each.rank == move[1] - '0'; });
    const char piece = from->cells[static_cast<size_t>(move[0] - 'a')];
    const bool black = std::islower(static_cast<unsigned char>(piece)) != 0;
    block.examples.push_back({board + (black ? " b" : " w"), move, remark_of(row.note)});
  }
  return block;
}

// --- Sections. ---

// "    POSITION  MOVE  ->  POSITION".
bool is_example(const std::string& line) {
  const size_t blank = line.find(' ', kIndent.size());
  return line.starts_with(kIndent) && line.find('/') < blank &&
         (line.find("  ->") != std::string::npos || line.ends_with("  wins"));
}

GuideBlock example_block(const std::string& line) {
  const Lines parts = split(trimmed(line), "  ");
  GuideBlock block;
  block.position = parts[0];
  block.examples.push_back({parts[0], parts.size() > 1 ? parts[1] : "", ""});
  return block;
}

// Whether a line begins a paragraph of its own behind the one before it: "Met: two squares straight ahead".
bool opens_paragraph(const std::string& line, const std::string& before) {
  const size_t colon = line.find(": ");
  return before.ends_with('.') && colon != std::string::npos && colon <= 10;
}

// The lines of a paragraph that is indented: boards, examples or a list of facts.
void read_indented(const Lines& lines, GuideSection* section) {
  BoardRow row;
  Lines facts;
  for (size_t at = 0; at < lines.size();) {
    if (read_row(lines[at], &row)) {
      section->blocks.push_back(read_board(lines, &at));
      if (at < lines.size()) ++at;  // The letters of the files.
    } else if (is_example(lines[at])) {
      section->blocks.push_back(example_block(lines[at]));
      at += lines[at].ends_with("->") ? 2 : 1;  // The position after it may stand in a line of its own.
    } else {
      facts.push_back(lines[at++]);
    }
  }
  if (!facts.empty()) section->blocks.push_back({"", split(joined(facts), " - "), "", {}});
}

void read_paragraph(const Lines& lines, GuideSection* section) {
  if (lines.front().starts_with(kIndent)) return read_indented(lines, section);
  Lines text;
  const auto add_text = [&] {
    if (!text.empty()) section->blocks.push_back({joined(text), {}, "", {}});
    text.clear();
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && opens_paragraph(lines[i], lines[i - 1])) add_text();
    text.push_back(lines[i]);
  }
  add_text();
}

// "    K khun (king)   one step in any direction      x x x": columns are three blanks apart.
void read_piece(const std::string& line, RulesGuide* guide) {
  Lines columns;
  for (const std::string& part : split(trimmed(line), "  ")) {
    if (!part.empty()) columns.push_back(part);
  }
  if (columns.size() < 2 || columns[0].size() < 3 || columns[0][1] != ' ') return;
  guide->pieces.push_back({columns[0][0], columns[0].substr(2), columns[1]});
}

// --- Rulesets and options. ---

// The entries of Rulesets and Options: a line "NAME = ..." with the indented lines below it.
std::vector<std::pair<std::string, std::string>> entries(const Lines& lines) {
  std::vector<std::pair<std::string, std::string>> found;
  bool heading = false;  // The last line was one that goes on.
  for (const std::string& line : lines) {
    const size_t equals = line.find(" = ");
    const bool names = equals != std::string::npos && line.find(' ') == equals;
    if (names) {
      found.emplace_back(line.substr(0, equals), "");
    } else if (!found.empty() && !heading && line.starts_with(kIndent)) {
      std::string& text = found.back().second;
      text.append(text.empty() ? "" : " ").append(trimmed(line));
    }
    heading = (names || heading) && line.ends_with('|');
  }
  return found;
}

// Where the words of a value begin in "Title. value: words; value: words"; npos where it has none.
size_t find_value(const std::string& text, const std::string& value) {
  for (size_t at = text.find(value + ": "); at != std::string::npos; at = text.find(value + ": ", at + 1)) {
    if (at >= 2 && (text.compare(at - 2, 2, ". ") == 0 || text.compare(at - 2, 2, "; ") == 0)) return at;
  }
  return std::string::npos;
}

GuideOption read_option(const std::string& name, const std::string& text, const Lines& values) {
  std::vector<std::pair<size_t, std::string>> places;
  for (const std::string& value : values) {
    const size_t at = find_value(text, value);
    if (at != std::string::npos) places.emplace_back(at, value);
  }
  std::sort(places.begin(), places.end());
  GuideOption option{name, text.substr(0, text.find(". ")), "", {}};
  const size_t described = std::min(text.find(". ") + 2, text.size());
  const size_t first = places.empty() ? text.size() : places.front().first;
  option.text = trimmed(text.substr(described, first - described));
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t begin = places[i].first + places[i].second.size() + 2;
    const size_t end = i + 1 < places.size() ? places[i + 1].first - 2 : text.size();
    option.values.emplace_back(places[i].second, trimmed(text.substr(begin, end - begin)));
  }
  return option;
}

void read_options(const Lines& lines, const GameInfo& info, RulesGuide* guide) {
  for (const auto& [name, text] : entries(lines)) {
    const OptionInfo* option = find_option(info, name);
    if (option) guide->options.push_back(read_option(name, text, option->values));
  }
}

void read_section(const std::string& heading, const Lines& lines, const GameInfo& info, RulesGuide* guide) {
  if (heading == "Options") return read_options(lines, info, guide);
  if (heading == "Rulesets") {
    for (const auto& [name, words] : entries(lines)) guide->rulesets.push_back({name, words});
    return;
  }
  GuideSection section{heading, {}};
  Lines paragraph;
  for (size_t i = 0; i <= lines.size(); ++i) {
    if (i < lines.size() && !lines[i].empty()) {
      paragraph.push_back(lines[i]);
      continue;
    }
    const bool pieces = heading == "The pieces" && !paragraph.empty() && paragraph[0].starts_with(kIndent);
    if (pieces) {
      for (const std::string& line : paragraph) read_piece(line, guide);
    } else if (!paragraph.empty()) {
      read_paragraph(paragraph, &section);
    }
    paragraph.clear();
  }
  if (!section.blocks.empty()) guide->sections.push_back(std::move(section));
}

}  // namespace

std::string GuideOption::words(std::string_view value) const {
  for (const auto& [name, text] : values) {
    if (name == value) return text;
  }
  return std::string(value);
}

const GuideOption* RulesGuide::option(std::string_view name) const {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const GuideOption& each) { return each.name == name; });
  return found == options.end() ? nullptr : &*found;
}

RulesGuide rules_guide(std::string_view spec) {
  const GamePtr game = *make_game(game_of(spec));
  RulesGuide guide;
  std::string heading;
  Lines lines;
  for (const std::string& line : lines_of(rules_text(spec))) {
    if (line.starts_with("# ")) continue;
    if (!line.starts_with("## ")) {
      lines.push_back(line);
      continue;
    }
    read_section(heading, lines, game->info(), &guide);
    heading = line.substr(3);
    lines.clear();
  }
  read_section(heading, lines, game->info(), &guide);
  return guide;
}

std::vector<RuleChange> rule_changes(const RulesGuide& guide, const GameInfo& info) {
  const GamePtr game = *make_game(game_of(info.ruleset));
  std::vector<RuleChange> changes;
  for (const OptionInfo& option : info.options) {
    const OptionInfo* standard = find_option(game->info(), option.name);
    const GuideOption* words = guide.option(option.name);
    if (!standard || !words || standard->value == option.value) continue;
    changes.push_back({words->title, words->words(option.value)});
  }
  return changes;
}

std::vector<GuidePiece> pieces_in_use(const RulesGuide& guide, const GameInfo& info) {
  std::vector<GuidePiece> pieces = guide.pieces;
  for (const RuleChange& change : rule_changes(guide, info)) {
    const size_t end = change.title.find("'s ");
    if (!change.title.starts_with("The ") || end == std::string::npos) continue;
    const std::string name = change.title.substr(4, end - 4);
    const bool leap = change.title.ends_with("leap");  // Beside the piece's own move.
    for (GuidePiece& piece : pieces) {
      if (piece.name != name && piece.name.find("(" + name + ")") == std::string::npos &&
          !piece.name.starts_with(name + " "))
        continue;
      piece.moves = leap ? piece.moves + "; its leap: " + change.words : change.words;
    }
  }
  return pieces;
}

}  // namespace makzero::game
