#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "play/terminal/line_reader.h"

namespace makzero::play {
namespace {

constexpr int kHistoryLines = 500;
constexpr int kLookMilliseconds =
    100;  // Between looks for an interrupt, which may come while no key is waited for.
constexpr size_t kListWidth = 80;  // Columns of a list of completions.

struct CloseEditor {
  void operator()(EditLine* editor) const { el_end(editor); }
};
struct CloseHistory {
  void operator()(History* history) const { history_end(history); }
};

class LineEditor : public LineReader {
 public:
  LineEditor(std::filesystem::path file, Interrupt interrupt);
  TypedLine read(const LineQuestion& question) override;

 private:
  static LineEditor* of(EditLine* editor);
  static char* prompt_of(EditLine* editor) { return of(editor)->prompt_.data(); }
  static int next_character(EditLine* editor, wchar_t* character);
  static unsigned char complete(EditLine* editor, int key);
  static unsigned char interrupt(EditLine* editor, int key);
  static unsigned char suspend(EditLine* editor, int key);

  void bind_keys();
  void remember(const std::string& line);
  std::vector<std::string> completions(std::string_view begun) const;

  std::filesystem::path file_;
  Interrupt interrupt_;
  std::unique_ptr<History, CloseHistory> history_;
  std::unique_ptr<EditLine, CloseEditor> editor_;
  std::string prompt_;
  const LineQuestion* question_ = nullptr;  // While it is answered.
  bool interrupted_ = false;
};

LineEditor::LineEditor(std::filesystem::path file, Interrupt interrupt)
    : file_(std::move(file)),
      interrupt_(std::move(interrupt)),
      history_(history_init()),
      editor_(el_init("makzero", stdin, stdout, stderr)) {
  HistEvent event;
  history(history_.get(), &event, H_SETSIZE, kHistoryLines);
  history(history_.get(), &event, H_SETUNIQUE, 1);
  if (!file_.empty()) history(history_.get(), &event, H_LOAD, file_.c_str());
  EditLine* editor = editor_.get();
  el_set(editor, EL_CLIENTDATA, this);
  el_set(editor, EL_PROMPT, &LineEditor::prompt_of);
  el_set(editor, EL_HIST, history, history_.get());
  el_set(editor, EL_GETCFN, &LineEditor::next_character);
  el_set(editor, EL_SIGNAL, 1);  // Its modes of the terminal end and begin again with Ctrl-Z and `fg`.
  // Ctrl-C and Ctrl-Z are keys while a line is edited; else Ctrl-C leaves on the screen what was written.
  el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
  el_set(editor, EL_SETTY, "-x", "+noflsh", nullptr);
  bind_keys();
  el_source(editor, nullptr);
}

LineEditor* LineEditor::of(EditLine* editor) {
  void* self = nullptr;
  el_get(editor, EL_CLIENTDATA, &self);
  return static_cast<LineEditor*>(self);
}

// The keys of terminals for Home, End, Delete and words, and those that Emacs and shells have besides.
void LineEditor::bind_keys() {
  static constexpr const char* kKeys[][2] = {
      {"\033[H", "ed-move-to-beg"},       {"\033OH", "ed-move-to-beg"},  {"\033[1~", "ed-move-to-beg"},
      {"\033[F", "ed-move-to-end"},       {"\033OF", "ed-move-to-end"},  {"\033[4~", "ed-move-to-end"},
      {"\033[3~", "ed-delete-next-char"}, {"\033[1;5D", "ed-prev-word"}, {"\033[1;5C", "em-next-word"},
      {"^W", "ed-delete-prev-word"},      {"^R", "em-inc-search-prev"},  {"^I", "makzero-complete"},
      {"^C", "makzero-interrupt"},        {"^Z", "makzero-suspend"},
  };
  EditLine* editor = editor_.get();
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_ADDFN, "makzero-complete", "completes the word", &LineEditor::complete);
  el_set(editor, EL_ADDFN, "makzero-interrupt", "leaves the line", &LineEditor::interrupt);
  el_set(editor, EL_ADDFN, "makzero-suspend", "stops the program", &LineEditor::suspend);
  for (const auto& [key, action] : kKeys) el_set(editor, EL_BIND, key, action, nullptr);
}

// The next character of the terminal, from UTF-8: 1; 0 at the end of the input, -1 at an interrupt.
int LineEditor::next_character(EditLine* editor, wchar_t* character) {
  LineEditor* self = of(editor);
  std::mbstate_t state = {};
  for (;;) {
    pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, kLookMilliseconds);
    self->interrupted_ = self->interrupt_ && self->interrupt_();
    if (self->interrupted_) return -1;
    if (ready < 0 && errno != EINTR) return -1;
    if (ready < 0)
      el_set(editor, EL_REFRESH);  // The size of the terminal has changed, or the program goes on.
    if (ready <= 0) continue;
    char byte = 0;
    const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return static_cast<int>(got);
    const size_t read = std::mbrtowc(character, &byte, 1, &state);
    if (read <= 1) return 1;
    if (read == static_cast<size_t>(-1)) state = {};  // No UTF-8.
  }
}

