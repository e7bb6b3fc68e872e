// The view in which a game is played: against a network or another player of the program, by two people, or watched.
import { ConnectionLost } from "../backend/backend";
import type {
  Backend,
  Color,
  GameDocument,
  GameInfo,
  GameQuery,
  GameState,
  LegalMove,
  Outcome,
  Wdl,
} from "../backend/backend";
import { sameGame } from "../address";
import { Board, type Premove } from "../board/board";
import { button, fill, h, messageOf } from "../dom";
import { countBanner, lossOf, outcomeOf, outcomeText, standing } from "./ending";
import type { KeptGame, KeptSeat } from "./kept_game";
import { forWhite, movers, opponent, sideName } from "../board/moves";
import { GameClock } from "./game_clock";
import { t, translated } from "../language";
import { MoveInput } from "../board/move_input";
import { MoveList } from "../analyse/move_list";
import { newSeed, NewGameDialog, type Setup } from "./new_game";
import { moveText } from "../notation";
import { NameDialog, ownName, ownTags } from "./own_game";
import { PlayerStrip } from "./player_strip";
import { predicted } from "../board/predict";
import { proofText } from "../analyse/proof";
import { Question } from "../question";
import { personOf, rematches } from "./rematch";
import { RulesOffer } from "./rules_offer";
import { RulesPanel } from "./rules_panel";
import type { Seat } from "./seat_picker";
import { Session } from "./session";
import { soundPart } from "./sound_part";
import { firstStrength, fitting, limitOf, opponentText, visitsOf } from "./strength";
import { dateText, detailsOf, playerText, seatText, type Details } from "../tags";
import { TextPanel } from "../text_panel";
import { Thinking, type Purpose } from "../analyse/thinking";
import { FIRST_PACE, seatOf, watches } from "./watch";
import { WdlBar } from "../analyse/wdl_bar";

const HINT_VISITS = 400;
const JUDGE_VISITS = 48; // What is spent on judging a position for the bar.
const VARIED_PLIES = 12; // First plies of a game in which nearly equal moves take turns.
const TIME_UP = "time forfeit"; // As an end is written.
const RETRY_MS = 2000; // Between attempts to reach a backend that has gone.

export class PlayView {
  readonly element: HTMLElement;
  private readonly session: Session;
  private readonly board = new Board({
    onMove: (moves) => this.chosen(moves),
    label: t("Board: arrow keys and Enter play"),
    sounds: true,
  });
  private readonly strips = [new PlayerStrip(this.board), new PlayerStrip(this.board)] as const; // Above, below.
  private readonly notice = h("div", { class: "notice", role: "status", "aria-live": "polite" });
  private readonly alternatives = new Question(t("Which move?"));
  private readonly actions = h("div", { class: "buttons" });
  private readonly moveNow = button(t("Move now"), () => this.thinking.finish());
  private readonly pause = button("", () => this.rest(!this.resting), { class: "primary" }); // Of a game that is watched.
  private readonly giveUp = new Question(t("Resign this game?"));
  private readonly title = h("h2");
  private readonly wdl = new WdlBar();
  private readonly moves: MoveList;
  private readonly text: TextPanel;
  private readonly dialog: NewGameDialog;
  private readonly rules: RulesPanel;
  private readonly nameDialog = new NameDialog(() => this.update());
  private readonly offer = new RulesOffer(() => this.rules.open());

  private setup: Setup;
  private flipped = false;
  private begun = false; // The game shown next is another than the one before.
  private ended: string | null = null; // Not by the rules: "0-1 resignation".
  private foreign = false; // The game is from elsewhere and nothing was played here: its result is nobody's here.
  private details: Details | null = null; // Of such a game, as its file has them.
  private date = dateText(new Date()); // On which the game began.
  private judgements: (Wdl | undefined)[] = []; // By number of moves.
  private judging = true; // The bar is shown.
  private readonly thinking: Thinking;
  private readonly clock = new GameClock(
    () => this.drawClocks(),
    () => this.timeUp(),
  );
  private problem = "";
  private fault = ""; // Of the address: it says more than can be; nobody thinks until the person has read that.
  private resting = false; // A game that is watched stands still.
  private premove: Premove | null = null; // Decided while the opponent thought.
  private unsent: string | null = null; // A move that the backend has not had yet.
  private retries = 0; // The timer of the next attempt.

