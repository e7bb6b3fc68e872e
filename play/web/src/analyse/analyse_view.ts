// The view in which any position is searched: what the network expects at first sight, and what the search finds.
import { sameGame } from "../address";
import { AnalysedGame } from "./analysed_game";
import { arrowsOf, heatOf } from "./annotations";
import type {
  Backend,
  GameDocument,
  GameInfo,
  GameQuery,
  LegalMove,
  Player,
  Search,
  SearchResult,
} from "../backend/backend";
import { Board } from "../board/board";
import { CandidateTable, wdlText } from "./candidates";
import { button, fill, h, labelled, messageOf, select } from "../dom";
import { ExactMovesList } from "./exact_moves";
import { Explorer } from "./explorer";
import { GamePicker } from "../play/game_picker";
import { capitalised, forWhite, moveLabel, opponent, sideName, takesText } from "../board/moves";
import { MoveInput } from "../board/move_input";
import { moveText } from "../notation";
import { PlanesPanel } from "./planes_panel";
import { checkText, countBanner, outcomeOf, outcomeText } from "../play/ending";
import { number, plural, spoken, t, translated } from "../language";
import { PlayerStrip } from "../play/player_strip";
import { proofText } from "./proof";
import { ReviewPanel } from "./review_panel";
import { RulesPanel } from "../play/rules_panel";
import { Session } from "../play/session";
import { soundPart } from "../play/sound_part";
import { limitOf } from "../play/strength";
import { seatText } from "../tags";
import { TextPanel } from "../text_panel";
import { passed } from "./threat";
import { TreePanel } from "./tree_panel";
import { VariationList } from "./variation_list";
import type { Variation } from "./variations";
import { WdlBar } from "./wdl_bar";

