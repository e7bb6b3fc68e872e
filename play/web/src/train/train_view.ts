// The view that watches training: the runs of this machine as they go on, two of them laid over each other.
import type { Backend, Checkpoint, GameQuery, Metrics, RatedPlayer, Run, Training } from "../backend/backend";
import { Board } from "../board/board";
import { plain } from "./chart";
import { Charts, gameFacts, reasonBars, type RunFigures } from "../board/diagrams";
import { button, fill, h, labelled, marked, messageOf, select } from "../dom";
import { later, number, plural, t, translated } from "../language";
import { Session } from "../play/session";
import { percent } from "../board/moves";
import { LossPanel } from "./loss_panel";
import { duration, verdict } from "./verdict";
import { WorkersPanel } from "./workers_panel";

const STEP_MS = 700; // Between the moves of a sample game.
const RUNS_MS = 3000; // Between looks for new runs.
const FORMATS = ["onnx", "web", "json"];

// Phases of a run in status.json, for the catalogues.
export const PHASES = [
  later("self-play"),
  later("self-play without a network"),
  later("learning"),
  later("learning beside self-play"),
];

// A run that is watched, and what it told so far.
interface Watched extends RunFigures {
  ladder: RatedPlayer[];
  status: Record<string, unknown>;
  end: () => void;
}

export class TrainView {
  readonly element: HTMLElement;
  private readonly chooser = h("div", { class: "controls" });
  private readonly verdict = h("p", { class: "verdict", role: "status" });
  private readonly facts = h("p", { class: "facts", role: "status" });
  private readonly progress = h("div", { class: "first-generation" }); // Until there is a run with a network.
  private readonly message = h("p", { class: "message error", role: "status" });
  private readonly lower = h("div", { class: "lower", hidden: true }); // Until there is a run.
  private readonly analyseSample = button(t("Analyse this game"), () => this.analyse(this.sample.query), {
    disabled: true,
  });
  private readonly charts = new Charts();
  private readonly reasons = h("div", { class: "reasons" });
  private readonly ends = h("div", {}, h("h3", {}, t("Why games end")), this.reasons);
  private readonly board = new Board({ label: t("The newest game of self-play") });
  private readonly caption = h("p", { class: "facts" });
  private readonly sampleGame = h(
    "div",
    { class: "sample", hidden: true }, // Until there is one.
    h("h3", {}, t("Newest game of self-play")),
    this.board.element,
    this.caption,
    h("div", { class: "buttons" }, this.analyseSample),
  );
  private readonly checkpoints = h("div", {
    class: "table-scroll",
    tabindex: 0,
    role: "region",
    "aria-label": t("Checkpoints"),
  });
  private readonly workers = new WorkersPanel();
  private readonly losses: LossPanel;
  private readonly training: Training;
  private readonly sample: Session;

  private runs: Run[] = [];
  private watched: Watched | null = null;
  private overlaid: Watched | null = null;
  private exports = new Map<string, HTMLElement>(); // By run and checkpoint.
  private listed = -1; // The generation for which the checkpoints were listed.
  private timers: number[] = [];
  private drawing = 0;

  constructor(
    backend: Backend,
    private readonly analyse: (query: GameQuery) => unknown,
  ) {
    this.training = backend.training!;
    this.losses = new LossPanel(this.analyse);
    this.sample = new Session(
      backend,
      () => this.board.show(this.sample.shown!),
      (error) => (this.caption.textContent = messageOf(error)),
    );
    this.element = h(
      "section",
      { class: "view train", "aria-label": t("Train") },
      this.chooser,
      this.verdict,
      this.facts,
      this.progress,
      this.message,
      this.charts.element,
      this.losses.element,
      this.lower,
    );
    fill(
      this.lower,
      this.sampleGame,
      h("div", {}, this.workers.element, this.ends, h("h3", {}, t("Checkpoints")), this.checkpoints),
    );
  }

  async enter(): Promise<void> {
    this.timers = [
      window.setInterval(() => void this.advance(), STEP_MS),
      window.setInterval(() => void this.lookForRuns(), RUNS_MS),
    ];
    try {
      this.runs = await this.training.runs();
      this.message.textContent = "";
    } catch (error) {
      this.message.textContent = messageOf(error);
      return;
    }
    if (this.timers.length === 0) return; // Left in the meantime.
    const names = this.runs.map((run) => run.name);
    const name = this.watched && names.includes(this.watched.name) ? this.watched.name : names[0];
    if (name) {
      this.choose(name);
      this.overlay(this.overlaid && names.includes(this.overlaid.name) ? this.overlaid.name : "");
    } else {
      const advice = t("There are no runs yet. Begin one with: {command}", {
        command: "makzero train makyek --preset quick",
      });
      fill(this.progress, h("p", { class: "summary" }, advice));
    }
  }

  leave(): void {
    this.timers.forEach(clearInterval);
    this.timers = [];
    this.watched?.end();
    this.overlaid?.end();
  }

