// The game that was analysed last, kept in the browser: its variations, comments, evaluations and tags survive a reload.
import type { GameDocument, GameQuery } from "../backend/backend";
import { Variations } from "./variations";

const KEY = "makzero.variations";
const LONGEST = 256 * 1024; // Characters; a longer game is not kept.

// A game of moves alone needs no place: its address names them.
export function keepDocument(document: GameDocument): void {
  try {
    const { line = [], tags = [], comment, ended, rulesEnd } = document;
    const text = JSON.stringify(document);
    const annotated = line.some((move) => move.variations ?? move.comment ?? move.nags ?? move.eval ?? move.clock);
    const worth = annotated || tags.length > 0 || comment || ended || rulesEnd;
    if (worth && text.length <= LONGEST) localStorage.setItem(KEY, text);
    else if (keptDocument(document)) localStorage.removeItem(KEY); // Nothing is said of it any more, or it grew too long.
  } catch {
    // A browser that keeps nothing has the moves in the address alone.
  }
}

// The document that has these moves as one of its lines; null where none is kept.
export function keptDocument({ game, start, moves }: GameQuery): GameDocument | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as GameDocument | null;
    if (kept?.game !== game || (kept.start ?? "") !== (start ?? "") || !kept.line) return null;
    return Variations.of([], kept.line).hasLine(moves) ? kept : null;
  } catch {
    return null; // What is there is no document.
  }
}
