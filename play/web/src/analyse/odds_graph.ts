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

  // `expected[n]` is White's expected result after n moves in [0, 1], where it is known.
  // While it is still being found out the curve stops before the first place that is not known.
  show(expected: (number | undefined)[], marks: GraphMark[], cursor: number, running: boolean): void {
    this.last = Math.max(1, expected.length - 1);
    this.marks = marks;
    const known = expected.flatMap((value, turn) => (value === undefined ? [] : [{ turn, value }]));
    const last = running ? lastInRow(expected) : Infinity;
    const drawn = known.filter(({ turn }) => turn <= last);
    const points = drawn.map(({ turn, value }) => `${this.x(turn)},${this.y(value)}`);
    const [first = 0, final = 0] = [drawn[0]?.turn, drawn.at(-1)?.turn];
    const area = `${this.x(first)},${HEIGHT} ${points.join(" ")} ${this.x(final)},${HEIGHT}`;
    const unknown = running ? final : this.last;
    this.drawing.setAttribute("aria-label", this.words(running ? undefined : known.at(-1)?.value, marks.length));
    fill(
      this.drawing,
      svg("polygon", { class: "white", points: area }),
      svg("rect", { class: "unknown", x: this.x(unknown), y: 0, width: this.x(this.last - unknown), height: HEIGHT }),
      svg("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { class: "line", points: points.join(" ") }),
      svg("line", { class: "now", x1: this.x(cursor), x2: this.x(cursor), y1: 0, y2: HEIGHT }),
      ...marks.flatMap(({ turn, kind, title }) => {
        const d = `M${this.x(turn)} ${this.y(expected[turn] ?? 0.5)}h0`; // Its round end is the dot, however wide the graph.
        return [svg("path", { class: "halo", d }), svg("path", { class: `mark ${kind}`, d }, svg("title", {}, title))];
      }),
    );
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

// The last turn before a gap of more than one: declarations have no value of their own.
function lastInRow(expected: (number | undefined)[]): number {
  const gap = expected.findIndex((value, turn) => value === undefined && expected[turn + 1] === undefined);
  return gap < 0 ? expected.length - 1 : gap - 1;
}