  constructor(
    private readonly backend: Backend,
    private readonly games: GameInfo[],
    setup: Setup,
    private readonly on: {
      analyse: (document: GameDocument, at: number) => unknown;
      review: (document: GameDocument) => unknown;
      moved: (begun: boolean) => void; // The game, or where in it one looks, is another; begun: it is a new one.
    },
  ) {
    this.setup = setup;
    this.thinking = new Thinking(backend);
    this.session = new Session(
      backend,
      () => this.update(),
      (error) => this.report(error),
    );
    this.moves = new MoveList(this.session);
    const input = new MoveInput(
      backend,
      () => (this.interactive ? this.session.query : null),
      (move) => this.play(move),
    );
    this.text = new TextPanel(
      backend,
      this.session,
      (document) => this.load(document),
      () => this.document,
    );
    this.rules = new RulesPanel(backend, () => this.offer.settle());
    this.dialog = new NewGameDialog(backend, games, (chosen) => this.begin(chosen));
    this.element = h(
      "section",
      { class: "view play", "aria-label": t("Play") },
      h("div", { class: "table" }, this.strips[0].element, this.board.element, this.strips[1].element),
      h(
        "div",
        { class: "side" },
        h(
          "div",
          { class: "heading" },
          this.title,
          button(t("New game"), () => void this.dialog.open(this.setup), { class: "primary" }),
        ),
        this.offer.element,
        this.text.opened.element,
        this.notice,
        this.actions,
        this.wdl.element,
        this.moves.element,
        input.element,
        this.rules.element,
        this.text.element,
      ),
      this.dialog.element,
      this.alternatives.element,
      this.giveUp.element,
      this.nameDialog.element,
    );
  }

  async begin(setup: Setup): Promise<void> {
    this.setup = { ...setup, seed: newSeed() };
    this.clock.set(setup.clock);
    this.flipped = setup.human === "black";
    this.own();
    await this.show({ game: setup.game, moves: [] });
  }

  // The game is one of this page, whatever it was.
  private own(): void {
    this.foreign = false;
    this.details = null;
    this.date = dateText(new Date());
  }

  // Goes on with a game from elsewhere, without clocks; with as much of it as there can be.
  async load({ game, start, moves, ended, ...more }: GameDocument, at = moves.length): Promise<void> {
    const { query: sound, fault } = await soundPart(this.backend, { game, moves, ...(start && { start }) });
    const shown = sound ?? (this.opened ? this.session.query : { game: this.setup.game, moves: [] });
    this.dropClocks();
    this.foreign = true;
    this.details = detailsOf(more);
    await this.show(shown, Math.min(at, shown.moves.length), ended ?? null, fault);
  }

  private dropClocks(): void {
    this.setup = { ...this.setup, clock: null };
    this.clock.set(null);
  }

  private async show(
    query: GameQuery,
    at = query.moves.length,
    ended: string | null = null,
    fault = "",
  ): Promise<void> {
    const before = this.setup;
    this.text.opened.forget();
    this.leave();
    this.forget();
    this.fault = fault;
    this.ended = ended;
    if (query.game !== this.setup.game || !this.setup.player) await this.changeGame(query.game);
    this.begun = true;
    const opened = await this.session.open(query);
    if (!opened && this.session.query.game === before.game) this.setup = before;
    if (opened && at !== query.moves.length) await this.session.goTo(at);
  }

  // Goes on with a game as it was kept, with its opponent.
  async resume(kept: KeptGame, at: number): Promise<void> {
    const players = await this.backend.players(kept.query.game).catch(() => []);
    const seat = ({ player: name, level, visits }: KeptSeat): Seat => {
      const player = players.find((one) => one.player === name) ?? players[0] ?? null;
      return { player, ...fitting(player, { level, visits }) };
    };
    const { human, seed, pace, clock = null } = kept;
    const white = kept.white ? seat(kept.white) : null;
    this.setup = { game: kept.query.game, human, ...seat(kept), seed, clock, white, pace };
    this.clock.set(this.setup.clock, kept.left);
    this.flipped = kept.flipped;
    this.foreign = kept.foreign ?? false;
    this.details = kept.details ?? null;
    this.date = kept.date ?? this.date;
    await this.show(kept.query, at, kept.ended ?? null);
  }

