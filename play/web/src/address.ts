// What the address behind # names: a view, and there a game, its moves and where in them one looks.
// "#play?game=makyek%3Ajump%3Don&moves=a3a5+h6h5&at=1"; a game that begins elsewhere has `start` too.
import type { GameQuery } from "./backend/backend";

export interface Place {
  view: string;
  query: GameQuery | null; // None: the view alone is named.
  at: number; // Moves up to the position shown.
}

export function readPlace(hash: string): Place {
  const [view = "", text = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(text);
  const game = parameters.get("game");
  if (!game) return { view, query: null, at: 0 };
  const moves = (parameters.get("moves") ?? "").split(" ").filter(Boolean);
  const start = parameters.get("start");
  const at = Number(parameters.get("at") ?? moves.length);
  return { view, query: { game, moves, ...(start && { start }) }, at: Number.isInteger(at) ? at : moves.length };
}

export function placeText(view: string, query: GameQuery, at: number): string {
  const parameters = new URLSearchParams({ game: query.game });
  if (query.start) parameters.set("start", query.start);
  if (query.moves.length) parameters.set("moves", query.moves.join(" "));
  if (at !== query.moves.length) parameters.set("at", String(at));
  return `#${view}?${parameters}`;
}

export function sameGame(a: GameQuery, b: GameQuery): boolean {
  return a.game === b.game && (a.start ?? "") === (b.start ?? "") && a.moves.join(" ") === b.moves.join(" ");
}
