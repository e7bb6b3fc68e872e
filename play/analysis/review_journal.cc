#include "play/analysis/review_journal.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "models/error.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

constexpr const char *kSourceTag = "ReviewOf", *kAnnotatorTag = "Annotator";

std::size_t moves_hash(const GameDocument& document) {
  return std::hash<std::string>{}(game_text(GameDocument(document.game)));
}

// The tag Annotator of a game that this annotator has reviewed too.
std::string annotators(const GameDocument& document, const std::string& annotator) {
  const std::string before = document.tags.value(kAnnotatorTag);
  return before.empty() ? annotator : before + "; " + annotator;
}

}  // namespace

ReviewJournal::ReviewJournal(const std::filesystem::path& output) : output_(models::behind_links(output)) {
  if (output_.empty()) return;
  if (models::is_stream(output_)) throw models::Error(output_, "is a pipe or a device: name a file");
  models::require_place(output_);
  partial_ = output_;
  partial_ += ".partial";
  if (std::filesystem::exists(partial_)) resume();
}

void ReviewJournal::resume() {
  const std::string text = models::read_text_file(partial_);
  std::size_t whole = 0;
  for (const std::string_view game : text.empty() ? std::vector<std::string_view>() : split_games(text)) {
    const game::Parsed<GameDocument> read = read_document(game);
    if (!read || !read->fault.empty() || !game.ends_with("\n\n")) break;
    kept_[read->tags.value(kSourceTag)] = {read->tags.value(kAnnotatorTag), moves_hash(*read)};
    whole += game.size();
  }
  if (whole < text.size()) models::File(partial_, models::File::Mode::kAppend).truncate(whole);
}

void ReviewJournal::refuse(const std::string& what) const {
  throw models::Error(partial_, "holds " + what +
                                    ", from a review that was interrupted: remove it, or name "
                                    "another --output");
}

void ReviewJournal::require_of(const std::vector<std::string>& files) const {
  for (const auto& [source, kept] : kept_) {
    if (std::ranges::find(files, source.substr(0, source.rfind(" #"))) == files.end())
      refuse("the game " + source + ", which is not reviewed here");
  }
}

bool ReviewJournal::holds(const ReviewSource& source, const std::string& annotator,
                          const GameDocument& document) const {
  const auto found = kept_.find(source.text());
  if (found == kept_.end()) return false;
  const std::string wanted = annotators(document, annotator);
  if (found->second.annotator != wanted)
    refuse(source.text() + " by '" + found->second.annotator + "', not by '" + wanted + "'");
  if (found->second.moves != moves_hash(document)) refuse("other moves of " + source.text());
  return true;
}

void ReviewJournal::append(const ReviewSource& source, const std::string& annotator, GameDocument document) {
  if (output_.empty()) return;
  document.tags.set(kAnnotatorTag, annotators(document, annotator));
  document.tags.set(kSourceTag, source.text());
  models::File file(partial_, models::File::Mode::kAppend);
  file.write(game_pgn(document) + "\n");
  file.sync();
}

void ReviewJournal::finish() {
  if (!output_.empty() && std::filesystem::exists(partial_)) models::publish(partial_, output_);
}

}  // namespace makzero::play
