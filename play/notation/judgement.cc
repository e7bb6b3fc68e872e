#include "play/notation/judgement.h"

#include <algorithm>

#include "play/message.h"
#include "play/notation/game_document.h"

namespace makzero::play {
namespace {

struct Row {
  double least_loss;
  const char* word;
  std::string_view glyph;
};

constexpr Row kRows[] = {
    {0.05, later("Inaccuracy"), "?!"}, {0.10, later("Mistake"), "?"}, {0.15, later("Blunder"), "??"}};

const Row& row_of(Judgement judgement) { return kRows[static_cast<int>(judgement)]; }

}  // namespace

double least_loss(Judgement judgement) { return row_of(judgement).least_loss; }

std::string_view judgement_word(Judgement judgement) { return row_of(judgement).word; }

std::string_view judgement_glyph(Judgement judgement) { return row_of(judgement).glyph; }

int judgement_nag(Judgement judgement) {
  return static_cast<int>(std::find(kGlyphs.begin(), kGlyphs.end(), judgement_glyph(judgement)) -
                          kGlyphs.begin());
}

std::optional<Judgement> judgement_of(double loss) {
  for (const Judgement judgement : kJudgements) {
    if (loss >= least_loss(judgement)) return judgement;
  }
  return std::nullopt;
}

}  // namespace makzero::play
