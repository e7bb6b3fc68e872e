// What `makzero report` writes: a training that is over, or as it stood, without anybody to ask.
import type { GameQuery, GameState, Losses, Metrics, Piece, RatedPlayer, Rating } from "../backend/backend";
import { Board } from "../board/board";
import { chart, plain } from "./chart";
import { Charts, gameFacts, reasonBars } from "../board/diagrams";
import { h, labelled, select } from "../dom";
import { later, plural, t, translated } from "../language";
import { MoveList } from "../analyse/move_list";
import { percent } from "../board/moves";
import { Session } from "../play/session";
import { LossPanel } from "./loss_panel";
import { duration, verdict } from "./verdict";

export interface Report {
  name: string;
  game: string;
  metrics: Metrics[];
  ratings: Rating[];
  smallRatings: Rating[];
  ladder: RatedPlayer[];
  status: Record<string, unknown>;
  games: { generation: number; state: GameState; result: string; reason: string }[];
  losses: Losses | null;
  moverBias: number;
  calibration: { predicted: number; scored: number; positions: number }[];
  forecast: Forecast | null;
}

interface Forecast {
  eloPerDoubling: number;
  low: number;
  high: number;
  effort: keyof typeof EFFORTS;
  effortFor100: number; // Further effort, for the next 100 Elo.
}

// Costs of a training, by the figure of its generations.
const EFFORTS = {
  evaluations: {
    text: later(
      "Estimate: {elo} Elo ({low} to {high}) for each doubling of the evaluations lately; if that holds, the next 100 Elo take {count} more evaluations.",
    ),
    format: plain,
  },
  processor_seconds: {
    text: later(
      "Estimate: {elo} Elo ({low} to {high}) for each doubling of the processor time lately; if that holds, the next 100 Elo take {count} more.",
    ),
    format: duration,
  },
};

export function reportView(report: Report): HTMLElement {
  const losses = new LossPanel();
  losses.show(report.losses);
  const charts = new Charts();
  charts.show([{ ...report, rows: report.metrics }]);
  document.title = t("{name}: training report", { name: report.name });
  return h(
    "section",
    { class: "view train", "aria-label": t("Report") },
    h("h2", {}, report.name),
    h("p", { class: "verdict" }, verdict(report.ratings, report.ladder)),
    h("p", { class: "facts" }, facts(report)),
    h("p", { class: "facts" }, forecastText(report.forecast)),
    charts.element,
    report.calibration.length > 0 && h("div", { class: "charts" }, calibrationChart(report)),
    losses.element,
    report.games.length > 0 && sampleGames(report),
  );
}

function facts({ game, status, metrics }: Report): string {
  const count = (key: string) => Number(status[key] ?? 0);
  const processorSeconds = Number(metrics.at(-1)?.processor_seconds ?? 0);
  const parts = [
    t("generation {generation}", { generation: count("generation") }),
    plural("{count} game", "{count} games", count("games")),
    count("evaluations") > 0 && plural("{count} evaluation", "{count} evaluations", count("evaluations")),
    duration(count("seconds")),
    processorSeconds > 0 && t("{time} of processor time", { time: duration(processorSeconds) }),
  ];
  return `${game}: ${parts.filter(Boolean).join(", ")}`;
}

function forecastText(forecast: Report["forecast"]): string {
  if (!forecast) return t("No forecast: the ratings are too few, or rise by no more than they are uncertain.");
  const { eloPerDoubling, low, high, effort, effortFor100 } = forecast;
  const { text, format } = EFFORTS[effort];
  const values = { elo: plain(eloPerDoubling), low: plain(low), high: plain(high), count: format(effortFor100) };
  return translated(text, values);
}

// Expected against actual score of White, in per cent; the grey line is perfect judgement.
function calibrationChart({ calibration, moverBias }: Report): HTMLElement {
  const line = (value: (bin: Report["calibration"][number]) => number) =>
    calibration.map((bin) => ({ x: 100 * bin.predicted, y: value(bin) }));
  const size = { share: percent(Math.abs(moverBias)) };
  const bias =
    moverBias < 0
      ? t("the side to move is underrated by {share}", size)
      : t("the side to move is overrated by {share}", size);
  return chart(
    t("White's score by what the search expected, %: {bias}", { bias }),
    [
      { name: t("scored"), style: "series-1", points: line((bin) => bin.scored) },
      { name: t("expected"), style: "series-2 dashed", points: line((bin) => bin.predicted) },
    ],
    { x: "expected, %", y: "scored" },
    percent,
  );
}

function sampleGames(report: Report): HTMLElement {
  const board = new Board({ label: t("A game of self-play") });
  const caption = h("p", { class: "facts" });
  let game = report.games[report.games.length - 1]!;
  const session = new Session(
    { state: (query) => Promise.resolve(stateOf(game.state, query.moves.length)) },
    () => {
      board.show(session.shown!);
      moves.update();
    },
    (error) => (caption.textContent = String(error)),
  );
  const moves = new MoveList(session);
  const open = (index: number) => {
    game = report.games[index]!;
    caption.textContent = gameFacts(game.state.history.length, game.result, game.reason);
    const query: GameQuery = { game: game.state.game, moves: game.state.history.map((one) => one.move) };
    void session.open(query).then(() => session.goTo(0));
  };
  const chooser = select(
    report.games.map((one, index) => ({
      value: String(index),
      label: t("generation {generation}", { generation: one.generation }),
    })),
    String(report.games.length - 1),
    (value) => open(Number(value)),
  );
  open(report.games.length - 1);
  return h(
    "div",
    { class: "lower" },
    h("div", { class: "sample" }, h("h3", {}, t("Games of self-play")), labelled(t("Game"), chooser), board.element),
    h(
      "div",
      {},
      caption,
      moves.element,
      h("h3", {}, t("Why the last games ended")),
      h("div", { class: "reasons" }, reasonBars(report.metrics.at(-1))),
    ),
  );
}

// How the game stood after so many of its moves, from what its end tells.
function stateOf(end: GameState, moves: number): GameState {
  const position = moves > 0 ? end.history[moves - 1]!.position : end.start;
  const last = moves === end.history.length;
  return {
    ...end,
    position,
    pieces: piecesOf(position, end.width),
    history: end.history.slice(0, moves),
    legal: [],
    claims: [],
    check: last && end.check,
    checked: last ? end.checked : [],
    count: last ? end.count : null,
    toMove: position.split(" ")[1] === "b" ? "black" : "white",
    outcome: last ? end.outcome : { result: "*", reason: "", over: false },
  };
}

// The pieces of a position text: ranks from the top, "~" and hands aside.
function piecesOf(position: string, width: number): Piece[] {
  const pieces: Piece[] = [];
  const ranks = position
    .split(" ")[0]!
    .replace(/\[.*\]|~/g, "")
    .split("/");
  ranks.forEach((rank, index) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const square = `${"abcdefgh"[file]}${width - index}`;
      pieces.push({ square, color: letter === letter.toUpperCase() ? "white" : "black", kind: letter.toUpperCase() });
      file += 1;
    }
  });
  return pieces;
}