  private async lookForRuns(): Promise<void> {
    const known = JSON.stringify(this.runs.map(runLabel));
    this.runs = await this.training.runs().catch(() => this.runs);
    if (JSON.stringify(this.runs.map(runLabel)) === known) return;
    if (!this.watched && this.runs[0]) this.choose(this.runs[0].name);
    this.drawChooser();
  }

  private choose(name: string): void {
    this.lower.hidden = false;
    this.watched?.end();
    this.listed = -1;
    this.sampleGame.hidden = true;
    this.losses.show(null);
    fill(this.checkpoints);
    this.watched = this.watch(name, true);
    if (this.overlaid?.name === name) this.overlay("");
    this.drawChooser();
  }

  private overlay(name: string): void {
    this.overlaid?.end();
    this.overlaid = name ? this.watch(name, false) : null;
    this.drawChooser();
    this.drawSoon();
  }

  private watch(name: string, main: boolean): Watched {
    const watched: Watched = { name, rows: [], ratings: [], smallRatings: [], ladder: [], status: {}, end: () => {} };
    watched.end = this.training.watch(name, {
      metrics: (row) => {
        // After a lost connection the history comes again.
        watched.rows = watched.rows.filter((one) => Number(one.generation) < Number(row.generation));
        watched.rows.push(row);
        this.drawSoon();
      },
      status: (status) => {
        watched.status = status;
        this.drawSoon();
      },
      ratings: (ratings) => {
        watched.ratings = ratings;
        this.drawSoon();
      },
      smallRatings: (ratings) => {
        watched.smallRatings = ratings;
        this.drawSoon();
      },
      ladder: (ladder) => {
        watched.ladder = ladder;
        this.drawSoon();
      },
      ...(main ? { game: (game) => void this.showSample(game), losses: (losses) => this.losses.show(losses) } : {}),
    });
    return watched;
  }

  // Once a frame, however many events there are.
  private drawSoon(): void {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.draw());
  }

  private drawChooser(): void {
    const runs = this.runs.map((run) => ({ value: run.name, label: runLabel(run) }));
    const run = select(runs, this.watched?.name ?? "", (name) => this.choose(name));
    run.name = "run";
    const other = select(
      [{ value: "", label: t("no other run") }, ...runs.filter((one) => one.value !== this.watched?.name)],
      this.overlaid?.name ?? "",
      (name) => this.overlay(name),
    );
    other.name = "overlay";
    fill(this.chooser, labelled(t("Run"), run), labelled(t("Compare with"), other));
  }

  private draw(): void {
    const { watched, overlaid } = this;
    if (!watched) return;
    this.verdict.textContent = verdict(watched.ratings, watched.ladder);
    this.facts.textContent = statusText(watched.status, watched.rows);
    fill(this.progress, ...damageOf(watched.status), ...firstGeneration(watched.status, watched.rows));
    this.workers.show(watched.status);
    this.charts.show(overlaid ? [watched, overlaid] : [watched]);
    const row = watched.rows.at(-1) ?? (watched.status.played as Metrics | undefined);
    this.ends.hidden = !row?.reasons;
    fill(this.reasons, reasonBars(row));
    const generation = Number(watched.status.generation ?? watched.rows.at(-1)?.generation ?? 0);
    if (generation !== this.listed) void this.listCheckpoints(watched.name, generation);
  }

  private async showSample(game: GameQuery & { result: string; reason?: string }): Promise<void> {
    this.caption.textContent = gameFacts(game.moves.length, game.result, game.reason);
    this.sampleGame.hidden = false;
    const query: GameQuery = { game: game.game, moves: game.moves, ...(game.start ? { start: game.start } : {}) };
    if (await this.sample.open(query)) await this.sample.goTo(0);
    this.analyseSample.disabled = this.sample.shown === null;
  }

  private async advance(): Promise<void> {
    if (!this.sample.shown || this.sample.query.moves.length === 0) return;
    await (this.sample.atEnd ? this.sample.goTo(0) : this.sample.step(1));
  }

  private async listCheckpoints(name: string, generation: number): Promise<void> {
    this.listed = generation;
    try {
      const checkpoints = await this.training.checkpoints(name);
      fill(this.checkpoints, this.checkpointTable(name, checkpoints));
    } catch (error) {
      this.message.textContent = messageOf(error);
    }
  }

  private checkpointTable(name: string, checkpoints: Checkpoint[]): HTMLElement {
    const heads = [t("Generation"), t("Elo"), t("Size"), t("Export")];
    return h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        {},
        ...checkpoints.map((one) =>
          h(
            "tr",
            {},
            h("td", {}, one.generation, one.best ? h("small", {}, ` ${t("best")}`) : null),
            h(
              "td",
              {},
              one.elo === undefined ? "–" : number(Math.round(one.elo)),
              one.eloLow === undefined ? null : h("small", {}, ` ${one.eloLow.toFixed(0)}…${one.eloHigh!.toFixed(0)}`),
            ),
            h("td", {}, one.bytes === undefined ? "–" : t("{size} KiB", { size: plain(one.bytes / 1024) })),
            h("td", {}, this.exportButtons(name, one)),
          ),
        ),
      ),
    );
  }

  // Buttons, which give way to what was exported; they last while the table around them is drawn anew.
  private exportButtons(name: string, checkpoint: Checkpoint): HTMLElement {
    const key = `${name}/${checkpoint.id}`;
    if (!this.exports.has(key)) {
      const cell = h("div", { class: "buttons small" });
      const { generation } = checkpoint;
      const label = (to: string) => t("Export generation {generation} as {format}", { generation, format: to });
      const run = (to: string) => void this.export(cell, name, checkpoint, to);
      cell.append(...FORMATS.map((to) => button(to, () => run(to), { "aria-label": label(to) })));
      this.exports.set(key, cell);
    }
    return this.exports.get(key)!;
  }

  private async export(cell: HTMLElement, name: string, checkpoint: Checkpoint, to: string): Promise<void> {
    fill(cell, h("span", { class: "summary" }, t("exporting {format} …", { format: to })));
    try {
      const files = await this.training.exportCheckpoint(name, checkpoint.id, to);
      const page = files.find((file) => file.name === "index.html");
      const links = page
        ? [h("a", { href: page.url, target: "_blank" }, t("open the page"))]
        : files.map((file) => h("a", { href: file.url, download: file.name.split("/").at(-1)! }, file.name));
      fill(cell, ...links);
    } catch (error) {
      fill(cell, h("span", { class: "error" }, messageOf(error)));
    }
  }
}

