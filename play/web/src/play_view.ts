// The view in which a game is played: against a network or another player of the program, by two people, or watched.
import type { Backend, Color, GameInfo, GameQuery, GameState, LegalMove, Outcome, Search, Wdl } from "./backend";
import { Board } from "./board";
import { button, fill, h, messageOf } from "./dom";
import { capitalised, forWhite, moveLabel, movers, opponent } from "./moves";
import { MoveList } from "./move_list";
import { NewGameDialog, type Setup } from "./new_game";
import { isChess } from "./pieces";
import { PlayerStrip } from "./player_strip";
import { proofText } from "./proof";
import { RulesOffer } from "./rules_offer";
import { RulesPanel } from "./rules_panel";
import { Session } from "./session";
import { TextPanel } from "./text_panel";
import { WdlBar } from "./wdl_bar";

const HINT_VISITS = 400;
const JUDGE_VISITS = 48; // What is spent on judging a position for the bar.

export class PlayView {
  readonly element: HTMLElement;
  private readonly session: Session;
  private readonly board = new Board({
    onMove: (moves) => this.chosen(moves),
    label: "Board: arrow keys and Enter play",
  });
  private readonly strips = [new PlayerStrip(this.board), new PlayerStrip(this.board)] as const; // Above, below.
  private readonly notice = h("div", { class: "notice", role: "status", "aria-live": "polite" });
  private readonly alternatives = h("dialog", { class: "dialog", "aria-label": "Which move?" });
  private readonly actions = h("div", { class: "buttons" });
  private readonly moveNow = button("Move now", () => this.search?.stop());
  private readonly title = h("h2");
  private readonly wdl = new WdlBar();
  private readonly moves: MoveList;
  private readonly text: TextPanel;
  private readonly dialog: NewGameDialog;
  private readonly rules: RulesPanel;
  private readonly offer = new RulesOffer(() => this.rules.open());

  private setup: Setup;
  private flipped = false;
  private resigned: Color | null = null;
  private judgements: (Wdl | undefined)[] = []; // By number of moves.
  private judging = true; // The bar is shown.
  private search: Search | null = null;
  private searching: "move" | "hint" | "judgement" | null = null;
  private problem = "";

  constructor(
    private readonly backend: Backend,
    private readonly games: GameInfo[],
    setup: Setup,
    private readonly analyse: (query: GameQuery) => void,
  ) {
    this.setup = setup;
    this.session = new Session(
      backend,
      () => this.update(),
      (error) => this.report(error),
    );
    this.moves = new MoveList(this.session);
    this.text = new TextPanel(backend, this.session, (query) => this.load(query));
    this.rules = new RulesPanel(backend, () => this.offer.settle());
    this.dialog = new NewGameDialog(backend, games, (chosen) => this.begin(chosen));
    this.element = h(
      "section",
      { class: "view play", "aria-label": "Play" },
      h(
        "div",
        { class: "table" },
        this.strips[0].element,
        this.board.element,
        this.strips[1].element,
        this.wdl.element,
      ),
      h(
        "div",
        { class: "side" },
        h(
          "div",
          { class: "heading" },
          this.title,
          button("New game", () => void this.dialog.open(this.setup), { class: "primary" }),
        ),
        this.offer.element,
        this.notice,
        this.actions,
        this.moves.element,
        this.rules.element,
        this.text.element,
      ),
      this.dialog.element,
      this.alternatives,
    );
  }

  async begin(setup: Setup): Promise<void> {
    this.setup = setup;
    this.flipped = setup.human === "black";
    await this.load({ game: setup.game, moves: [] });
  }

  // Goes on with a game from its end.
  async load(query: GameQuery): Promise<void> {
    this.stopSearch();
    this.forget();
    if (query.game !== this.setup.game) await this.changeGame(query.game);
    await this.session.open(query);
  }

  get query(): GameQuery {
    return this.session.query;
  }

  // The view is left: nothing thinks behind it.
  leave(): void {
    this.stopSearch();
  }

  enter(): void {
    if (this.session.shown) this.update();
  }

  private async changeGame(game: string): Promise<void> {
    const players = await this.backend.players(game).catch(() => []);
    this.setup = { ...this.setup, game, player: players[0] ?? null, level: null };
  }

  private forget(): void {
    this.resigned = null;
    this.judgements = [];
    this.problem = "";
  }

  private get outcome(): Outcome {
    if (!this.resigned) return this.session.head!.outcome;
    return { result: this.resigned === "white" ? "0-1" : "1-0", reason: "resignation", over: true };
  }

  private plays(color: Color): boolean {
    return this.setup.human === "both" || this.setup.human === color || !this.setup.player;
  }

