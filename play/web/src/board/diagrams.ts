// What is drawn of a training: the figures of its generations as lines.
import type { Metrics, Rating } from "../backend/backend";
import { chart, type Line } from "../train/chart";
import { fill, h, labelled, select } from "../dom";
import { later, plural, translated, t } from "../language";
import { percent } from "./moves";

interface Diagram {
  title: string;
  unit: string; // Of the vertical axis.
  lines: { name: string; key: string }[];
  machine?: boolean; // Of the machine's work, not of what is learnt.
  format?: (value: number) => string;
  rating?: boolean; // Elo with its interval.
  zeroIsNone?: boolean; // Leaves out figures of 0: there is no tower, or no game was held back yet.
  ofNetwork?: boolean; // Leaves out a tower's first generation, played without a network: far too fast to compare.
}

const DIAGRAMS: Diagram[] = [
  {
    title: later("Elo on the ladder, random play = 0"),
    unit: later("Elo"),
    lines: [
      { name: later("Elo"), key: "elo" }, // Of the tower, if there is one.
      { name: later("small network"), key: "small/elo" }, // Of the one beside a tower.
    ],
    rating: true,
  },
  {
    title: later("Loss"),
    unit: later("loss"),
    lines: [
      { name: later("policy"), key: "loss/policy" },
      { name: later("value"), key: "loss/value" },
    ],
    zeroIsNone: true,
  },
  {
    title: later("Loss on games held back"),
    unit: later("loss"),
    lines: [
      { name: later("policy"), key: "validation/policy" },
      { name: later("value"), key: "validation/value" },
      { name: later("policy, annealed"), key: "annealed/policy" },
      { name: later("value, annealed"), key: "annealed/value" },
    ],
    zeroIsNone: true,
  },
  {
    title: later("Loss of the small network"),
    unit: later("loss"),
    lines: [
      { name: later("games learnt from"), key: "small/loss" },
      { name: later("games held back"), key: "small/validation" },
      { name: later("least possible, games held back"), key: "small/entropy" },
    ],
    zeroIsNone: true,
  },
  {
    title: later("Moves of deep searches that the policy ranks first"),
    unit: later("share"),
    lines: [
      { name: later("network"), key: "baseline/agreement" },
      { name: later("annealed"), key: "annealed/baseline_agreement" },
    ],
    format: percent,
  },
  {
    title: later("Distance of values from deep searches"),
    unit: later("squared"),
    lines: [
      { name: later("network"), key: "baseline/value" },
      { name: later("annealed"), key: "annealed/baseline_value" },
    ],
  },
  {
    title: later("Games per second"),
    unit: later("games/s"),
    lines: [{ name: later("games/s"), key: "self_play/games_per_second" }],
    machine: true,
    ofNetwork: true,
  },
  {
    title: later("Evaluations per second"),
    unit: later("evaluations/s"),
    machine: true,
    lines: [{ name: later("evaluations/s"), key: "self_play/evaluations_per_second" }],
    zeroIsNone: true,
    ofNetwork: true,
  },
  {
    title: later("Positions per second of the small network's search, one core"),
    unit: later("positions/s"),
    machine: true,
    lines: [{ name: later("positions/s"), key: "small/nodes_per_second" }],
  },
  {
    title: later("Time that the machine computes in self-play"),
    unit: later("share"),
    machine: true,
    lines: [
      { name: later("cores"), key: "self_play/core_share" },
      { name: later("card"), key: "self_play/card_share" },
    ],
    format: percent,
  },
  {
    title: later("Processor time of self-play that the small network takes"),
    unit: later("share"),
    machine: true,
    lines: [{ name: later("small network"), key: "small/time_share" }],
    format: percent,
  },
  {
    title: later("Where the time of a generation goes"),
    unit: later("seconds"),
    machine: true,
    lines: [
      { name: later("self-play"), key: "time/self_play" },
      { name: later("learning"), key: "time/learning" },
      { name: later("rating"), key: "time/rating" },
      { name: later("waiting"), key: "time/waiting" },
    ],
  },
  {
    title: later("How often a position is learnt from"),
    unit: later("times"),
    machine: true,
    lines: [{ name: later("times"), key: "replay_ratio" }],
    zeroIsNone: true,
  },
  {
    title: later("How games end"),
    unit: later("share of games"),
    lines: [
      { name: later("drawn or cut"), key: "games/draw_share" },
      { name: later("won by the rules"), key: "games/decisive_share" },
      { name: later("cut"), key: "games/cut_share" },
      { name: later("adjudicated"), key: "games/adjudicated_share" },
    ],
    format: percent,
  },
  {
    title: later("White's score"),
    unit: later("score"),
    lines: [{ name: later("score"), key: "games/white_score" }],
    format: percent,
  },
  {
    title: later("Length of a game, plies"),
    unit: later("plies"),
    lines: [{ name: later("plies"), key: "games/plies" }],
  },
  {
    title: later("Captures a game"),
    unit: later("captures"),
    lines: [{ name: later("captures"), key: "games/captures" }],
  },
  {
    title: later("Entropy of the policy"),
    unit: later("nats"),
    lines: [{ name: later("entropy"), key: "policy_entropy" }],
    zeroIsNone: true,
  },
  {
    title: later("Surprise: how far a search moves the policy"),
    unit: later("nats"),
    lines: [{ name: later("surprise"), key: "games/surprise" }],
    zeroIsNone: true,
  },
];

