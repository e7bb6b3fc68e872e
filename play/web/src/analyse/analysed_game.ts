// The game that is analysed: its tree, where in it one looks, and what was expected after its moves.
import type { Backend, GameQuery, LineMove, Wdl } from "../backend/backend";
import type { Reviewed } from "./review_panel";
import type { Session } from "../play/session";
import { keepTree, keptTree } from "./kept_variations";
import { lineThrough, nodeAt, onMainLine, pathTo, Variations, type Variation } from "./variations";

export class AnalysedGame {
  readonly judged = new Map<Variation, Wdl>(); // What was expected after a move, as White sees it.
  tree = new Variations();
  node = this.tree.start; // The move that was played last in the position shown.
  private ended: { how: string; moves: string } | null = null; // Not by the rules, after these moves.

  // The session shows one line of the tree at a time.
  constructor(
    private readonly backend: Pick<Backend, "state">,
    private readonly session: Session,
  ) {}

  // False if it cannot be opened: the game before stays.
  async open(query: GameQuery, line?: LineMove[]): Promise<boolean> {
    const { tree } = this;
    this.tree = line ? Variations.of(query.moves, line) : (keptTree(query) ?? Variations.of(query.moves));
    const opened = await this.session.open(query);
    if (opened) this.judged.clear();
    else this.tree = tree;
    return opened;
  }

  // How the main line ended, where the rules do not say.
  endedBy(how: string | null): void {
    this.ended = how ? { how, moves: this.moves.join(" ") } : null;
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
    keepTree(this.session.query, this.tree);
  }

  goTo(variation: Variation): void {
    const moves = lineThrough(variation).map(({ move }) => move);
    void this.session.show({ ...this.session.query, moves }, pathTo(variation).length);
  }

  // After so many moves of the main line.
  goToTurn(turn: number): void {
    const { mainLine } = this;
    this.goTo(mainLine[Math.min(turn, mainLine.length) - 1] ?? this.tree.start);
  }

  // Another move than the one that is there begins a variation.
  play(move: string): void {
    this.goTo(this.tree.follow(this.node, [move]));
  }

  promote(variation: Variation): void {
    this.tree.promote(variation);
    this.goTo(variation);
  }

  remove(variation: Variation): void {
    this.tree.remove(variation);
    this.goTo(variation.parent!);
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

  // What the backend needs to write the main line with its variations.
  get text(): { moves: string[]; line: LineMove[]; ended?: string } {
    const { moves, ended } = this;
    const same = ended?.moves === moves.join(" ");
    return { moves, line: this.tree.line(), ...(ended && same && { ended: ended.how }) };
  }

  private get mainLine(): Variation[] {
    return lineThrough(this.tree.start);
  }

  private get moves(): string[] {
    return this.mainLine.map(({ move }) => move);
  }
}
