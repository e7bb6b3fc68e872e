// The pieces on the page: which drawing of figures.ts a piece has, in the set that the person chose.
import type { Piece } from "../backend/backend";
import { svg } from "../dom";
import { CHESS_SETS, MEN, type FigureSet } from "../train/figures";
import { t, translated } from "../language";

const CHESS: Record<string, string> = { K: "khun", M: "met", S: "khon", N: "ma", R: "ruea", P: "bia" };
const KEY = "makzero.pieces";
const BOX = { men: "0 0 100 100", chess: "4 0 92 92" };

export function chosenSet(): FigureSet {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return kept in CHESS_SETS ? (kept as FigureSet) : "thai";
  } catch {
    return "thai";
  }
}

// Every piece on the page changes at once, and those to come.
export function chooseSet(set: FigureSet): void {
  try {
    localStorage.setItem(KEY, set);
  } catch {
    // It lasts as long as this page.
  }
  for (const [name, shapes] of Object.entries(CHESS_SETS[set]))
    document.getElementById(`piece-${name}`)!.innerHTML = shapes;
}

// Whether these are the pieces of the chess family.
export function isChess(kinds: Record<string, string>): boolean {
  return "P" in kinds;
}

function drawing({ kind, color, promoted }: Omit<Piece, "square">, kinds: Record<string, string>): string {
  if (isChess(kinds)) return promoted ? "turned" : (CHESS[kind] ?? "bia");
  if (kind === "K") return "chief";
  if (kind === "H") return "hunter";
  return `man-${color}`;
}

// "white king"; a pawn that was promoted is said to be one.
export function pieceName(piece: Omit<Piece, "square">, kinds: Record<string, string>): string {
  const name = translated(kinds[piece.kind] ?? piece.kind);
  if (piece.promoted)
    return piece.color === "white" ? t("white {name}, promoted", { name }) : t("black {name}, promoted", { name });
  return piece.color === "white" ? t("white {name}", { name }) : t("black {name}", { name });
}

// All drawings, to be put into the page once.
export function pieceSymbols(): SVGSVGElement {
  const sheet = svg("svg", { class: "symbols", "aria-hidden": "true", width: 0, height: 0 });
  const add = (name: string, shapes: string, viewBox: string) => {
    const symbol = svg("symbol", { id: `piece-${name}`, viewBox });
    symbol.innerHTML = shapes;
    sheet.append(symbol);
  };
  for (const [name, shapes] of Object.entries(MEN)) add(name, shapes, BOX.men);
  for (const [name, shapes] of Object.entries(CHESS_SETS[chosenSet()])) add(name, shapes, BOX.chess);
  return sheet;
}

// A piece of the given size for a drawing whose upper left corner is at x, y.
export function pieceUse(
  piece: Omit<Piece, "square">,
  kinds: Record<string, string>,
  place: { x?: number; y?: number; size?: number } = {},
): SVGUseElement {
  const { x = 0, y = 0, size = 100 } = place;
  return svg("use", {
    href: `#piece-${drawing(piece, kinds)}`,
    class: `piece ${piece.color}`,
    x,
    y,
    width: size,
    height: size,
  });
}

// A small picture of a piece among words.
export function pieceIcon(piece: Omit<Piece, "square">, kinds: Record<string, string>): SVGSVGElement {
  return svg("svg", { class: "icon", viewBox: "8 8 84 84", "aria-hidden": "true" }, pieceUse(piece, kinds));
}
