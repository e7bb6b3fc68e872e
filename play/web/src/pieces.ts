// Our own drawings of the pieces, each in a box of 100 x 100. Men are discs; the pieces of the chess family have the
// shapes of Thai sets: stupas, a horse's head, a boat, a cowrie shell. Colours come from the page's style.
import type { Color, Piece } from "./backend";
import { svg } from "./dom";

const DISC = `<circle class="body" cx="50" cy="50" r="35"/>`;
const FOOT = `<path class="body" d="M25 86v-6q0-6 6-6h38q6 0 6 6v6z"/>`;

const DRAWINGS: Record<string, string> = {
  // A ring tells White's men from Black's, which carry a flower, where colours cannot.
  "man-white": `${DISC}<circle class="line" cx="50" cy="50" r="25"/><circle class="line" cx="50" cy="50" r="3"/>`,
  "man-black": `${DISC}<path class="line" d="M50 50q-13-12 0-24q13 12 0 24q12-13 24 0q-12 13-24 0q13 12 0 24q-13-12 0-24q-12 13-24 0q12-13 24 0z"/>`,
  chief: `${DISC}<path class="line thick" d="M33 61l-3-24l11 10l9-16l9 16l11-10l-3 24zM34 68h32"/>`,
  hunter: `${DISC}<path class="mark" d="M50 49c8 0 16 8 16 14c0 8-9 6-16 6s-16 2-16-6c0-6 8-14 16-14z"/>
    <ellipse class="mark" cx="31" cy="48" rx="5" ry="7"/><ellipse class="mark" cx="43" cy="36" rx="5.5" ry="7.5"/>
    <ellipse class="mark" cx="57" cy="36" rx="5.5" ry="7.5"/><ellipse class="mark" cx="69" cy="48" rx="5" ry="7"/>`,
  khun: `<path class="body" d="M31 75c0-16 10-21 11-38h16c1 17 11 22 11 38z"/><path class="body" d="M44 31l6-23l6 23z"/>
    <rect class="body" x="40" y="30" width="20" height="8" rx="3"/><path class="line" d="M36 60h28M40 50h20"/>${FOOT}`,
  khon: `<path class="body" d="M32 75c0-17 14-20 16-42l2-10l2 10c2 22 16 25 16 42z"/><path class="line" d="M37 61h26"/>${FOOT}`,
  met: `<path class="body" d="M33 75c0-14 8-23 17-23s17 9 17 23z"/><circle class="body" cx="50" cy="46" r="7"/>${FOOT}`,
  ma: `<path class="body" d="M33 75c-1-14 8-18 11-27c-5 3-9 7-14 5c-5-2-5-8-2-12c6-7 8-15 17-20l2-8l7 7c15 4 20 19 18 36c-1 8-3 13-3 19z"/>
    <path class="line" d="M56 29c9 8 10 20 7 34"/><circle class="mark" cx="44" cy="34" r="3"/>${FOOT}`,
  ruea: `<path class="body" d="M32 56c0-24 36-24 36 0z"/><path class="line" d="M44 55v-16M56 55v-16"/>
    <path class="body" d="M13 45c10 13 64 13 74 0c-1 22-11 41-27 41h-20c-16 0-26-19-27-41z"/><path class="line" d="M22 66c16 6 40 6 56 0"/>`,
  bia: `<path class="body" d="M50 42c17 0 28 10 28 23s-11 21-28 21s-28-8-28-21s11-23 28-23z"/>
    <path class="line thick" d="M31 64c8-5 30-5 38 0"/><path class="line" d="M37 58v9M44 56v9M50 55v9M56 56v9M63 58v9"/>`,
};

const CHESS: Record<string, string> = { K: "khun", M: "met", S: "khon", N: "ma", R: "ruea", P: "bia" };

// The drawing of a kind: M is a man where there are no pawns, a met where there are.
function drawing(kind: string, color: Color, kinds: Record<string, string>): string {
  if ("P" in kinds) return CHESS[kind] ?? "bia";
  if (kind === "K") return "chief";
  if (kind === "H") return "hunter";
  return `man-${color}`;
}

// All drawings, to be put into the page once.
export function pieceSymbols(): SVGSVGElement {
  const sheet = svg("svg", { class: "symbols", "aria-hidden": "true", width: 0, height: 0 });
  for (const [name, shapes] of Object.entries(DRAWINGS)) {
    const symbol = svg("symbol", { id: `piece-${name}`, viewBox: "0 0 100 100" });
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