std::vector<std::string> LineEditor::completions(std::string_view begun) const {
  std::vector<std::string> found;
  if (!question_->words || begun.find(' ') != std::string_view::npos) return found;
  for (const std::string& word : question_->words())
    if (word.starts_with(begun)) found.push_back(word);
  return found;
}

// Adds what all completions have in common; where that is nothing, lists them.
unsigned char LineEditor::complete(EditLine* editor, int) {
  const LineInfo* line = el_line(editor);
  const std::string begun(line->buffer, line->cursor);
  const std::vector<std::string> found = of(editor)->completions(begun);
  if (found.empty()) return CC_ERROR;
  std::string common = found.front();
  for (const std::string& word : found) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), word.begin(), word.end());
    common.erase(end, common.end());
  }
  const std::string rest = common.substr(begun.size()) + (found.size() == 1 ? " " : "");
  if (!rest.empty()) return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  size_t column = 0;
  for (const std::string& word : found) {
    std::fputs(column == 0 || column + word.size() >= kListWidth ? "\n" : " ", stdout);
    column = column + word.size() >= kListWidth ? word.size() + 1 : column + word.size() + 1;
    std::fputs(word.c_str(), stdout);
  }
  std::fputs("\n", stdout);
  return CC_REDISPLAY;
}

unsigned char LineEditor::interrupt(EditLine* editor, int) {
  of(editor)->interrupted_ = true;
  return CC_EOF;
}

unsigned char LineEditor::suspend(EditLine*, int) {
  std::raise(SIGTSTP);  // Which libedit handles while it reads.
  return CC_REDISPLAY;
}

// A history that cannot be written is no reason to stop.
void LineEditor::remember(const std::string& line) {
  if (line.find_first_not_of(' ') == std::string::npos) return;
  HistEvent event;
  history(history_.get(), &event, H_ENTER, line.c_str());
  if (file_.empty()) return;
  const std::filesystem::path unfinished = file_.string() + "." + std::to_string(getpid());
  std::error_code failure;
  std::filesystem::create_directories(file_.parent_path(), failure);
  if (history(history_.get(), &event, H_SAVE, unfinished.c_str()) < 0) return;
  std::filesystem::rename(unfinished, file_, failure);
}

TypedLine LineEditor::read(const LineQuestion& question) {
  std::cout.flush();
  prompt_ = question.prompt;
  question_ = &question;
  interrupted_ = false;
  el_set(editor_.get(), EL_PREP_TERM, 1);  // Before the prompt: who sees it may type.
  int length = 0;
  const char* typed = el_gets(editor_.get(), &length);
  question_ = nullptr;
  if (!typed || length <= 0 || interrupted_) return {.interrupted = interrupted_};
  std::string line(typed, length);
  if (line.ends_with('\n')) line.pop_back();
  if (question.words) remember(line);
  return {.text = line};
}

// What libedit needs of a terminal.
bool can_edit() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
         std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

std::unique_ptr<LineReader> line_editor(const std::filesystem::path& history, Interrupt interrupt) {
  if (!can_edit() || !std::setlocale(LC_CTYPE, "C.UTF-8")) return nullptr;
  return std::make_unique<LineEditor>(history, std::move(interrupt));
}

}  // namespace makzero::play
