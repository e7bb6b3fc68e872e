// How the odds went over a game: White's expected result by moves, with the mistakes on it. A click goes to a move.
import { fill, h, svg } from "../dom";
import { plural, t } from "../language";
import { percent } from "../board/moves";

const WIDTH = 400;
const HEIGHT = 120;
const REACH = 12; // Pixels of the drawing around a mistake that choose it.

export interface GraphMark {
  turn: number; // After so many moves.
  kind: "inaccuracy" | "mistake" | "blunder";
  title: string;
}

export class OddsGraph {
  readonly element: HTMLElement;
  private readonly drawing = svg("svg", {
    class: "odds-graph",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
  });
  private last = 1; // Moves of the game.
  private marks: GraphMark[] = [];

  constructor(goTo: (turn: number) => void) {
    this.drawing.addEventListener("click", (event) => goTo(this.turnAt(event)));
    this.element = h(
      "figure",
      { class: "odds" },
      h("figcaption", {}, h("span", {}, t("White wins above, Black wins below")), h("span", {}, t("moves →"))),
      this.drawing,
    );
  }

  // `expected[n]` is White's expected result after n moves in [0, 1], where it is known: elsewhere there is no curve.
  show(expected: (number | undefined)[], marks: GraphMark[], cursor: number, running: boolean): void {
    this.last = Math.max(1, expected.length - 1);
    this.marks = marks;
    const parts = knownParts(expected);
    this.drawing.setAttribute(
      "aria-label",
      this.words(running ? undefined : parts.at(-1)?.at(-1)?.value, marks.length),
    );
    fill(
      this.drawing,
      svg("rect", { class: "unknown", x: 0, y: 0, width: WIDTH, height: HEIGHT }),
      ...parts.flatMap((part) => this.curve(part)),
      svg("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("line", { class: "now", x1: this.x(cursor), x2: this.x(cursor), y1: 0, y2: HEIGHT }),
      ...marks.flatMap(({ turn, kind, title }) => {
        const d = `M${this.x(turn)} ${this.y(expected[turn] ?? 0.5)}h0`; // Its round end is the dot, however wide the graph.
        return [svg("path", { class: "halo", d }), svg("path", { class: `mark ${kind}`, d }, svg("title", {}, title))];
      }),
    );
  }

  // White's share below the curve, Black's above it.
  private curve(part: Known[]): SVGElement[] {
    const points = part.map(({ turn, value }) => `${this.x(turn)},${this.y(value)}`).join(" ");
    const [left, right] = [this.x(part[0]!.turn), this.x(part.at(-1)!.turn)];
    return [
      svg("polygon", { class: "black", points: `${left},0 ${points} ${right},0` }),
      svg("polygon", { class: "white", points: `${left},${HEIGHT} ${points} ${right},${HEIGHT}` }),
      svg("polyline", { class: "line", points }),
    ];
  }

  private words(now: number | undefined, mistakes: number): string {
    const end = now === undefined ? "" : t("At the end White expects {share}.", { share: percent(now) });
    const all = plural(
      "The odds over the game, with {count} mistake.",
      "The odds over the game, with {count} mistakes.",
      mistakes,
    );
    return `${all} ${end}`.trim();
  }

  private x(turn: number): string {
    return ((WIDTH * turn) / this.last).toFixed(1);
  }

  private y(expected: number): string {
    return (HEIGHT * (1 - expected)).toFixed(1);
  }

  // The mistake that is near, else the move there.
  private turnAt(event: MouseEvent): number {
    const box = this.drawing.getBoundingClientRect();
    const place = event.clientX - box.left;
    const pixels = (turn: number) => (box.width * turn) / this.last;
    const near = this.marks
      .map(({ turn }) => ({ turn, distance: Math.abs(pixels(turn) - place) }))
      .sort((a, b) => a.distance - b.distance)[0];
    if (near && near.distance < Math.min(REACH, box.width / this.last / 2)) return near.turn;
    return Math.round((this.last * place) / box.width);
  }
}

interface Known {
  turn: number;
  value: number;
}

// What is known, in parts without gaps of more than one turn: declarations have no value of their own.
function knownParts(expected: (number | undefined)[]): Known[][] {
  const parts: Known[][] = [];
  for (const [turn, value] of expected.entries()) {
    if (value === undefined) continue;
    const part = parts.at(-1);
    if (part && turn - part.at(-1)!.turn <= 2) part.push({ turn, value });
    else parts.push([{ turn, value }]);
  }
  return parts;
}
