// What was just played, as it happens: the mover glides, and the captured fall off the board.
import type { GameState } from "../backend/backend";
import { quietMotion, svg } from "../dom";
import { squaresOf } from "./moves";
import { pieceUse } from "./pieces";

const SQUARE = 100; // As on the board.

// `pieces` are drawn as the state has them; what falls is drawn in `falling` for a while.
export function animateMove(
  state: GameState,
  pieces: SVGGElement,
  falling: SVGGElement,
  place: (square: string) => { x: number; y: number },
): void {
  if (quietMotion()) return;
  const played = state.history.at(-1)!;
  const squares = squaresOf(played.move);
  const mover = squares && pieces.querySelector(`[data-square="${squares.to}"]`);
  if (mover && squares) {
    const to = place(squares.to);
    const from = squares.from ? place(squares.from) : null;
    const begin = from ? `translate(${from.x - to.x}px, ${from.y - to.y}px)` : "translate(0, -30px)";
    mover.animate(
      [
        { transform: begin, opacity: from ? 1 : 0 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 170, easing: "ease-out" },
    );
  }
  for (const piece of played.captures) {
    // Turns and shrinks around its middle: the origin of a group of its own.
    const { x, y } = place(piece.square);
    const ghost = pieceUse(piece, state.kinds, { x: -SQUARE / 2, y: -SQUARE / 2 });
    const middle = svg("g", { transform: `translate(${x + SQUARE / 2} ${y + SQUARE / 2})` }, ghost);
    falling.append(middle);
    ghost.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: "translateY(-14px) scale(1.04)", opacity: 1, offset: 0.25 },
        { transform: "translateY(70px) rotate(24deg) scale(0.55)", opacity: 0 },
      ],
      { duration: 620, delay: 120, easing: "ease-in", fill: "both" },
    ).onfinish = () => middle.remove();
  }
}
