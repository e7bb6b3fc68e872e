// Reader of movetext: moves in any dialect with numbers, comments, glyphs, clocks, evaluations, variations,
// declarations and result, as PGN has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/outcome.h"
#include "play/notation/dialect.h"
#include "play/notation/game_document.h"

namespace makzero::play {

inline constexpr std::string_view kSpace = " \t\r\n";  // Between words.

struct Movetext {
  GameDocument document;  // Without tags; `fault` says where an illegal move or the like stopped the reader.
  std::string result = {};         // "1-0", as it stands behind the moves; empty: none does.
  std::vector<int> taken = {};     // Meaning that was taken of each ambiguous move of the main line, from 0.
  std::vector<int> meanings = {};  // Number of its meanings.
  bool ended = false;  // By a result, or by the last position, which a run writes below its sample games.
};

// Reads moves from a start. `line`: the number of the text's first line in its file, for faults. A record
// goes on past an end that players may overlook (PlayedGame::may_go_on); what cannot be read of a variation
// is left out, as other programs write much there.
//
// `choices`: which meaning to take of the first ambiguous moves of the main line; of the others the first.
Movetext read_movetext(std::string_view text, int line, const PlayedGame& start, const Dialect& latin,
                       const std::vector<int>& choices = {});

// The result that people write: "1-0", "1/2", "½-½", "0:1", "*".
std::optional<game::Result> read_result(std::string_view word);

}  // namespace makzero::play