  // The game from the address: the one that is there, perhaps at another place, or another one.
  async open(query: GameQuery, at: number): Promise<void> {
    if (sameGame(query, this.session.query)) await this.session.goTo(at);
    else await this.load(query, at);
  }

  get opened(): boolean {
    return this.session.shown !== null;
  }

  get query(): GameQuery {
    return this.session.query;
  }

  get at(): number {
    return this.session.cursor;
  }

  get kept(): KeptGame {
    const { human, player, level, visits, seed, clock } = this.setup;
    const { ended, flipped, foreign, details, date } = this;
    const { pace, white: seat } = this.setup;
    const white = seat ? { ...seat, player: seat.player?.player ?? null } : null;
    const setup = { human, player: player?.player ?? null, level, visits, seed, clock, white, pace };
    return { query: this.session.query, ...setup, ended, flipped, foreign, details, date, left: this.clock.kept };
  }

  walk(to: "back" | "on" | "start" | "end"): void {
    void this.session.walk(to);
  }

  // The view is left: nothing thinks behind it.
  leave(): void {
    clearTimeout(this.retries);
    this.clock.pause();
    this.thinking.stop();
  }

  enter(): void {
    if (this.problem) void this.retry();
    else if (this.session.shown) this.update();
  }

  private async changeGame(game: string): Promise<void> {
    const players = await this.backend.players(game).catch(() => []);
    const player = players[0] ?? null;
    this.setup = { ...this.setup, ...firstStrength(player), game, player };
  }

  private forget(): void {
    this.fault = "";
    this.ended = null;
    this.judgements = [];
    this.problem = "";
    this.unsent = null;
    this.premove = null;
    this.resting = false;
  }

  private get person(): Color | null {
    return personOf(this.setup.human);
  }

  // The side whose person wins or loses here.
  private get seatHere(): Color | null {
    return this.foreign ? null : this.person;
  }

  private get outcome(): Outcome {
    const { outcome } = this.session.head!;
    // What a record states it states, also where the rules ended the game in a way that the players overlooked.
    return this.ended && (this.foreign || !outcome.over) ? outcomeOf(this.ended, this.seatHere) : outcome;
  }

  // The game as it is written and analysed.
  private get document(): GameDocument {
    const { query } = this.session;
    const { tags = [], line, ...more } = this.details ?? { tags: ownTags(this.setup, this.date) };
    const whole = line?.map(({ move }) => move).join(" ") === query.moves.join(" ");
    return { ...query, ...more, tags, ...(whole && line && { line }), ...(this.ended && { ended: this.ended }) };
  }

  // Nobody thinks until the person plays on: the address is wrong, or the game is of others, or not all of it was read.
  private get waits(): boolean {
    return this.fault !== "" || this.recorded;
  }

  private get recorded(): boolean {
    return this.foreign && (this.named || this.details?.fault !== undefined);
  }

  private get named(): boolean {
    const tags = this.details?.tags ?? [];
    return (["white", "black"] as const).some((side) => playerText(tags, side) !== "");
  }

  private plays(color: Color): boolean {
    return this.setup.human === "both" || this.setup.human === color || !this.setup.player;
  }

  private update(): void {
    const { shown, head, cursor, atEnd } = this.session;
    if (!shown || !head) return;
    const { purpose } = this.thinking;
    if (purpose === "move" ? !atEnd : purpose !== null) this.thinking.stop();
    this.on.moved(this.begun && !this.fault); // A wrong address is no step to go back to.
    this.begun = false;
    const over = this.outcome.over;
    this.clock.turn(over || this.resting ? null : head.toMove, head.history.length);
    const { interactive } = this;
    this.title.textContent = translated(shown.title);
    this.rules.show(shown.game, translated(shown.title));
    this.offerRules(shown);
    this.showBoard();
    this.board.annotate([]);
    this.drawStrips(shown);
    this.moves.update(this.details?.rulesEnd);
    void this.text.update();
    this.drawJudgement();
    // While another game is being opened its player must not be asked about this one.
    const settled = this.setup.game === this.session.query.game;
    if (settled && atEnd && !over && !interactive && !this.problem) {
      if (!this.resting && !this.waits) void this.think();
    } else if (settled && atEnd && !over && this.judgements[cursor] === undefined) {
      void this.judge();
    }
    this.drawNotice(shown);
    this.drawActions(shown);
    if (interactive) this.playAhead(shown);
  }

