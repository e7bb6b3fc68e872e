// What `makzero report` writes: a training that is over, or as it stood, without anybody to ask.
import type { GameQuery, GameState, Metrics, Piece, RatedPlayer, Rating } from "./backend";
import { Board } from "./board";
import { chart, plain } from "./chart";
import { allCharts, ELO_AXES, eloPoints, metricPoints, reasonBars } from "./diagrams";
import { h, labelled, select } from "./dom";
import { MoveList } from "./move_list";
import { percent } from "./moves";
import { Session } from "./session";
import { verdict } from "./verdict";

export interface Report {
  name: string;
  game: string;
  metrics: Metrics[];
  ratings: Rating[];
  ladder: RatedPlayer[];
  status: Record<string, unknown>;
  games: { generation: number; state: GameState; result: string; reason: string }[];
  moverBias: number;
  calibration: { predicted: number; scored: number; positions: number }[];
  forecast: { eloPerDoubling: number; low: number; high: number; evaluationsFor100: number } | null;
}

export function reportView(report: Report): HTMLElement {
  document.title = `${report.name}: training report`;
  return h(
    "section",
    { class: "view train", "aria-label": "Report" },
    h("h2", {}, report.name),
    h("p", { class: "verdict" }, verdict(report.ratings, report.ladder)),
    h("p", { class: "facts" }, facts(report)),
    h("p", { class: "facts" }, forecastText(report.forecast)),
    h(
      "div",
      { class: "charts" },
      chart(
        "Elo on the ladder, random play = 0",
        [{ name: "Elo", legend: "Elo, 95 % interval", style: "series-1", points: eloPoints(report.ratings) }],
        ELO_AXES,
      ),
      ...allCharts((diagram, axes) =>
        chart(
          diagram.title,
          diagram.lines.map(({ name, key }, index) => ({
            name,
            style: `series-${index + 1}`,
            points: metricPoints(report.metrics, key, diagram.ofNetwork),
          })),
          axes,
          diagram.format,
        ),
      ),
      calibrationChart(report),
    ),
    report.games.length > 0 && sampleGames(report),
  );
}

function facts({ game, status }: Report): string {
  const number = (key: string) => plain(Number(status[key] ?? 0));
  const hours = Number(status.seconds ?? 0) / 3600;
  return `${game}: ${number("generation")} generations, ${number("games")} games, ${number("evaluations")} evaluations, ${plain(hours)} hours`;
}

function forecastText(forecast: Report["forecast"]): string {
  if (!forecast) return "No forecast: the ratings are too few, or rise by no more than they are uncertain.";
  const { eloPerDoubling, low, high, evaluationsFor100 } = forecast;
  return `Estimate: ${plain(eloPerDoubling)} Elo (${plain(low)} to ${plain(high)}) for each doubling of the evaluations lately; if that holds, the next 100 Elo take ${plain(evaluationsFor100)} more evaluations.`;
}

// Expected against actual score of White, in per cent; the grey line is perfect judgement.
function calibrationChart({ calibration, moverBias }: Report): HTMLElement {
  const line = (value: (bin: Report["calibration"][number]) => number) =>
    calibration.map((bin) => ({ x: 100 * bin.predicted, y: value(bin) }));
  const bias = `the side to move is ${moverBias < 0 ? "under" : "over"}rated by ${percent(Math.abs(moverBias))}`;
  return chart(
    `White's score by what the search expected, %: ${bias}`,
    [
      { name: "scored", style: "series-1", points: line((bin) => bin.scored) },
      { name: "expected", style: "series-2 dashed", points: line((bin) => bin.predicted) },
    ],
    { x: "expected, %", y: "scored" },
    percent,
  );
}

function sampleGames(report: Report): HTMLElement {
  const board = new Board({ label: "A game of self-play" });
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
    caption.textContent = `${game.state.history.length} plies, ${game.result}, ${game.reason}`;
    const query: GameQuery = { game: game.state.game, moves: game.state.history.map((one) => one.move) };
    void session.open(query).then(() => session.goTo(0));
  };
  const chooser = select(
    report.games.map((one, index) => ({ value: String(index), label: `generation ${one.generation}` })),
    String(report.games.length - 1),
    (value) => open(Number(value)),
  );
  open(report.games.length - 1);
  return h(
    "div",
    { class: "lower" },
    h("div", { class: "sample" }, h("h3", {}, "Games of self-play"), labelled("Game", chooser), board.element),
    h(
      "div",
      {},
      caption,
      moves.element,
      h("h3", {}, "Why the last games ended"),
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
