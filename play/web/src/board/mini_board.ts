// Small still pictures of positions, for lists of games.
import type { Color } from "../backend/backend";
import { svg } from "../dom";
import { pieceUse } from "./pieces";

const SQUARE = 100;

// The first word of a position's text, "mmmm/8/...", drawn without its hands. Where the board is empty, the men wait in its middle.
export function miniBoard(position: string, kinds: Record<string, string>): SVGSVGElement {
  const rows = position
    .split(" ")[0]!
    .replace(/\[.*\]|~/g, "")
    .split("/");
  const size = rows.length * SQUARE;
  const lines = rows.map((_, i) => `M${i * SQUARE} 0v${size}M0 ${i * SQUARE}h${size}`).join("");
  const picture = svg(
    "svg",
    { class: "mini-board", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    svg("rect", { class: "surface", width: size, height: size }),
    svg("path", { class: "lines", d: lines }),
  );
  const add = (letter: string, x: number, y: number, side = SQUARE) => {
    const color: Color = letter === letter.toUpperCase() ? "white" : "black";
    picture.append(pieceUse({ kind: letter.toUpperCase(), color }, kinds, { x, y, size: side }));
  };
  let pieces = 0;
  rows.forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        x += Number(letter);
      } else {
        add(letter, x++ * SQUARE, y * SQUARE);
        pieces++;
      }
    }
  });
  if (pieces === 0) {
    const man = Object.keys(kinds)[0]!;
    add(man, size / 2 - 200, size / 2 - 100, 200);
    add(man.toLowerCase(), size / 2, size / 2 - 100, 200);
  }
  return picture;
}