  private showBoard(): void {
    const { interactive, flipped } = this;
    const { shown, atEnd } = this.session;
    const premover = atEnd && !this.outcome.over && !interactive ? this.person : null;
    this.board.show(shown!, { interactive, flipped, premover });
  }

  // Plays what was decided while the opponent thought, if it is legal.
  private playAhead(state: GameState): void {
    const { premove } = this;
    this.premove = null;
    const fitting = state.legal.filter((move) => move.from === premove?.from && move.to === premove?.to);
    if (premove && fitting.length === 1) void this.play(fitting[0]!.move);
  }

  private offerRules(state: GameState): void {
    const of = this.games.find((info) => info.game === state.game.split(":")[0])?.of ?? state.game;
    if (this.rules.element.open) return this.offer.settle(of);
    const moved = movers(this.session.head!).slice(0, this.session.query.moves.length);
    if (moved.length > 1 || moved.some((side) => this.plays(side))) return this.offer.withdraw(); // Who plays knows how.
    this.offer.show(of, translated(this.games.find((info) => info.game === of)?.title ?? state.title));
  }

  private drawStrips(state: GameState): void {
    const below: Color = this.flipped ? "black" : "white";
    const rename = (side: Color) => (this.person === side && !this.foreign ? () => this.nameDialog.open() : null);
    for (const [strip, side] of [
      [this.strips[0], opponent(below)],
      [this.strips[1], below],
    ] as const)
      strip.show(state, side, this.nameOf(side), this.thinks(side), rename(side));
    this.drawClocks();
  }

  private drawClocks(): void {
    const below: Color = this.flipped ? "black" : "white";
    this.strips[0].tell(this.clock.text(opponent(below)));
    this.strips[1].tell(this.clock.text(below));
  }

  // Somebody has lost by the clock, even while looking back.
  private timeUp(): void {
    this.thinking.stop();
    const late = this.clock.flagged;
    if (late && !this.session.head?.outcome.over) this.ended = lossOf(late, TIME_UP);
    this.update();
  }

  private nameOf(color: Color): string {
    const side = sideName(color);
    if (this.foreign && this.named) return seatText(this.details!.tags!, color);
    if (this.setup.human === "both" || !this.setup.player || (this.foreign && this.outcome.over)) return side;
    return `${side} · ${this.plays(color) ? ownName() || t("you") : this.playerText(color)}`;
  }

  private playerText(color: Color): string {
    const seat = seatOf(this.setup, color);
    return opponentText(seat.player!, seat);
  }

  private thinks(color: Color): boolean {
    return this.thinking.purpose === "move" && this.session.head?.toMove === color;
  }

  // A network knows how likely a win is.
  private get judges(): boolean {
    return visitsOf(this.setup.player, 1) !== null;
  }

  private drawJudgement(): void {
    this.wdl.element.hidden = !this.judging || !this.judges;
    const { cursor, query } = this.session;
    const history = Array.from({ length: query.moves.length + 1 }, (_, ply) => this.judgements[ply]);
    const known = this.judgements.slice(0, cursor + 1).findLast((wdl) => wdl !== undefined);
    this.wdl.update(known ?? null, history, cursor);
  }

  private drawNotice(state: GameState): void {
    const { atEnd, cursor, query } = this.session;
    const looking = t("Looking back: after {cursor} of {count} moves.", { cursor, count: query.moves.length });
    fill(
      this.notice,
      this.problem || this.fault ? h("p", { class: "error" }, this.problem || this.fault) : null,
      this.outcome.over
        ? h("p", { class: "outcome" }, outcomeText(this.outcome, this.seatHere))
        : atEnd
          ? standing(state)
          : h("p", { class: "quiet" }, looking),
      state.count ? countBanner(state.count) : null,
    );
  }

