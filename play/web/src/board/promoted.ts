// Which pieces of the chess family were pawns: positions do not tell, but the moves of the game do.
import type { GameState, Piece } from "../backend/backend";
import { squaresOf } from "./moves";
import { isChess } from "./pieces";

const PROMOTION = /^[a-h][1-8][a-h][1-8]m$/; // "e5e6m".

// The state with its promoted pawns marked, on the board and among what was taken. Those of a position that was set up
// are not known.
export function withPromoted(state: GameState): GameState {
  if (!isChess(state.kinds)) return state;
  const promoted = new Set<string>();
  const marked = (piece: Piece) => (promoted.has(piece.square) ? { ...piece, promoted: true } : piece);
  const history = state.history.map((entry) => {
    const captures = entry.captures.map(marked);
    const squares = squaresOf(entry.move);
    if (squares?.from) {
      const turned = promoted.delete(squares.from) || PROMOTION.test(entry.move);
      promoted.delete(squares.to);
      if (turned) promoted.add(squares.to);
    }
    return { ...entry, captures };
  });
  return { ...state, history, pieces: state.pieces.map(marked) };
}
