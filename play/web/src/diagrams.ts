// What is drawn of a training: the figures of its generations as lines.
import type { Metrics, Rating } from "./backend";
import type { Axes, Line } from "./chart";
import { h } from "./dom";
import { percent } from "./moves";

export interface Diagram {
  title: string;
  unit: string; // Of the vertical axis.
  lines: { name: string; key: string }[];
  machine?: boolean; // Of the machine's work, not of what is learnt.
  format?: (value: number) => string;
  ofNetwork?: boolean; // Leaves out what was played without a network, the first generation: far too fast to compare.
}

export const DIAGRAMS: Diagram[] = [
  {
    title: "Loss",
    unit: "loss",
    lines: [
      { name: "policy", key: "loss/policy" },
      { name: "value", key: "loss/value" },
    ],
  },
  {
    title: "Loss on games held back",
    unit: "loss",
    lines: [
      { name: "policy", key: "validation/policy" },
      { name: "value", key: "validation/value" },
    ],
  },
  {
    title: "Games per second",
    unit: "games/s",
    lines: [{ name: "games/s", key: "self_play/games_per_second" }],
    machine: true,
    ofNetwork: true,
  },
  {
    title: "Evaluations per second",
    unit: "evaluations/s",
    machine: true,
    lines: [{ name: "evaluations/s", key: "self_play/evaluations_per_second" }],
    ofNetwork: true,
  },
  {
    title: "How games end",
    unit: "share of games",
    lines: [
      { name: "drawn", key: "games/draw_share" },
      { name: "won by the rules", key: "games/decisive_share" },
    ],
    format: percent,
  },
  { title: "White's score", unit: "score", lines: [{ name: "score", key: "games/white_score" }], format: percent },
  { title: "Length of a game, plies", unit: "plies", lines: [{ name: "plies", key: "games/plies" }] },
  { title: "Captures a game", unit: "captures", lines: [{ name: "captures", key: "games/captures" }] },
  { title: "Entropy of the policy", unit: "nats", lines: [{ name: "entropy", key: "policy_entropy" }] },
];

export const ELO_AXES: Axes = { x: "generation", y: "Elo" };

// The charts of what is learnt, and folded away those of the machine.
export function allCharts(draw: (diagram: Diagram, axes: Axes) => HTMLElement, open = false): HTMLElement[] {
  const drawn = (diagrams: Diagram[]) => diagrams.map((diagram) => draw(diagram, { x: "generation", y: diagram.unit }));
  const machine = h(
    "details",
    { class: "panel machine", open },
    h("summary", {}, "The machine"),
    h("div", { class: "charts" }, ...drawn(DIAGRAMS.filter((diagram) => diagram.machine))),
  );
  return [...drawn(DIAGRAMS.filter((diagram) => !diagram.machine)), machine];
}

export function metricPoints(rows: Metrics[], key: string, ofNetwork = false): Line["points"] {
  return rows.flatMap((row) => {
    const y = row[key];
    if (y === 0 && key.startsWith("validation/")) return []; // No game was held back yet.
    return typeof y === "number" && !(ofNetwork && row.evaluations === 0) ? [{ x: Number(row.generation), y }] : [];
  });
}

export function eloPoints(ratings: Rating[]): Line["points"] {
  return ratings.map(({ generation, elo, low, high }) => ({ x: generation, y: elo, low, high }));
}

// Why the games of a generation ended.
export function reasonBars(row: Metrics | undefined): HTMLElement {
  const reasons = Object.entries((row?.reasons ?? {}) as Record<string, number>).sort(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  return h(
    "dl",
    {},
    ...reasons.flatMap(([reason, count]) => [
      h("dt", {}, reason),
      h(
        "dd",
        {},
        h("progress", { max: total, value: count, "aria-label": reason }),
        h("small", {}, ` ${percent(count / total)}`),
      ),
    ]),
  );
}
