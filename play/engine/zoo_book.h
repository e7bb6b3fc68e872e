// Opening books of the zoo.
#pragma once

#include <memory>

#include "game/game.h"
#include "play/engine/book.h"

namespace makzero::play {

// The book that the zoo has for these rules; null where there is none. Throws models::Error where it cannot
// be read.
std::shared_ptr<const Book> zoo_book(const game::Game& rules);

}  // namespace makzero::play