  private update(): void {
    const { shown, head, cursor, atEnd } = this.session;
    if (!shown || !head) return;
    if (this.searching === "move" ? !atEnd : this.searching !== null) this.stopSearch();
    const over = this.outcome.over;
    const interactive = atEnd && !over && this.plays(shown.toMove);
    this.title.textContent = shown.title;
    this.rules.show(shown.game, shown.title);
    this.offerRules(shown);
    this.board.show(shown, { interactive, flipped: this.flipped });
    this.board.annotate([]);
    this.drawStrips(shown);
    this.moves.update();
    void this.text.update();
    this.drawJudgement();
    // While another game is being opened its player must not be asked about this one.
    const settled = this.setup.game === this.session.query.game;
    if (settled && atEnd && !over && !interactive && !this.problem) void this.think();
    else if (settled && atEnd && !over && this.judgements[cursor] === undefined) void this.judge();
    this.drawNotice(shown);
    this.drawActions(shown);
  }

  private offerRules(state: GameState): void {
    const of = this.games.find((info) => info.game === state.game.split(":")[0])?.of ?? state.game;
    if (this.rules.element.open) return this.offer.settle(of);
    this.offer.show(of, this.games.find((info) => info.game === of)?.title ?? state.title);
  }

  private drawStrips(state: GameState): void {
    const below: Color = this.flipped ? "black" : "white";
    this.strips[0].show(state, opponent(below), this.nameOf(opponent(below)), this.thinks(opponent(below)));
    this.strips[1].show(state, below, this.nameOf(below), this.thinks(below));
  }

  private nameOf(color: Color): string {
    const side = capitalised(color);
    if (this.setup.human === "both" || !this.setup.player) return side;
    return `${side} · ${this.plays(color) ? "you" : this.setup.player.label}`;
  }

  private thinks(color: Color): boolean {
    return this.searching === "move" && this.session.head?.toMove === color;
  }

  private drawJudgement(): void {
    this.wdl.element.hidden = !this.judging || this.setup.player?.kind !== "network";
    const { cursor, query } = this.session;
    const history = Array.from({ length: query.moves.length + 1 }, (_, ply) => this.judgements[ply]);
    const known = this.judgements.slice(0, cursor + 1).findLast((wdl) => wdl !== undefined);
    this.wdl.update(known ?? null, history, cursor);
  }

  private drawNotice(state: GameState): void {
    const lines: HTMLElement[] = [];
    const line = (text: string, kind: string) => lines.push(h("p", { class: kind }, text));
    if (this.problem) line(this.problem, "error");
    if (this.outcome.over) line(outcomeText(this.outcome), "outcome");
    else if (!this.session.atEnd)
      line(`Looking back: after ${this.session.cursor} of ${this.session.query.moves.length} moves.`, "quiet");
    else if (state.check) line(checkText(state), "check");
    else if (this.mustPass(state)) line(`${capitalised(state.toMove)} cannot move and passes.`, "quiet");
    else if (Object.values(state.hands[state.toMove] ?? {}).some((count) => count > 0))
      line(`${capitalised(state.toMove)} drops a piece from the hand.`, "quiet");
    if (state.count) lines.push(countBanner(state.count));
    fill(this.notice, ...lines);
  }

  private mustPass(state: GameState): boolean {
    return state.legal.length === 1 && state.legal[0]!.pass === true;
  }

  private drawActions(state: GameState): void {
    const over = this.outcome.over;
    const mine = this.session.atEnd && !over && this.plays(state.toMove);
    const pass = mine && state.legal.find((move) => move.pass);
    fill(
      this.actions,
      pass ? button("Pass", () => void this.play(pass.move), { class: "primary" }) : null,
      ...(mine ? state.claims : []).map((claim) =>
        button(claim === "count" ? "Declare the count" : "Stop the count", () => void this.play(claim), {
          class: "primary",
        }),
      ),
      this.searching === "move" ? this.moveNow : null,
      this.problem ? button("Try again", () => this.retry(), { class: "primary" }) : null,
      button("Take back", () => void this.takeBack(), { disabled: this.session.query.moves.length === 0 }),
      button("Hint", () => void this.hint(), { disabled: !mine || !this.setup.player }),
      button("Resign", () => this.resign(), {
        disabled: over || !this.session.atEnd || this.setup.human === "neither",
      }),
      button("Flip", () => this.flip(), { "aria-pressed": String(this.flipped) }),
      this.setup.player?.kind === "network"
        ? button(this.judging ? "Hide odds" : "Show odds", () => this.toggleJudging(), {
            "aria-pressed": String(this.judging),
          })
        : null,
      button("Analyse", () => this.analyse(this.session.query)),
    );
  }

  private play(move: string): Promise<boolean> {
    this.stopSearch();
    return this.session.play(move);
  }

