#include "play/analysis/review_journal.h"

#include <string_view>
#include <utility>
#include <vector>

#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

constexpr const char* kSourceTag = "ReviewOf";

}  // namespace

ReviewJournal::ReviewJournal(std::filesystem::path output) : output_(std::move(output)) {
  if (output_.empty()) return;
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
    sources_.insert(read->tags.value(kSourceTag));
    whole += game.size();
  }
  if (whole < text.size()) models::File(partial_, models::File::Mode::kAppend).truncate(whole);
}

void ReviewJournal::append(const ReviewSource& source, const std::string& annotator, GameDocument document) {
  if (output_.empty()) return;
  const std::string before = document.tags.value("Annotator");
  document.tags.set("Annotator", before.empty() ? annotator : before + "; " + annotator);
  document.tags.set(kSourceTag, source.text());
  models::File file(partial_, models::File::Mode::kAppend);
  file.write(game_pgn(document) + "\n");
  file.sync();
  sources_.insert(source.text());
}

void ReviewJournal::finish() {
  if (!output_.empty() && std::filesystem::exists(partial_)) models::publish(partial_, output_);
}

}  // namespace makzero::play