  private drawActions(state: GameState): void {
    const over = this.outcome.over;
    this.pause.textContent = this.resting ? t("Go on") : t("Pause");
    const mine = this.session.atEnd && !over && this.plays(state.toMove);
    const pass = mine && state.legal.find((move) => move.pass);
    fill(
      this.actions,
      ...(this.fault || (this.waits && !over) ? this.answers() : []),
      pass ? button(t("Pass"), () => void this.play(pass.move), { class: "primary" }) : null,
      ...(mine ? state.claims : []).map((word) =>
        button(word === "count" ? t("Declare the count") : t("Stop the count"), () => void this.play(word), {
          class: "primary",
        }),
      ),
      this.thinking.purpose === "move" ? this.moveNow : null,
      watches(this.setup) && !over ? this.pause : null,
      this.problem ? button(t("Try again"), () => void this.retry(), { class: "primary" }) : null,
      ...(over && !this.foreign ? rematches(this.setup, this.outcome) : []).map(({ label, setup }, i) =>
        button(label, () => void this.begin(setup), { class: i === 0 ? "primary" : null }),
      ),
      button(t("Take back"), () => void this.takeBack(), { disabled: this.session.query.moves.length === 0 }),
      button(t("Hint"), () => void this.hint(), { disabled: !mine || !this.setup.player }),
      button(t("Resign"), () => this.askToResign(), {
        disabled: over || !this.session.atEnd || this.setup.human === "neither",
      }),
      button(t("Flip"), () => this.flip(), { "aria-pressed": String(this.flipped) }),
      this.judges
        ? button(this.judging ? t("Hide odds") : t("Show odds"), () => this.toggleJudging(), {
            "aria-pressed": String(this.judging),
            name: "odds",
          })
        : null,
      over && this.setup.player ? button(t("Review"), () => this.on.review(this.document)) : null,
      button(t("Analyse"), () => this.on.analyse(this.document, this.session.cursor)),
    );
  }

  // To a wrong address, and to a record that is not over.
  private answers(): HTMLElement[] {
    const goOn = () => {
      this.fault = "";
      if (this.recorded) this.own();
      this.update();
    };
    return [
      button(t("Play from here"), goOn, { class: "primary" }),
      button(t("New game"), () => void this.dialog.open(this.setup)),
    ];
  }

  // The move is seen at once; the backend's answer takes its place.
  private async play(move: string): Promise<void> {
    this.fault = "";
    this.thinking.stop();
    const { shown } = this.session;
    const legal = shown!.legal.find((one) => one.move === move);
    if (legal && !legal.pass) this.board.show(predicted(shown!, legal), { flipped: this.flipped });
    this.unsent = move;
    if (this.foreign) this.own();
    if (await this.session.play(move)) this.unsent = null;
  }

  // Where several moves share their squares the person says which is meant.
  private chosen(moves: LegalMove[]): void {
    if (moves.length === 1) return void this.play(moves[0]!.move);
    const answers = moves.map((move) => ({
      label: move.captures.length
        ? t("{move}, takes {squares}", { move: moveText(move), squares: move.captures.join(" ") })
        : moveText(move),
      act: () => void this.play(move.move),
    }));
    this.alternatives.ask(answers, t("None"));
  }

  private async think(): Promise<void> {
    if (this.thinking.purpose === "move") return;
    const { seed, pace } = this.setup;
    const { player, level, visits } = seatOf(this.setup, this.session.head!.toMove);
    const limits = level !== null ? { level } : limitOf(player, visits);
    const time = this.clock.allowance(this.session.head!.toMove);
    const query = {
      player: player!.player,
      ...limits,
      ...(time !== null && { maxTimeMs: time }),
      seed,
      variedPlies: VARIED_PLIES,
      ...(level === null && { book: true }), // Levels were measured without one.
      reportDuringSearchEvery: 0.5,
    };
    const result = await this.ask("move", query, watches(this.setup) ? (pace ?? FIRST_PACE) : 0);
    if (!result || !this.session.atEnd) return;
    this.premove = this.board.takePremove();
    await this.play(result.best);
  }