// The figures of a run so far.
export interface RunFigures {
  name: string;
  rows: Metrics[];
  ratings: Rating[];
  smallRatings: Rating[]; // Of the small network beside a tower.
}

// Figures that curves are drawn over, where every generation of every run has it.
interface Axis {
  key: string; // Of a generation's figures.
  name: string;
  units: { name: string; size: number }[]; // The largest first.
}

// The first is the default of a run with a tower, the last of one without.
const AXES: Axis[] = [
  { key: "generation", name: later("generation"), units: [{ name: later("generation"), size: 1 }] },
  {
    key: "processor_seconds",
    name: later("processor time"),
    units: [
      { name: later("processor time, hours"), size: 3600 },
      { name: later("processor time, minutes"), size: 60 },
      { name: later("processor time, seconds"), size: 1 },
    ],
  },
];

const MARKS = 4; // Whole numbers that an axis should reach in its unit.

// The charts of what is learnt, and folded away those of the machine, of one run or of several laid over each other,
// with the choice of what they are drawn over. A diagram without a figure is left out.
export class Charts {
  readonly element: HTMLElement;
  private readonly choice = select(
    AXES.map(({ key, name }) => ({ value: key, label: translated(name) })),
    "",
    () => this.show(this.runs, this.choice.value),
    { name: "axis" },
  );
  private readonly chooser = h("div", { class: "controls", hidden: true }, labelled(t("Curves over"), this.choice));
  private readonly drawn = h("div", { class: "charts" });
  private runs: RunFigures[] = [];
  private chosen = ""; // The key of an axis.

  constructor() {
    this.element = h("div", {}, this.chooser, this.drawn);
  }

  // REQUIRES: a run; the first is the one that the others are compared with.
  show(runs: RunFigures[], chosen = this.chosen): void {
    this.runs = runs;
    this.chosen = chosen;
    const has = ({ rows }: RunFigures, { key }: Axis) =>
      rows.length > 0 && rows.every((row) => typeof row[key] === "number");
    const axes = AXES.filter((axis) => runs.every((run) => has(run, axis)));
    const usual = axes.at(runs[0]!.rows.some(hasTower) ? 0 : -1) ?? AXES[0]!;
    const axis = axes.find(({ key }) => key === chosen) ?? usual;
    for (const option of this.choice.options) option.disabled = !axes.some(({ key }) => key === option.value);
    this.choice.value = axis.key;
    this.chooser.hidden = axes.length < 2;
    const open = this.drawn.querySelector<HTMLDetailsElement>(".machine")?.open ?? false;
    fill(this.drawn, ...charts(runs, axis, open));
  }
}

