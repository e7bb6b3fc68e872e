// What the other side would do if it were to move: the position after a pass.
import type { GameQuery, GameState } from "../backend/backend";

// Null in check, where nobody may pass. The backend says what else is wrong with the position.
export function passed(state: GameState): GameQuery | null {
  if (state.check || state.outcome.over) return null;
  const [board, side, ...fields] = state.position.split(" ");
  return { game: state.game, start: [board, side === "w" ? "b" : "w", ...fields].join(" "), moves: [] };
}
