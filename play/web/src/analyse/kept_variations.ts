// The tree of the game that was analysed last, kept in the browser: variations, comments and evaluations survive a reload.
import type { GameQuery, LineMove } from "../backend/backend";
import { Variations } from "./variations";

const KEY = "makzero.variations";
const LONGEST = 256 * 1024; // Characters; a longer tree is not kept.

interface KeptTree {
  game: string;
  start: string;
  line: LineMove[];
}

// A game of moves alone needs no place: its address names them.
export function keepTree(query: GameQuery, tree: Variations): void {
  try {
    const line = tree.line();
    const kept: KeptTree = { game: query.game, start: query.start ?? "", line };
    const text = JSON.stringify(kept);
    if (line.some((move) => move.variations ?? move.comment ?? move.nags ?? move.eval) && text.length <= LONGEST)
      localStorage.setItem(KEY, text);
    else if (keptTree(query)) localStorage.removeItem(KEY); // Its last variation was deleted, or it grew too long.
  } catch {
    // A browser that keeps nothing has the moves in the address alone.
  }
}

// The tree that has these moves as one of its lines; null where none is kept.
export function keptTree({ game, start, moves }: GameQuery): Variations | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as KeptTree | null;
    if (kept?.game !== game || kept.start !== (start ?? "")) return null;
    const tree = Variations.of([], kept.line);
    return tree.hasLine(moves) ? tree : null;
  } catch {
    return null; // What is there is no tree.
  }
}
