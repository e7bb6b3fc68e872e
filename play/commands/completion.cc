#include "play/commands/completion.h"

#include <fmt/format.h>

#include <vector>

#include "game/catalog.h"

namespace makzero::play {
namespace {

// A word that may stand behind a command, with what it is for.
struct Word {
  std::string text, help;
  bool takes_value = false;
};

// The first line, without what quotes and `_describe` of zsh would take for their own.
std::string plain(const std::string& help) {
  std::string text;
  for (const char letter : help.substr(0, help.find('\n')))
    if (letter == '\'') {
      text += "’";
    } else if (letter != ':' && letter != '\\') {
      text += letter;
    }
  return text;
}

std::vector<Word> words_of(const CLI::App& command) {
  std::vector<Word> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      words.push_back({"--" + name, plain(option->get_description()), option->get_items_expected_max() > 0});
    if (option->get_name() != "GAME" && option->get_name() != "RULESET") continue;
    for (const std::string& ruleset : game::ruleset_names()) words.push_back({ruleset, "Ruleset"});
  }
  return words;
}

std::vector<Word> commands_of(const CLI::App& program) {
  std::vector<Word> commands;
  for (const CLI::App* command : program.get_subcommands({}))
    commands.push_back({command->get_name(), plain(command->get_description())});
  return commands;
}

std::string joined(const std::vector<Word>& words, const char* form) {
  std::string text;
  for (const Word& word : words)
    text += fmt::format(fmt::runtime(form), fmt::arg("word", word.text), fmt::arg("help", word.help));
  return text;
}

std::string for_bash(const CLI::App& program) {
  std::string text = fmt::format(
      "_makzero() {{\n"
      "  local words=\"{}\"\n"
      "  [ \"$COMP_CWORD\" -eq 1 ] || case ${{COMP_WORDS[1]}} in\n",
      joined(commands_of(program), "{word} "));
  for (const CLI::App* command : program.get_subcommands({}))
    text +=
        fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), joined(words_of(*command), "{word} "));
  return text +
         "    *) words= ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
         "}\n"
         "complete -o default -F _makzero makzero\n";
}

std::string for_zsh(const CLI::App& program) {
  std::string text = fmt::format(
      "#compdef makzero\n"
      "local -a choices\n"
      "if (( CURRENT == 2 )); then\n"
      "  choices=({})\n"
      "else\n"
      "  case $words[2] in\n",
      joined(commands_of(program), "'{word}:{help}' "));
  for (const CLI::App* command : program.get_subcommands({}))
    text += fmt::format("    {}) choices=({}) ;;\n", command->get_name(),
                        joined(words_of(*command), "'{word}:{help}' "));
  return text +
         "  esac\n"
         "fi\n"
         "_describe makzero choices || _files\n";
}

std::string for_fish(const CLI::App& program) {
  std::string text =
      joined(commands_of(program), "complete -c makzero -n __fish_use_subcommand -f -a {word} -d '{help}'\n");
  for (const CLI::App* command : program.get_subcommands({})) {
    const std::string head =
        fmt::format("complete -c makzero -n '__fish_seen_subcommand_from {}'", command->get_name());
    for (const Word& word : words_of(*command)) {
      const bool option = word.text.starts_with("--");
      text += fmt::format("{} {} {}{} -d '{}'\n", head, option ? "-l" : "-a",
                          option ? word.text.substr(2) : word.text, word.takes_value ? " -r" : "", word.help);
    }
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& program, std::string_view shell) {
  if (shell == "bash") return for_bash(program);
  return shell == "zsh" ? for_zsh(program) : for_fish(program);
}

}  // namespace makzero::play