const LINES = 8; // Candidate moves asked for.
const VISITS = [100, 1000, 10000, 100000];
const THREAT_VISITS = 400;
const RESTART_MS = 100; // Between a step and the search of the position.
const tenths = (seconds: number) => number(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const PREVIEW_MS = 80; // How long the pointer rests before a variation is shown.

export class AnalyseView {
  readonly element: HTMLElement;
  private readonly session: Session;
  private readonly board = new Board({
    onMove: (moves) => this.chosen(moves),
    label: t("Board: arrow keys and Enter play"),
  });
  private readonly strips = [new PlayerStrip(this.board), new PlayerStrip(this.board)] as const;
  private readonly wdl = new WdlBar();
  private readonly title = h("h2");
  private readonly notice = h("div", { class: "notice", role: "status" });
  private readonly facts = h("p", { class: "facts" });
  private readonly controls = h("div", { class: "controls" });
  private readonly candidates = new CandidateTable({
    play: (move) => this.game.play(move),
    look: (moves) => this.look(moves),
  });
  private readonly exact = new ExactMovesList((move) => this.game.play(move));
  private readonly picker = h("div");
  private readonly moves: VariationList;
  private readonly review: ReviewPanel;
  private readonly text: TextPanel;
  private readonly explorer: Explorer;
  private readonly searchTree: TreePanel;
  private readonly planes: PlanesPanel;
  private readonly rules: RulesPanel;

  private coming: GameQuery | null = null; // A game that is being opened.
  private expected: { document: GameDocument; anew: boolean } | null = null; // What the address will name next.
  private players: Player[] = [];
  private player: Player | null = null;
  private visits = 1000;
  private search: Search | null = null;
  private result: SearchResult | null = null;
  private readonly game: AnalysedGame;
  private following = false; // The next position is searched too: nobody has stopped the search.
  private readonly follow = h("input", { type: "checkbox", checked: true });
  private restart = 0; // The timer of that search.
  private reviewing = false; // The game that is opened next is reviewed.
  private layers = { heat: true, arrows: true };
  private flipped = false;
  private looking = false; // At a variation: the table and the arrows wait.
  private preview = 0; // Counts what was looked at: an older wish is dropped.

  constructor(
    private readonly backend: Backend,
    private readonly games: GameInfo[],
    private readonly playOn: (query: GameQuery) => unknown,
    private readonly moved: (begun: boolean) => void, // As of the view in which one plays.
  ) {
    this.session = new Session(
      backend,
      () => this.update(),
      (error) => this.say(messageOf(error), "error"),
    );
    this.game = new AnalysedGame(backend, this.session);
    this.moves = new VariationList(this.session, this.game);
    this.review = new ReviewPanel(backend, {
      game: () => {
        this.turnOff();
        return this.game.whole();
      },
      player: () => (this.coming ? null : this.player),
      goTo: (turn) => {
        // The players above the board take another height in another position.
        const see = () => this.board.element.scrollIntoView({ block: "nearest" });
        void this.game.goToTurn(turn).then(see);
      },
      better: (than, line) => this.game.tree.add(than.parent!, line),
      annotated: () => {
        this.game.keep();
        this.drawMoves();
        void this.text.update();
      },
    });
    const input = new MoveInput(
      backend,
      () => (this.session.shown?.outcome.over === false ? this.session.shownQuery : null),
      (move) => this.game.play(move),
    );
    this.text = new TextPanel(
      backend,
      this.session,
      (document) => this.open(document, document.moves.length, true),
      () => this.game.document,
    );
    this.explorer = new Explorer(
      backend,
      () => (this.session.shown ? this.session.shownQuery : null),
      (move) => this.game.play(move),
    );
    this.searchTree = new TreePanel(backend);
    this.rules = new RulesPanel(backend);
    this.planes = new PlanesPanel(backend, () =>
      this.player && this.session.shown
        ? { query: this.session.shownQuery, player: this.player.player, width: this.session.shown.width }
        : null,
    );
    this.element = h(
      "section",
      { class: "view analyse", "aria-label": t("Analyse") },
      h("div", { class: "table" }, this.strips[0].element, this.board.element, this.strips[1].element, this.legend()),
      h(
        "div",
        { class: "side" },
        h("div", { class: "heading" }, this.title),
        this.text.opened.element,
        this.controls,
        this.notice,
        this.facts,
        this.wdl.element,
        this.candidates.element,
        this.exact.element,
        this.moves.element,
        input.element,
        this.review.element,
        this.explorer.element,
        this.searchTree.element,
        this.planes.element,
        this.rules.element,
        this.text.element,
        h("details", { class: "panel" }, h("summary", {}, t("Another game")), this.picker),
      ),
    );
  }

  // Others than networks have no visits, priors or plies left.
  private get network(): boolean {
    return this.player?.kind === "network";
  }

  get opened(): boolean {
    return this.coming !== null || this.session.shown !== null;
  }

  enter(): void {
    this.following = true;
    if (!this.session.shown) return;
    this.moved(false);
    void this.explorer.update();
    this.searchOn();
  }

  // The game that is shown or on its way.
  get query(): GameQuery {
    return this.coming ?? this.session.query;
  }

  get at(): number {
    return this.coming ? this.coming.moves.length : this.session.cursor;
  }

  // The game that the address will name next, with what is said of it; `anew`: in place of what was kept of it.
  expect(document: GameDocument, anew: boolean): void {
    this.expected = { document, anew };
  }

  // Whether the address names the game that is expected.
  awaits(query: GameQuery): boolean {
    return this.expected !== null && sameGame(this.expected.document, query);
  }

  // As much of it as there can be. `anew`: its document takes the place of what is shown and was kept of it.
  async open(asked: GameDocument, at = asked.moves.length, anew = false): Promise<void> {
    const expected = this.awaits(asked) ? this.expected : null;
    this.expected = null;
    const wanted = expected?.document ?? asked;
    const replaced = anew || expected?.anew === true;
    if (this.session.shown && sameGame(asked, this.query) && !replaced) {
      if (expected && !this.coming) this.describe(wanted);
      return void (await this.session.goTo(at));
    }
    this.coming = asked;
    this.text.opened.forget();
    const { game, start, moves } = asked;
    const { query: sound, fault } = await soundPart(this.backend, { game, moves, ...(start && { start }) });
    if (this.coming !== asked) return; // Another game is being opened.
    const query = sound ?? (this.session.shown ? this.session.query : { game: this.games[0]!.game, moves: [] });
    this.coming = query;
    this.turnOff();
    this.following = !this.reviewing;
    this.review.forget();
    if (!this.session.shown || query.game !== this.session.query.game) {
      const players = await this.backend.players(query.game).catch(() => []);
      if (this.coming !== query) return; // Another game is being opened.
      this.players = players;
      this.player = this.players[0] ?? null;
      this.drawPicker(query.game);
    }
    const opened = await (replaced && !fault ? this.game.open(wanted) : this.game.open(query, fault ? query : wanted));
    if (this.coming !== query) return;
    this.coming = null;
    this.review.look(this.game.turn);
    if (!opened) return;
    this.moved(true);
    if (at < query.moves.length) await this.session.goTo(at);
    if (fault) this.say(fault, "error");
  }

  // The game that is shown is the same, and more is known of it.
  private describe(document: GameDocument): void {
    this.game.describe(document);
    this.game.keep();
    this.drawStrips();
    this.drawMoves();
  }

  // The game that this view shows next is reviewed at once.
  reviewNext(): void {
    this.reviewing = true;
  }

  // Once that game is shown.
  async reviewIfAsked(): Promise<void> {
    if (!this.reviewing || this.review.busy || !this.session.shown) return;
    this.reviewing = false;
    await this.review.start();
  }

  walk(to: "back" | "on" | "start" | "end"): void {
    void this.session.walk(to);
  }

  leave(): void {
    this.turnOff();
  }

  private update(): void {
    const { shown } = this.session;
    if (!shown) return;
    this.game.update();
    if (!this.coming) this.moved(false);
    this.stop();
    this.result = null;
    this.looking = false;
    this.preview++;
    this.title.textContent = translated(shown.title);
    this.rules.show(shown.game, translated(shown.title));
    this.board.show(shown, { interactive: true, flipped: this.flipped });
    this.drawStrips();
    this.candidates.clear();
    this.exact.show([]);
    this.searchTree.show(null);
    this.explorer.judge([]);
    void this.explorer.update();
    void this.planes.update();
    void this.text.update();
    this.drawMoves();
    this.review.look(this.game.turn);
    this.board.annotate(this.review.arrows(this.game.turn));
    this.drawJudgement();
    this.drawControls();
    this.facts.textContent = "";
    fill(
      this.notice,
      this.ending(),
      shown.check && !shown.outcome.over ? h("p", { class: "check" }, checkText(shown)) : null,
      shown.count ? countBanner(shown.count) : null,
      this.words(),
    );
    this.searchOn();
  }

  private drawMoves(): void {
    const { tree, node, passed } = this.game;
    this.moves.show(tree, node, passed);
  }

  // What a record states of its end it states, also where the rules ended the game before.
  private ending(): HTMLElement | null {
    const { ending } = this.game;
    const { outcome } = this.session.shown!;
    if (!ending && !outcome.over) return null;
    return h("p", { class: "outcome" }, outcomeText(ending ? outcomeOf(ending, null) : outcome));
  }

  private drawJudgement(): void {
    const { judged, node, history } = this.game;
    this.wdl.update(judged.get(node) ?? null, history, this.session.cursor);
  }

  // The search stays on while one steps through the game.
  private searchOn(): void {
    clearTimeout(this.restart);
    const wanted = () =>
      this.following && this.follow.checked && this.player && !this.review.busy && !this.session.shown!.outcome.over;
    if (wanted()) this.restart = window.setTimeout(() => wanted() && !this.search && void this.start(), RESTART_MS);
  }

  private turnOff(): void {
    this.following = false;
    clearTimeout(this.restart);
    this.stop();
  }

  // Moves without squares: passes and declarations.
  private words(): HTMLElement | null {
    const { legal, claims } = this.session.shown!;
    const words = [...legal.filter((move) => move.pass).map((move) => move.move), ...claims];
    if (words.length === 0) return null;
    return h(
      "div",
      { class: "buttons" },
      ...words.map((word) => button(capitalised(moveLabel(word)), () => this.game.play(word))),
    );
  }

  private drawStrips(): void {
    const [above, below] = this.flipped ? (["white", "black"] as const) : (["black", "white"] as const);
    const { tags } = this.game;
    this.strips[0].show(this.session.shown!, above, seatText(tags, above), false);
    this.strips[1].show(this.session.shown!, below, seatText(tags, below), false);
  }

  private drawControls(): void {
    const running = this.search !== null;
    this.searchTree.element.hidden = !this.network; // Alpha-beta has none.
    const player = select(
      this.players.map((one) => ({ value: one.player, label: spoken(one.labelParts) })),
      this.player?.player ?? "",
      (value) => {
        this.player = this.players.find((one) => one.player === value) ?? null;
        this.update();
      },
    );
    player.name = "player";
    const visits = select(
      [
        ...VISITS.map((count) => ({ value: String(count), label: t("{count} visits", { count }) })),
        { value: "0", label: t("until stopped") },
      ],
      String(this.visits),
      (value) => (this.visits = Number(value)),
    );
    visits.name = "visits";
    fill(
      this.controls,
      labelled(t("Searched by"), player),
      this.network ? labelled(t("Limit"), visits) : null,
      h(
        "div",
        { class: "buttons" },
        running
          ? button(t("Stop"), () => this.turnOff(), { class: "primary", name: "search" })
          : button(t("Search"), () => void this.start(), {
              class: "primary",
              name: "search",
              disabled: !this.player || this.session.shown!.outcome.over,
            }),
        button(t("Threat"), () => void this.threaten(), {
          title: t("What the other side would play if it were to move"),
          disabled: !this.player || this.session.shown!.outcome.over || this.session.shown!.check,
        }),
        button(t("Flip"), () => this.flip()),
        button(t("Play from here"), () => this.playOn(this.session.shownQuery)),
      ),
      h("label", { class: "check-field" }, this.follow, t("Keep searching while stepping through the game")),
    );
  }

  private drawPicker(game: string): void {
    const picker = new GamePicker(this.games, game, () => {});
    fill(
      this.picker,
      picker.element,
      button(t("Open"), () => void this.open({ game: picker.game, moves: [] }), { class: "primary" }),
    );
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.board.show(this.session.shown!, { interactive: true, flipped: this.flipped });
    this.drawStrips();
  }

  private chosen(moves: LegalMove[]): void {
    if (moves.length === 1) return this.game.play(moves[0]!.move);
    fill(
      this.notice,
      h("p", {}, t("Which move?")),
      h(
        "div",
        { class: "buttons" },
        ...moves.map((move) => button(takesText(moveText(move), move.captures), () => this.game.play(move.move))),
      ),
    );
  }

  // What the other side would do if it were to move.
  private async threaten(): Promise<void> {
    this.turnOff();
    const { shown } = this.session;
    const query = passed(shown!);
    if (!query) return this.say(t("In check there is no threat to look for."), "quiet");
    const limit = limitOf(this.player, THREAT_VISITS);
    const search = this.backend.search({ ...query, player: this.player!.player, lines: 1, ...limit }, () => {});
    this.search = search;
    this.drawControls();
    try {
      const result = await search.done;
      if (this.search !== search) return;
      const [best] = result?.moveInfos ?? [];
      if (best) this.showThreat(best.move, best.written[0]!);
    } catch (error) {
      if (this.search === search) this.say(messageOf(error), "error");
    }
    if (this.search === search) this.ended();
  }

  private showThreat(move: string, written: string): void {
    this.board.annotate([{ move, share: 0.8, kind: "threat" }]);
    const side = sideName(opponent(this.session.shown!.toMove));
    this.say(t("{side} would play {move}.", { side, move: moveText({ move, written }) }), "threat");
  }

  private async start(): Promise<void> {
    const { shownQuery } = this.session;
    const { node } = this.game;
    this.following = true;
    this.searchTree.show(null);
    const search = this.backend.search(
      {
        ...shownQuery,
        player: this.player!.player,
        lines: LINES,
        includePolicy: true,
        includeTree: true,
        reportDuringSearchEvery: 0.25,
        ...(this.network && this.visits ? { maxVisits: this.visits } : {}),
      },
      (result) => {
        if (this.search === search) this.found(result, node);
      },
    );
    this.search = search;
    this.drawControls();
    try {
      await search.done;
    } catch (error) {
      this.say(messageOf(error), "error");
    }
    if (this.search === search) this.ended();
  }

  private stop(): void {
    const search = this.search;
    if (!search) return;
    this.ended();
    search.stop();
  }

  private ended(): void {
    this.search = null;
    this.drawControls();
    if (this.result && this.network) this.searchTree.show(this.result.id);
  }

  private found(result: SearchResult, node: Variation): void {
    this.result = result;
    const { rootInfo } = result;
    this.game.judged.set(node, forWhite(rootInfo.wdl ? rootInfo : (result.moveInfos[0] ?? rootInfo), rootInfo.toMove));
    this.drawJudgement();
    this.explorer.judge(result.moveInfos);
    this.exact.show(result.exactMoves ?? []);
    const seconds = Math.max(result.timeMs, 1) / 1000;
    this.facts.textContent = [
      this.network
        ? t("{count} visits in {seconds} s", { count: rootInfo.visits, seconds: tenths(seconds) })
        : t("{count} positions in {seconds} s", { count: rootInfo.visits, seconds: tenths(seconds) }),
      rootInfo.depth ? t("depth {depth}", { depth: rootInfo.depth }) : "",
      rootInfo.movesLeft === undefined || !this.network
        ? ""
        : plural("about {count} ply left", "about {count} plies left", Math.round(rootInfo.movesLeft)),
      proofText(result, this.session.shown!),
      rootInfo.rawWdl ? t("network's first guess {odds}", { odds: wdlText(rootInfo.rawWdl) }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    if (this.looking) return;
    this.drawResult();
  }

  private drawResult(): void {
    if (this.result) this.candidates.show(this.result, this.network);
    this.annotate();
  }

  private annotate(): void {
    const { result } = this;
    if (!result) return;
    const { heat, arrows } = this.layers;
    const missed = this.review.arrows(this.game.turn);
    this.board.annotate([...missed, ...(arrows ? arrowsOf(result) : [])], heat ? heatOf(result) : new Map());
  }

  private legend(): HTMLElement {
    const layer = (name: "heat" | "arrows", label: string) => {
      const box = h("input", {
        type: "checkbox",
        checked: true,
        onchange: () => {
          this.layers[name] = box.checked;
          this.annotate();
        },
      });
      return h("label", { class: "check-field" }, box, label);
    };
    return h(
      "div",
      { class: "legend" },
      layer("heat", t("Heat: where the network would go")),
      layer("arrows", t("Arrows:")),
      h("span", { class: "key prior" }, t("network's first guess")),
      h("span", { class: "key visits" }, t("searched")),
    );
  }

  // Shows the position after a variation while one looks at it; null: back to the position itself.
  private look(moves: string[] | null): void {
    const wanted = ++this.preview;
    this.looking = moves !== null;
    setTimeout(async () => {
      if (wanted !== this.preview || !this.session.shown) return;
      const { shownQuery, shown } = this.session;
      const state = moves
        ? await this.backend.state({ ...shownQuery, moves: [...shownQuery.moves, ...moves] }).catch(() => null)
        : shown;
      if (wanted !== this.preview || !state) return;
      this.board.element.classList.toggle("preview", moves !== null);
      this.board.show(state, { interactive: !moves, flipped: this.flipped });
      if (moves) return this.board.annotate([]);
      this.drawResult();
    }, PREVIEW_MS);
  }

  private say(text: string, kind: string): void {
    fill(this.notice, h("p", { class: kind }, text));
  }
}
