// Arrows on the board.
import { svg } from "../dom";
import { squaresOf } from "./moves";

export interface Arrow {
  move: string;
  share: number; // In [0, 1]: how strong it is drawn.
  kind: "visits" | "prior" | "hint" | "threat";
}

type Point = { x: number; y: number };

// On squares of 100 x 100, whose upper left corners `place` knows. A drop is a ring; a pass or declaration is nothing.
export function drawArrow(arrow: Arrow, place: (square: string) => Point): SVGElement | null {
  const squares = squaresOf(arrow.move);
  if (!squares) return null;
  const opacity = (0.25 + 0.65 * arrow.share).toFixed(2);
  const width = 5 + 17 * arrow.share;
  const end = place(squares.to);
  if (!squares.from) {
    const [cx, cy] = [end.x + 50, end.y + 50];
    return svg("circle", { class: `arrow ${arrow.kind} drop`, cx, cy, r: 34, opacity, "stroke-width": width });
  }
  const start = place(squares.from);
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const angle = ((Math.atan2(dy, dx) * 180) / Math.PI).toFixed(1);
  return svg("polygon", {
    class: `arrow ${arrow.kind}`,
    opacity,
    points: outline(Math.hypot(dx, dy), width),
    transform: `translate(${start.x + 50} ${start.y + 50}) rotate(${angle})`,
  });
}

// An arrow along the x axis from the middle of a square to the middle of another.
function outline(length: number, width: number): string {
  const head = width * 1.5 + 10;
  const shaft = length - head - 8;
  const upper = [`22,${-width / 2}`, `${shaft},${-width / 2}`, `${shaft},${-head * 0.62}`];
  const lower = [`${shaft},${head * 0.62}`, `${shaft},${width / 2}`, `22,${width / 2}`];
  return [...upper, `${length - 8},0`, ...lower].join(" ");
}
