// What is drawn of a training: the figures of its generations as lines.
import type { Metrics, Rating } from "../backend/backend";
import { chart, type Line } from "../train/chart";
import { h } from "../dom";
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
}

// The charts of what is learnt, and folded away those of the machine, of one run or of several laid over each other.
// A diagram without a figure is left out.
export function charts(runs: RunFigures[], open = false): HTMLElement[] {
  const drawn = (diagrams: Diagram[]) =>
    diagrams.flatMap((diagram) => {
      const lines = linesOf(diagram, runs);
      const axes = { x: later("generation"), y: diagram.unit };
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

function linesOf(diagram: Diagram, runs: RunFigures[]): Line[] {
  return runs.flatMap((run, index) =>
    diagram.lines.flatMap((line, color) => {
      const points = diagram.rating ? ratingPoints(run, line.key) : metricPoints(run.rows, line.key, diagram);
      const name = runs.length > 1 ? `${translated(line.name)}, ${run.name}` : translated(line.name);
      const legend = diagram.rating ? t("{name}, 95 % interval", { name }) : name;
      const style = `series-${color + 1}${index > 0 ? " dashed" : ""}`;
      return points.length > 0 ? [{ name, legend, style, points }] : [];
    }),
  );
}

// A run without a tower has no such loss, or one of 0.
const hasTower = (row: Metrics) => Boolean(row["loss/total"]);

function metricPoints(rows: Metrics[], key: string, { zeroIsNone, ofNetwork }: Diagram): Line["points"] {
  return rows.flatMap((row) => {
    const y = row[key];
    const bootstrapped = row.evaluations === 0 && hasTower(row);
    if (typeof y !== "number" || (zeroIsNone && y === 0) || (ofNetwork && bootstrapped)) return [];
    return [{ x: Number(row.generation), y }];
  });
}

// `ratings`, of all matches so far, are those of "elo". A small network beside a tower and a run of several games have
// ratings in their metrics only, as each was when it was made.
function ratingPoints({ rows, ratings }: RunFigures, key: string): Line["points"] {
  if (key === "elo" && ratings.length > 0)
    return ratings.map(({ generation, elo, low, high }) => ({ x: generation, y: elo, low, high }));
  const points = rows
    .filter((row) => key in row)
    .map((row) => ({
      x: Number(row[key.replace("elo", "rated_generation")]),
      y: Number(row[key]),
      low: Number(row[`${key}_low`]),
      high: Number(row[`${key}_high`]),
    }));
  return [...new Map(points.map((point) => [point.x, point])).values()]; // A rating stands there until the next.
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