function runLabel(run: Run): string {
  return run.running ? t("{name} (running)", { name: run.name }) : run.name;
}

// When the run ends, where it has a limit of time; else how long a generation takes.
function remaining(status: Record<string, unknown>, rows: Metrics[]): string {
  if (!status.running) return "";
  if (typeof status.seconds_left === "number") return t("about {time} left", { time: duration(status.seconds_left) });
  const recent = rows.slice(-6).map((row) => Number(row.seconds));
  const spent = recent.at(-1)! - recent[0]!;
  if (recent.length < 2 || spent <= 0) return "";
  return t("a generation takes about {time}", { time: duration(spent / (recent.length - 1)) });
}

function statusText(status: Record<string, unknown>, rows: Metrics[]): string {
  const count = (key: string) => Number(status[key] ?? 0);
  if (status.generation === undefined) return "";
  const hours = Number(status.seconds ?? 0) / 3600;
  return [
    translated(String(status.phase ?? "")),
    t("generation {generation}", { generation: count("generation") }),
    plural("{count} game", "{count} games", count("games")),
    plural("{count} step", "{count} steps", count("steps")),
    t("{hours} h", { hours: number(hours, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) }),
    remaining(status, rows),
    status.elo === undefined ? "" : t("Elo {elo}", { elo: Math.round(count("elo")) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

// Files that the run has lost in whole or part, by its ledger.
function damageOf(status: Record<string, unknown>): HTMLElement[] {
  const damaged = (status.damaged ?? []) as string[];
  if (!damaged.length) return [];
  const text = t("Damaged: {files}; `makzero fsck RUN --repair` keeps what is good", { files: damaged.join("; ") });
  return [h("p", { class: "error", role: "alert" }, ...marked(text))];
}

// Progress of the first generation, before there is a network, and the games that it will learn from.
function firstGeneration(status: Record<string, unknown>, rows: Metrics[]): HTMLElement[] {
  const done = Number(status.done);
  const total = Number(status.total);
  if (rows.length > 0 || Number(status.generation) > 0 || !(total > 0)) return [];
  const share = Math.min(1, done / total);
  const values = { phase: translated(String(status.phase)), share: percent(share) };
  const left = Number(status.phase_seconds_left);
  const stand = !status.running
    ? t("It stopped before its first generation; the same command goes on.")
    : left > 0
      ? t("{phase}: {share}, about {time} left", { ...values, time: duration(left) })
      : t("{phase}: {share}", values);
  const played = (status.played ?? {}) as Metrics;
  const plies = Math.round(Number(played.plies ?? 0));
  const games = {
    count: Number(played.games ?? 0),
    plies,
    drawn: percent(Number(played.draw_share)),
    score: percent(Number(played.white_score)),
  };
  return [
    h(
      "p",
      {},
      t(
        "There is no network yet: games are played without one, the first generation learns from them, and the curves begin.",
      ),
    ),
    ...(status.running ? [h("progress", { max: 1, value: share, "aria-label": t("The first generation") })] : []),
    h("p", { class: "facts" }, stand),
    ...(games.count
      ? [
          h(
            "p",
            { class: "facts" },
            t("{count} games so far: {plies} plies on average, {drawn} drawn, White scores {score}", games),
          ),
        ]
      : []),
  ];
}