  private async judge(): Promise<void> {
    if (!this.judging || !this.judges) return;
    await this.ask("judgement", limitOf(this.setup.player, JUDGE_VISITS));
  }

  private async hint(): Promise<void> {
    const result = await this.ask("hint", limitOf(this.setup.player, HINT_VISITS));
    if (!result) return;
    this.board.annotate([{ move: result.best, share: 0.8, kind: "hint" }]);
    const best = this.session.shown!.legal.find(({ move }) => move === result.best);
    const move = best ? moveText(best) : result.best;
    const words = [t("Hint: {move}", { move }), proofText(result, this.session.shown!)].filter(Boolean);
    this.notice.append(h("p", { class: "quiet" }, `${words.join(". ")}.`));
  }

  // The answer is null when it was overtaken by something else, or there is none.
  private async ask(purpose: Purpose, limits: object, leastMs = 0) {
    const { query, head } = this.session;
    const ply = query.moves.length;
    this.moveNow.disabled = true; // Until there is a move.
    const answer = this.thinking.ask(
      purpose,
      { ...query, player: this.setup.player!.player, ...limits },
      ({ moveInfos: [best], rootInfo }) => {
        this.moveNow.disabled = false;
        if (best) this.judgements[ply] = forWhite(rootInfo.wdl ? rootInfo : best, head!.toMove);
        this.drawJudgement();
      },
      leastMs,
    );
    this.drawStrips(this.session.shown!);
    try {
      return await answer;
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  private report(error: unknown): void {
    this.problem = messageOf(error);
    const lost = error instanceof ConnectionLost;
    clearTimeout(this.retries);
    this.clock.pause();
    if (lost) this.retries = window.setTimeout(() => void this.retry(), RETRY_MS);
    const { shown } = this.session;
    if (!shown) return fill(this.notice, h("p", { class: "error" }, this.problem));
    if (!lost && this.unsent) {
      this.unsent = null; // It was refused: the board shows the position as it is.
      this.showBoard();
    }
    this.drawStrips(shown);
    this.drawNotice(shown);
    this.drawActions(shown);
  }

  // Goes on where the backend was lost, once it answers again.
  private async retry(): Promise<void> {
    clearTimeout(this.retries);
    try {
      await this.backend.state(this.session.query);
    } catch (error) {
      return this.report(error);
    }
    this.problem = "";
    const { unsent } = this;
    if (unsent) await this.play(unsent);
    else this.update();
  }

  // Back to where the person was to move, or by a move in a game that is watched, which rests; where the time was up,
  // without clocks.
  private async takeBack(): Promise<void> {
    this.leave();
    if (this.ended?.endsWith(TIME_UP)) this.dropClocks();
    this.ended = null;
    this.premove = null;
    this.problem = "";
    this.unsent = null;
    const sides = movers(this.session.head!);
    this.resting = watches(this.setup);
    let count = this.session.query.moves.length - 1;
    while (count > 0 && !this.resting && !this.plays(sides[count]!)) count--;
    this.judgements.length = Math.min(this.judgements.length, count + 1);
    await this.session.cut(count);
  }

  private askToResign(): void {
    const loser = this.person ?? this.session.head!.toMove;
    const resign = () => {
      this.thinking.stop();
      if (this.foreign) this.own();
      this.ended = lossOf(loser, "resignation");
      this.update();
    };
    const title = this.person ? t("Resign this game?") : t("Resign for {side}?", { side: sideName(loser) });
    this.giveUp.ask([{ label: t("Yes, resign"), act: resign }], t("Play on"), title);
  }

  // A game that is watched stands still, or goes on.
  private rest(resting: boolean): void {
    this.resting = resting;
    this.thinking.stop();
    this.update();
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.showBoard();
    this.drawStrips(this.session.shown!);
    this.drawActions(this.session.shown!);
    this.on.moved(false);
  }

  private get interactive(): boolean {
    return this.session.atEnd && !this.outcome.over && this.plays(this.session.shown!.toMove);
  }

  private toggleJudging(): void {
    this.judging = !this.judging;
    this.update();
  }
}
