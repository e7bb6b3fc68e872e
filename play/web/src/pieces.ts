// Our own drawings of the pieces, in boxes of 100 x 100. Men are discs; the pieces of the chess family have the
// shapes of Thai sets: stupas, a horse's head, a boat, a cowrie shell. Colours come from the page's style.
import type { Color, Piece } from "./backend";
import { svg } from "./dom";
import { t, translated } from "./language";

const DISC = `<circle class="body" cx="50" cy="50" r="35"/>`;
const FOOT = `<path class="body" d="M21 88v-6q0-6 6-6h46q6 0 6 6v6z"/>`;

const DRAWINGS: Record<string, string> = {
  // A ring tells White's men from Black's, which carry a flower, where colours cannot.
  "man-white": `${DISC}<circle class="line" cx="50" cy="50" r="25"/><circle class="line" cx="50" cy="50" r="3"/>`,
  "man-black": `${DISC}<path class="line" d="M50 50q-13-12 0-24q13 12 0 24q12-13 24 0q-12 13-24 0q13 12 0 24q-13-12 0-24q-12 13-24 0q12-13 24 0z"/>`,
  chief: `${DISC}<path class="line thick" d="M33 61l-3-24l11 10l9-16l9 16l11-10l-3 24zM34 68h32"/>`,
  hunter: `${DISC}<path class="mark" d="M50 49c8 0 16 8 16 14c0 8-9 6-16 6s-16 2-16-6c0-6 8-14 16-14z"/>
    <ellipse class="mark" cx="31" cy="48" rx="5" ry="7"/><ellipse class="mark" cx="43" cy="36" rx="5.5" ry="7.5"/>
    <ellipse class="mark" cx="57" cy="36" rx="5.5" ry="7.5"/><ellipse class="mark" cx="69" cy="48" rx="5" ry="7"/>`,
  khun: `<path class="body" d="M28 77c0-17 11-21 12-39h20c1 18 12 22 12 39z"/><path class="body" d="M43 32q6-8 7-27q1 19 7 27z"/>
    <rect class="body" x="36" y="31" width="28" height="9" rx="3.5"/><path class="line" d="M33 62h34M38 51h24"/>${FOOT}`,
  khon: `<path class="body" d="M28 77c0-17 17-17 19-43l3-14l3 14c2 26 19 26 19 43z"/><path class="line" d="M34 64h32"/>${FOOT}`,
  met: `<path class="body" d="M29 77c0-17 9-27 21-27s21 10 21 27z"/><circle class="body" cx="50" cy="43" r="8.5"/><path class="line" d="M33 65h34"/>${FOOT}`,
  ma: `<path class="body" d="M31 77c-1-14 8-18 11-27c-5 3-9 7-14 5c-5-2-5-8-2-12c6-7 8-15 17-20l2-8l7 7c15 4 20 19 18 36c-1 8-1 15-1 21z"/>
    <path class="line" d="M56 29c9 8 10 20 7 34"/><circle class="mark" cx="44" cy="34" r="3"/>${FOOT}`,
  ruea: `<path class="body" d="M32 56c0-24 36-24 36 0z"/><path class="line" d="M44 55v-16M56 55v-16"/>
    <path class="body" d="M16 46c10 12 58 12 68 0c-1 22-10 42-25 42h-18c-15 0-24-20-25-42z"/><path class="line" d="M23 67c14 6 40 6 54 0"/>`,
  bia: `<path class="body" d="M26 59c2-15 14-21 27-20c16 1 25 11 24 25c-1 13-12 22-27 22c-16 0-26-12-24-27z"/>
    <path class="line thick" d="M33 67c6-12 26-13 37-6"/><path class="line" d="M37 56l2 7M44 51l1 8M52 49v8M60 50l-1 8M38 70l-1 5M46 67v7M55 66l1 7M63 67l2 6"/>`,
};

const CHESS: Record<string, string> = { K: "khun", M: "met", S: "khon", N: "ma", R: "ruea", P: "bia" };
const CHESS_NAMES = new Set(Object.values(CHESS));

// Whether these are the pieces of the chess family.
export function isChess(kinds: Record<string, string>): boolean {
  return "P" in kinds;
}

function drawing(kind: string, color: Color, kinds: Record<string, string>): string {
  if (isChess(kinds)) return CHESS[kind] ?? "bia";
  if (kind === "K") return "chief";
  if (kind === "H") return "hunter";
  return `man-${color}`;
}

// "white king".
export function pieceName({ kind, color }: Omit<Piece, "square">, kinds: Record<string, string>): string {
  const name = translated(kinds[kind] ?? kind);
  return color === "white" ? t("white {name}", { name }) : t("black {name}", { name });
}

// All drawings, to be put into the page once.
export function pieceSymbols(): SVGSVGElement {
  const sheet = svg("svg", { class: "symbols", "aria-hidden": "true", width: 0, height: 0 });
  for (const [name, shapes] of Object.entries(DRAWINGS)) {
    const symbol = svg("symbol", { id: `piece-${name}`, viewBox: CHESS_NAMES.has(name) ? "4 0 92 92" : "0 0 100 100" });
    symbol.innerHTML = shapes;
    sheet.append(symbol);
  }
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
    href: `#piece-${drawing(piece.kind, piece.color, kinds)}`,
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
