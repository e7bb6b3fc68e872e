// Completion of the command line by shells.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

namespace makzero::play {

inline constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

// The script with which that shell completes commands, their options, and rulesets where a command takes one;
// else files.
std::string completion(const CLI::App& program, std::string_view shell);

}  // namespace makzero::play
