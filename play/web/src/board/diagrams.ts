// What is drawn of a training: the figures of its generations as lines.
import type { Metrics, Rating } from "../backend/backend";
import type { Axes, Line } from "../train/chart";
import { h } from "../dom";
import { later, plural, translated, t } from "../language";
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
    title: later("Loss"),
    unit: later("loss"),
    lines: [
      { name: later("policy"), key: "loss/policy" },
      { name: later("value"), key: "loss/value" },
    ],
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
    ofNetwork: true,
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
    title: later("How often a position is learnt from"),
    unit: later("times"),
    machine: true,
    lines: [{ name: later("times"), key: "replay_ratio" }],
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
  },
  {
    title: later("Surprise: how far a search moves the policy"),
    unit: later("nats"),
    lines: [{ name: later("surprise"), key: "games/surprise" }],
  },
];

export const ELO_AXES: Axes = { x: later("generation"), y: later("Elo") };

// The charts of what is learnt, and folded away those of the machine.
export function allCharts(draw: (diagram: Diagram, axes: Axes) => HTMLElement, open = false): HTMLElement[] {
  const drawn = (diagrams: Diagram[]) =>
    diagrams.map((diagram) => draw(diagram, { x: later("generation"), y: diagram.unit }));
  const machine = h(
    "details",
    { class: "panel machine", open },
    h("summary", {}, t("The machine")),
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
