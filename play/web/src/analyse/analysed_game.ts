// The game that is analysed: its tree, where in it one looks, and what was expected after its moves.
import type { Backend, GameDocument, Tag, Wdl } from "../backend/backend";
import type { Reviewed } from "./review_panel";
import type { Session } from "../play/session";
import { keepDocument, keptDocument } from "./kept_variations";
import type { Passed } from "./variation_list";
import { lineThrough, nodeAt, onMainLine, pathTo, Variations, type Variation } from "./variations";

export class AnalysedGame {
  readonly judged = new Map<Variation, Wdl>(); // What was expected after a move, as White sees it.
  tree = new Variations();
  node = this.tree.start; // The move that was played last in the position shown.
  tags: Tag[] = [];
  passed: Passed | null = null; // Where the rules ended the game although it goes on.
  private comment = ""; // Of the start.
  private ended: { how: string; moves: string } | null = null; // Not by the rules, after these moves.

  // The session shows one line of the tree at a time.
  constructor(
    private readonly backend: Pick<Backend, "state">,
    private readonly session: Session,
  ) {}

  // With what the document says, else with what was kept of the game, else as it may be (`fallback`).
  // False if it cannot be opened: the game before stays.
  async open(document: GameDocument, fallback: GameDocument = document): Promise<boolean> {
    const { game, start, moves } = document;
    const query = { game, moves, ...(start && { start }) };
    const before = { tree: this.tree, tags: this.tags, comment: this.comment, passed: this.passed, ended: this.ended };
    const said = document.line ? document : (keptDocument(query) ?? fallback);
    this.tree = Variations.of(moves, said.line);
    this.describe(said);
    const opened = await this.session.open(query);
    if (opened) this.judged.clear();
    else Object.assign(this, before);
    return opened;
  }

  // What is said of the game as a whole: of its main line.
  describe({ moves, tags = [], comment = "", ended, rulesEnd }: GameDocument): void {
    const move = rulesEnd && this.mainLine[rulesEnd.ply - 1];
    this.tags = tags;
    this.comment = comment;
    this.passed = move ? { move, end: rulesEnd } : null;
    this.ended = ended ? { how: ended, moves: moves.join(" ") } : null;
  }

  // How the game ended where the rules do not say, at its last move.
  get ending(): string | null {
    const { ended, node } = this;
    const last = node.next.length === 0 && onMainLine(node);
    return last && ended?.moves === this.moves.join(" ") ? ended.how : null;
  }

  // The session shows another position.
  update(): void {
    const { head, query, cursor } = this.session;
    if (head) this.tree.learn(head);
    this.node = nodeAt(this.tree, query.moves, cursor);
    this.keep();
  }

  // In the browser, when the tree or what is said of its moves has changed.
  keep(): void {
    keepDocument(this.document);
  }

  goTo(variation: Variation): Promise<boolean> {
    const moves = lineThrough(variation).map(({ move }) => move);
    return this.session.show({ ...this.session.query, moves }, pathTo(variation).length);
  }

  // After so many moves of the main line.
  goToTurn(turn: number): Promise<boolean> {
    const { mainLine } = this;
    return this.goTo(mainLine[Math.min(turn, mainLine.length) - 1] ?? this.tree.start);
  }

  // Another move than the one that is there begins a variation.
  play(move: string): void {
    void this.goTo(this.tree.follow(this.node, [move]));
  }

  promote(variation: Variation): void {
    this.tree.promote(variation);
    void this.goTo(variation);
  }

  remove(variation: Variation): void {
    this.tree.remove(variation);
    void this.goTo(variation.parent!);
  }

  // How many moves of the main line are shown; null: a variation is.
  get turn(): number | null {
    return onMainLine(this.node) ? this.session.cursor : null;
  }

  // What was expected after the moves of the line that is shown, from the start on.
  get history(): (Wdl | undefined)[] {
    return [this.tree.start, ...lineThrough(this.node)].map((variation) => this.judged.get(variation));
  }

  // The main line, for its review; null where the backend does not answer.
  async whole(): Promise<Reviewed | null> {
    const query = { ...this.session.query, moves: this.moves };
    const head = await this.backend.state(query).catch(() => null);
    if (head) this.tree.learn(head);
    return head && { query, head, line: this.mainLine };
  }

  // The main line with its variations and all that is said of it.
  get document(): GameDocument {
    const { moves, ended, comment, passed, tags } = this;
    const { game, start } = this.session.query;
    const same = ended?.moves === moves.join(" ");
    return {
      game,
      ...(start && { start }),
      moves,
      tags,
      line: this.tree.line(),
      ...(comment && { comment }),
      ...(passed && onMainLine(passed.move) && { rulesEnd: passed.end }),
      ...(ended && same && { ended: ended.how }),
    };
  }

  private get mainLine(): Variation[] {
    return lineThrough(this.tree.start);
  }

  private get moves(): string[] {
    return this.mainLine.map(({ move }) => move);
  }
}
