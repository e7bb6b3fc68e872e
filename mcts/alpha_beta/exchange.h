// Static exchange evaluation (SEE): what a move wins or loses by the captures on its destination.
#pragma once

#include "game/game.h"

namespace makzero::mcts {

// Value of the piece on a square, in hundredths of a man or pawn; 0 of none and of a king.
int value_on(const game::GameInfo& info, const game::Position& position, game::Square square);

// True if the mover wins at least `least` hundredths of a pawn by the move where both sides then take on its
// destination with their least piece, for as long as it pays; pins do not matter. REQUIRES: the move is a
// legal step of a game with info().takes_by_arrival.
bool wins_exchange(const game::Game& game, const game::Position& position, game::Move move, int least);

}  // namespace makzero::mcts
