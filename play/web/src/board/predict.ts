// A move shown before the backend has answered: what can be told of the position after it from the move alone.
// Promotions, counts and the end of the game come with the answer, which replaces this.
import type { GameState, LegalMove } from "../backend/backend";
import { opponent } from "./moves";

export function predicted(state: GameState, move: LegalMove): GameState {
  const { toMove } = state;
  const captures = state.pieces.filter((piece) => move.captures.includes(piece.square));
  const mover = state.pieces.find((piece) => piece.square === move.from);
  const gone = new Set([...move.captures, move.from, move.to]);
  const pieces = state.pieces.filter((piece) => !gone.has(piece.square));
  const kind = move.drop ?? mover?.kind;
  if (move.to && kind) pieces.push({ ...mover, square: move.to, color: toMove, kind });
  const hands = { ...state.hands };
  if (move.drop) hands[toMove] = { ...hands[toMove], [move.drop]: (hands[toMove][move.drop] ?? 1) - 1 };
  const side = opponent(toMove)[0]!;
  const position = `${state.position.split(" ")[0]} ${side} after ${move.move}`;
  return {
    ...state,
    pieces,
    hands,
    position,
    toMove: opponent(toMove),
    legal: [],
    claims: [],
    check: false,
    checked: [],
    history: [...state.history, { move: move.move, written: move.written, captures, position }],
  };
}
