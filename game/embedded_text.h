// Text files that are compiled into the program; makzero_embed() of CMakeLists.txt makes the rows.
#pragma once

#include <span>
#include <string_view>

namespace makzero::game {

struct EmbeddedText {
  std::string_view name;  // Of the file without folder and last extension.
  std::string_view text;
};

// The rules of every game as text for people: the files of texts/, named after their games.
std::span<const EmbeddedText> rules_texts();

// Comparisons that the rules of every game have passed: the files of certificates/, named after their games
// and written by tests/certify.py.
std::span<const EmbeddedText> certificates();

// The set-ups of fortresses.txt, as parse_fortress() reads them.
std::span<const EmbeddedText> fortresses();

}  // namespace makzero::game