  // Where several moves share their squares the person says which is meant.
  private chosen(moves: LegalMove[]): void {
    if (moves.length === 1) return void this.play(moves[0]!.move);
    const choices = moves.map((move) =>
      button(move.captures.length ? `${move.move}, takes ${move.captures.join(" ")}` : move.move, () => {
        this.alternatives.close();
        void this.play(move.move);
      }),
    );
    fill(
      this.alternatives,
      h("h2", {}, "Which move?"),
      h(
        "div",
        { class: "buttons column" },
        ...choices,
        button("None", () => this.alternatives.close()),
      ),
    );
    this.alternatives.showModal();
  }

  private async think(): Promise<void> {
    if (this.searching === "move") return;
    const { player, level, visits } = this.setup;
    const limits = level !== null ? { level } : player!.kind === "network" ? { maxVisits: visits } : {};
    const result = await this.ask("move", { ...limits, reportDuringSearchEvery: 0.5 });
    if (result && this.session.atEnd) await this.session.play(result.best);
  }

  private async judge(): Promise<void> {
    if (!this.judging || this.setup.player?.kind !== "network") return;
    await this.ask("judgement", { maxVisits: JUDGE_VISITS });
  }

  private async hint(): Promise<void> {
    this.stopSearch();
    const network = this.setup.player?.kind === "network";
    const result = await this.ask("hint", network ? { maxVisits: HINT_VISITS } : {});
    if (!result) return;
    this.board.annotate([{ move: result.best, share: 0.8, kind: "hint" }]);
    const words = [`Hint: ${moveLabel(result.best)}`, proofText(result, this.session.shown!)].filter(Boolean);
    this.notice.append(h("p", { class: "quiet" }, `${words.join(". ")}.`));
  }

  // One search at a time. The answer is null when it was overtaken by something else.
  private async ask(purpose: NonNullable<PlayView["searching"]>, limits: object) {
    this.stopSearch();
    const { query, head } = this.session;
    const ply = query.moves.length;
    this.searching = purpose;
    this.moveNow.disabled = true; // Until there is a move.
    const search = this.backend.search({ ...query, player: this.setup.player!.player, ...limits }, (result) => {
      if (this.search !== search) return;
      this.moveNow.disabled = false;
      const best = result.moveInfos[0];
      if (best) this.judgements[ply] = forWhite(result.rootInfo.wdl ? result.rootInfo : best, head!.toMove);
      this.drawJudgement();
    });
    this.search = search;
    this.drawStrips(this.session.shown!);
    try {
      const result = await search.done;
      return this.search === search ? result : null;
    } catch (error) {
      if (this.search === search) this.report(error);
      return null;
    } finally {
      if (this.search === search) {
        this.search = null;
        this.searching = null;
      }
    }
  }

  private stopSearch(): void {
    const search = this.search;
    this.search = null;
    this.searching = null;
    search?.stop();
  }

  private report(error: unknown): void {
    this.problem = messageOf(error);
    if (!this.session.shown) return fill(this.notice, h("p", { class: "error" }, this.problem));
    this.drawNotice(this.session.shown);
    this.drawActions(this.session.shown);
  }

  private retry(): void {
    this.problem = "";
    this.update();
  }

  // Back to where the person was to move.
  private async takeBack(): Promise<void> {
    this.stopSearch();
    this.resigned = null;
    this.problem = "";
    const sides = movers(this.session.head!);
    let count = this.session.query.moves.length - 1;
    while (count > 0 && !this.plays(sides[count]!)) count--;
    this.judgements.length = Math.min(this.judgements.length, count + 1);
    await this.session.cut(count);
  }

  private resign(): void {
    this.stopSearch();
    const { human } = this.setup;
    this.resigned = human === "white" || human === "black" ? human : this.session.head!.toMove;
    this.update();
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.board.show(this.session.shown!, { interactive: this.interactive, flipped: this.flipped });
    this.drawStrips(this.session.shown!);
    this.drawActions(this.session.shown!);
  }

  private get interactive(): boolean {
    return this.session.atEnd && !this.outcome.over && this.plays(this.session.shown!.toMove);
  }

  private toggleJudging(): void {
    this.judging = !this.judging;
    this.update();
  }
}

export function outcomeText(outcome: Outcome): string {
  const winner = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw", "*": "Undecided" }[outcome.result];
  return outcome.reason ? `${winner}: ${outcome.reason}.` : `${winner}.`;
}

export function checkText(state: GameState): string {
  const side = capitalised(state.toMove);
  return isChess(state.kinds) ? `${side} is in check.` : `${side}'s king can be taken.`;
}

export function countBanner(count: NonNullable<GameState["count"]>): HTMLElement {
  return h(
    "div",
    { class: "count-banner" },
    h("span", {}, count.text),
    h("progress", { max: count.moveLimit, value: count.moves, "aria-label": "The count towards a draw" }),
  );
}
