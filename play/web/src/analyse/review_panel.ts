// The review of a game beside its board: progress, the graph of the odds, and the mistakes with their better moves.
import type { Arrow } from "../board/arrow";
import type { Backend, GameQuery, GameState, Player } from "../backend/backend";
import { button, fill, h, messageOf } from "../dom";
import { t, translated } from "../language";
import { percent } from "../board/moves";
import { moveText, onNotation, type Written } from "../notation";
import { visitsOf } from "../play/strength";
import { OddsGraph } from "./odds_graph";
import { Review, sideText, type Mistake } from "./review";
import type { Variation } from "./variations";

const VISITS = 400; // Of a network, a position.

// The game that is reviewed: its main line.
export interface Reviewed {
  query: GameQuery;
  head: GameState;
  line: Variation[];
}

export interface ReviewPanelHandlers {
  game(): Promise<Reviewed | null>; // None: it cannot be opened.
  player(): Player | null; // None: nobody here can judge the game, or it is being opened.
  goTo(turn: number): void; // In the game that is reviewed.
  better(than: Variation, line: Written[]): void; // Instead of a move.
  annotated(): void; // What is said of its moves has changed.
}

export class ReviewPanel {
  readonly element: HTMLElement;
  private readonly begin = button(t("Review this game"), () => void this.start(), { class: "primary" });
  private readonly stopper = button(t("Stop the review"), () => this.review?.stop());
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": t("Positions that are reviewed") });
  private readonly state = h("p", { class: "facts", role: "status" });
  private readonly graph = new OddsGraph((turn) => this.on.goTo(turn));
  private readonly sides = h("p", { class: "facts" });
  private readonly list = h("ol", { class: "mistakes", "aria-label": t("Mistakes, the greatest first") });
  private review: Review | null = null;
  private reviewed: Reviewed | null = null;
  private running = false;
  private cursor = 0;

  constructor(
    private readonly backend: Backend,
    private readonly on: ReviewPanelHandlers,
  ) {
    this.element = h(
      "div",
      { class: "review", role: "group", "aria-label": t("Review") },
      h("div", { class: "buttons" }, this.begin, this.stopper),
      this.bar,
      this.state,
      this.graph.element,
      this.sides,
      this.list,
    );
    onNotation(() => this.draw());
    this.draw();
  }

  // Another game is shown: what was found of the last one is forgotten.
  forget(): void {
    this.review?.stop();
    this.review = null;
    this.reviewed = null;
    this.running = false;
    this.state.textContent = "";
    this.draw();
  }

  get busy(): boolean {
    return this.running;
  }

  // So many moves of the game that is reviewed are shown; null: a variation.
  look(cursor: number | null): void {
    this.cursor = cursor ?? this.cursor;
    this.draw();
  }

  // The better move where one was missed.
  arrows(cursor: number | null): Arrow[] {
    const mistake = this.review?.mistakes.find((one) => one.index === cursor);
    return mistake ? [{ move: mistake.line[0]!.move, share: 0.8, kind: "hint" }] : [];
  }

  async start(): Promise<void> {
    const player = this.on.player();
    const game = await this.on.game();
    if (!player || !game || this.running) return;
    const begun = performance.now();
    const review = new Review(this.backend, game.head, game.query, player.player, visitsOf(player, VISITS), {
      progress: (done, of) => this.progressed(review, done, of, performance.now() - begun),
    });
    this.review = review;
    this.reviewed = game;
    this.running = true;
    this.draw();
    this.element.scrollIntoView({ block: "nearest" });
    let words = "";
    try {
      words = (await review.run()) ? "" : t("The review was stopped.");
    } catch (error) {
      words = messageOf(error);
    }
    if (this.review !== review) return;
    this.running = false;
    this.state.textContent = words;
    this.annotate();
    this.draw();
  }

  private progressed(review: Review, done: number, of: number, milliseconds: number): void {
    if (this.review !== review) return;
    const left = done ? Math.ceil((milliseconds / done / 1000) * (of - done)) : null;
    this.bar.max = of;
    this.bar.value = done;
    this.state.textContent =
      left === null
        ? t("{done} of {of} positions", { done, of })
        : t("{done} of {of} positions, {left} s left", { done, of, left });
    this.draw();
  }

  // Writes what was found into the moves of the game.
  private annotate(): void {
    const { review, reviewed } = this;
    if (!review || !reviewed) return;
    for (const [index, move] of reviewed.line.entries()) {
      const position = review.positions[index + 1];
      if (position?.eval) move.eval = position.eval;
    }
    for (const { index, kind, line } of review.mistakes) {
      const move = reviewed.line[index]!;
      move.nags = [kind.nag, ...move.nags.filter((nag) => nag > 6)];
      const values = { judgement: translated(kind.word), better: moveText(line[0]!, "letters") };
      move.comment ||= t("{judgement}. {better} was best.", values);
      this.on.better(move, line);
    }
    this.on.annotated();
  }

  private draw(): void {
    const { review, running } = this;
    this.element.classList.toggle("begun", review !== null);
    this.begin.hidden = running;
    this.begin.disabled = !this.on.player();
    this.stopper.hidden = !running;
    this.bar.hidden = !running;
    this.graph.element.hidden = !review;
    if (!review) {
      this.sides.textContent = "";
      return fill(this.list);
    }
    const { mistakes } = review;
    const marks = mistakes.map((mistake) => ({
      turn: mistake.index + 1,
      kind: mistake.kind.word.toLowerCase() as "inaccuracy" | "mistake" | "blunder",
      title: this.words(mistake),
    }));
    this.graph.show(
      review.positions.map((position) => position?.expected),
      marks,
      this.cursor,
      running,
    );
    this.sides.textContent = running ? "" : `${sideText("white", mistakes)} ${sideText("black", mistakes)}`;
    fill(
      this.list,
      ...mistakes.map((mistake) =>
        h(
          "li",
          {},
          button(this.words(mistake), () => this.on.goTo(mistake.index), {
            "data-index": mistake.index,
            "aria-current": this.cursor === mistake.index ? "true" : null,
          }),
        ),
      ),
    );
  }

  // "12… Nd2??: 62 % to 31 %; better Kc2".
  private words({ index, side, kind, before, after, line }: Mistake): string {
    const { head } = this.reviewed!;
    const played = moveText(head.history[index]!);
    const number = this.reviewed!.line.slice(0, index + 1).filter(
      ({ mover, move }, i) => move !== "count" && move !== "stop" && (mover === "white" || i === 0),
    ).length;
    const place = `${number}${side === "white" ? "." : "…"} ${played}${kind.glyph}`;
    const values = { place, before: percent(before), after: percent(after), better: moveText(line[0]!) };
    return t("{place}: {before} to {after}; better {better}", values);
  }
}