function charts(runs: RunFigures[], { key, units }: Axis, open: boolean): HTMLElement[] {
  const end = Math.max(...runs.map(({ rows }) => Number(rows.at(-1)?.[key] ?? 0)));
  const unit = units.find(({ size }) => end >= MARKS * size) ?? units.at(-1)!;
  const place = (row: Metrics) => Number(row[key]) / unit.size;
  const drawn = (diagrams: Diagram[]) =>
    diagrams.flatMap((diagram) => {
      const lines = linesOf(diagram, runs, place);
      const axes = { x: unit.name, y: diagram.unit };
      return lines.length > 0 ? [chart(translated(diagram.title), lines, axes, diagram.format)] : [];
    });
  const machine = drawn(DIAGRAMS.filter((diagram) => diagram.machine));
  const folded = h(
    "details",
    { class: "panel machine", open },
    h("summary", {}, t("The machine")),
    h("div", { class: "charts" }, ...machine),
  );
  return [...drawn(DIAGRAMS.filter((diagram) => !diagram.machine)), ...(machine.length > 0 ? [folded] : [])];
}

// Where a generation lies on the axis.
type Place = (row: Metrics) => number;

function linesOf(diagram: Diagram, runs: RunFigures[], place: Place): Line[] {
  return runs.flatMap((run, index) =>
    diagram.lines.flatMap((line, color) => {
      const points = diagram.rating
        ? ratingPoints(run, line.key, place)
        : metricPoints(run.rows, line.key, diagram, place);
      const name = runs.length > 1 ? `${translated(line.name)}, ${run.name}` : translated(line.name);
      const legend = diagram.rating ? t("{name}, 95 % interval", { name }) : name;
      const style = `series-${color + 1}${index > 0 ? " dashed" : ""}`;
      return points.length > 0 ? [{ name, legend, style, points }] : [];
    }),
  );
}

// A run without a tower has no such loss, or one of 0.
const hasTower = (row: Metrics) => Boolean(row["loss/total"]);

function metricPoints(rows: Metrics[], key: string, { zeroIsNone, ofNetwork }: Diagram, place: Place): Line["points"] {
  return rows.flatMap((row) => {
    const y = row[key];
    const bootstrapped = row.evaluations === 0 && hasTower(row);
    if (typeof y !== "number" || (zeroIsNone && y === 0) || (ofNetwork && bootstrapped)) return [];
    return [{ x: place(row), y }];
  });
}

// A rated generation without figures has a place among generations only.
function ratingPoints(run: RunFigures, key: string, place: Place): Line["points"] {
  const rows = new Map(run.rows.map((row) => [row.generation, row]));
  return ratingsOf(run, key)
    .map(({ generation, elo, low, high }) => ({ x: place(rows.get(generation) ?? { generation }), y: elo, low, high }))
    .filter(({ x }) => !Number.isNaN(x));
}

// By all matches so far. A run of several games has ratings in its metrics only, as each was when it was made.
function ratingsOf({ rows, ratings, smallRatings }: RunFigures, key: string): Rating[] {
  const ofMatches = key === "elo" ? ratings : smallRatings;
  if (ofMatches.length > 0) return ofMatches;
  const rated = rows
    .filter((row) => key in row)
    .map((row) => ({
      generation: Number(row[key.replace("elo", "rated_generation")]),
      elo: Number(row[key]),
      low: Number(row[`${key}_low`]),
      high: Number(row[`${key}_high`]),
    }));
  return [...new Map(rated.map((one) => [one.generation, one])).values()]; // A rating stands there until the next.
}

// "57 plies, 1-0, no piece left".
export function gameFacts(plies: number, result: string, reason?: string): string {
  const length = plural("{count} ply", "{count} plies", plies);
  return [length, result, reason ? translated(reason) : ""].filter(Boolean).join(", ");
}

// Why the games of a generation ended.
export function reasonBars(row: Metrics | undefined): HTMLElement {
  const reasons = Object.entries((row?.reasons ?? {}) as Record<string, number>).sort(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  return h(
    "dl",
    {},
    ...reasons.flatMap(([reason, count]) => [
      h("dt", {}, translated(reason)),
      h(
        "dd",
        {},
        h("progress", { max: total, value: count, "aria-label": translated(reason) }),
        h("small", {}, ` ${percent(count / total)}`),
      ),
    ]),
  );
}
