// What can be read off the texts of moves and positions without knowing the rules.
import type { Color, GameState, MoveInfo, Wdl } from "../backend/backend";
import { listed, number, t } from "../language";

export interface Squares {
  from: string | null; // None: a drop.
  to: string;
}

// "a3a5", "e5e6m", "f5f3:e3", "e8e6e4", "@d4"; nothing for a pass or a declaration.
export function squaresOf(move: string): Squares | null {
  const squares = move.split(":")[0]!.match(/[a-h][1-8]/g);
  if (!squares) return null;
  return { from: squares.length > 1 ? squares[0]! : null, to: squares[squares.length - 1]! };
}

export function isDeclaration(move: string): boolean {
  return move === "count" || move === "stop";
}

// What people read for a move in lists.
export function moveLabel(move: string): string {
  if (move === "count") return t("count");
  if (move === "stop") return t("stop");
  return move === "--" ? t("pass") : move;
}

export function sideOfPosition(position: string): Color {
  return position.split(" ")[1] === "b" ? "black" : "white";
}

// Who was to move before each entry of the game's moves, and now: one more than there are moves.
export function movers(state: GameState): Color[] {
  return [state.start, ...state.history.map((entry) => entry.position)].map(sideOfPosition);
}

export function opponent(color: Color): Color {
  return color === "white" ? "black" : "white";
}

export function sideName(color: Color): string {
  return color === "white" ? t("White") : t("Black");
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// The expectation of the side to move, as White sees it.
export function forWhite(info: Pick<MoveInfo, "wdl" | "winrate">, mover: Color): Wdl {
  const [win, draw, loss] = info.wdl ?? [info.winrate, 0, 1 - info.winrate];
  return mover === "white" ? [win, draw, loss] : [loss, draw, win];
}

export function percent(share: number | undefined, digits = 0): string {
  return share === undefined
    ? "–"
    : number(share, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// "f5f7 takes e7 and g7".
export function takesText(move: string, captures: string[]): string {
  if (captures.length === 0) return t("{move} takes nothing", { move });
  return t("{move} takes {squares}", { move, squares: listed(captures) });
}
