// What a search has proven about the end of a game, against the count where one runs.
import type { GameState, SearchResult } from "../backend/backend";
import { plural, t } from "../language";
import { opponent, sideName } from "../board/moves";

// "White wins in at most 5 moves; the count leaves 11"; empty where nothing is proven.
export function proofText(result: SearchResult, state: GameState): string {
  const best = result.moveInfos[0];
  if (best?.endInPlies === undefined) return "";
  const mover = result.rootInfo.toMove;
  const winning = best.winrate > 0.5;
  // The winner makes the last move.
  const moves = winning ? Math.ceil(best.endInPlies / 2) : Math.floor(best.endInPlies / 2);
  if (moves === 0) return ""; // A side without a move: the end is seen on the board.
  const side = sideName(winning ? mover : opponent(mover));
  const words = plural("{side} wins in at most {count} move", "{side} wins in at most {count} moves", moves, { side });
  return state.count ? t("{words}; the count leaves {left}", { words, left: state.count.left }) : words;
}
