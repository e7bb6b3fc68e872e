// Objects of the C interface, and the border that no exception crosses.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "game/game.h"
#include "game/parsed.h"
#include "play/embed/makzero.h"
#include "play/notation/game_document.h"
#include "play/played_game.h"

struct makzero_game {
  makzero::game::GamePtr rules;
};

struct makzero_position {
  makzero::play::PlayedGame game;
};

struct makzero_document {
  makzero::play::GameDocument document;
};

namespace makzero::play::embed {

// An error of the interface; what() is for people.
struct Refusal : std::runtime_error {
  Refusal(int status_code, const std::string& why) : std::runtime_error(why), status(status_code) {}

  int status;
};

[[noreturn]] inline void refuse(const std::string& why) { throw Refusal(MAKZERO_BAD_ARGUMENT, why); }

// Keeps an error for makzero_last_error(); returns its status.
int keep_error(int status, const char* why) noexcept;

// The status of the exception that is being handled, which is kept.
int keep_exception() noexcept;

// What a function returns, or the status of its exception.
template <class Function>
int guarded(const Function& function) noexcept {
  try {
    return function();
  } catch (...) {
    return keep_exception();
  }
}

// The same of a pointer: null after an exception.
template <class Function>
auto guarded_pointer(const Function& function) noexcept -> decltype(function()) {
  try {
    return function();
  } catch (...) {
    keep_exception();
    return nullptr;
  }
}

// What an argument points to.
template <class T>
T& needed(T* argument, const char* name) {
  if (argument == nullptr) refuse(std::string(name) + " is NULL");
  return *argument;
}

inline std::string needed_text(const char* text, const char* name) { return &needed(text, name); }

// A value that was read; throws where there is none.
template <class T>
const T& value_of(const game::Parsed<T>& parsed) {
  if (!parsed) throw Refusal(MAKZERO_BAD_INPUT, parsed.why());
  return *parsed;
}

// Writes as much of a text as there is room for; returns its bytes.
int write_text(std::string_view text, char* out, std::size_t size);

// The legal move with these bits.
game::Move legal_move(const PlayedGame& game, makzero_move move);

}  // namespace makzero::play::embed
