// Judgements of moves by what they give away: the one list for the program's reviews and the page's.
#pragma once

#include <optional>
#include <string_view>

namespace makzero::play {

enum class Judgement { kInaccuracy, kMistake, kBlunder };
inline constexpr Judgement kJudgements[] = {Judgement::kBlunder, Judgement::kMistake, Judgement::kInaccuracy};

// What is lost of the expected result in [0, 1]. lichess's limits, on its scale from -1 to 1: 0.1, 0.2, 0.3.
double least_loss(Judgement judgement);
std::string_view judgement_word(Judgement judgement);   // "Inaccuracy", a text of the catalogue.
std::string_view judgement_glyph(Judgement judgement);  // "?!".
int judgement_nag(Judgement judgement);                 // 6: the place of its glyph in kGlyphs.

// The judgement of a move that loses so much; none where it is a good one.
std::optional<Judgement> judgement_of(double loss);

}  // namespace makzero::play
