// What is drawn of a training: the figures of its generations as lines.
import type { Metrics, Rating } from "./backend";
import type { Line } from "./chart";
import { h } from "./dom";
import { later, plural, translated } from "./language";
import { percent } from "./moves";

export interface Diagram {
  title: string;
  lines: { name: string; key: string }[];
  format?: (value: number) => string;
  ofNetwork?: boolean; // Leaves out what was played without a network, the first generation: far too fast to compare.
}

export const DIAGRAMS: Diagram[] = [
  {
    title: later("Loss"),
    lines: [
      { name: later("policy"), key: "loss/policy" },
      { name: later("value"), key: "loss/value" },
    ],
  },
  {
    title: later("Loss on games held back"),
    lines: [
      { name: later("policy"), key: "validation/policy" },
      { name: later("value"), key: "validation/value" },
    ],
  },
  {
    title: later("Games per second"),
    lines: [{ name: later("games/s"), key: "self_play/games_per_second" }],
    ofNetwork: true,
  },
  {
    title: later("Evaluations per second"),
    lines: [{ name: later("evaluations/s"), key: "self_play/evaluations_per_second" }],
    ofNetwork: true,
  },
  {
    title: later("How games end"),
    lines: [
      { name: later("drawn"), key: "games/draw_share" },
      { name: later("won by the rules"), key: "games/decisive_share" },
    ],
    format: percent,
  },
  { title: later("White's score"), lines: [{ name: later("score"), key: "games/white_score" }], format: percent },
  { title: later("Length of a game, plies"), lines: [{ name: later("plies"), key: "games/plies" }] },
  { title: later("Captures a game"), lines: [{ name: later("captures"), key: "games/captures" }] },
  { title: later("Entropy of the policy"), lines: [{ name: later("entropy"), key: "policy_entropy" }] },
];

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
