// The review of a whole game: every position searched, the moves judged by what they gave away, as the program
// judges them (play/analysis/review.cc).
import type {
  Backend,
  Color,
  GameQuery,
  GameState,
  Judgement,
  LineMove,
  Outcome,
  Search,
  SearchResult,
} from "../backend/backend";
import { t } from "../language";
import { forWhite, isDeclaration, movers, sideName } from "../board/moves";
import type { Written } from "../notation";

const TOGETHER = 3; // Searches at once: a client has four, and one is left for another view.
const LINE = 6; // Moves of a better line.

// A position as its search sees it.
export interface ReviewedPosition {
  expected: number; // White's result in [0, 1], a draw is a half.
  line: Written[]; // The best moves; none where the game is over.
  eval?: LineMove["eval"];
}

export interface Mistake {
  index: number; // Of the move.
  side: Color;
  kind: Judgement;
  loss: number; // Of the mover's expected result.
  before: number; // That result with the best move, and after the move that was played.
  after: number;
  line: Written[]; // Begins with the better move.
}

export interface ReviewHandlers {
  progress(done: number, of: number): void; // `done` positions are known.
}

export class Review {
  readonly positions: (ReviewedPosition | undefined)[]; // By number of moves before them.
  private readonly sides: Color[];
  private readonly running = new Set<Search>();
  private readonly turns: number[];
  private judgements: Judgement[] = []; // The worst first.
  private stopped = false;
  private done = 0;

  // `head` is the game after all of its moves.
  constructor(
    private readonly backend: Pick<Backend, "search" | "judgements">,
    head: GameState,
    private readonly query: GameQuery,
    private readonly player: string,
    private readonly visits: number | null, // None: as the player does by itself.
    private readonly on: ReviewHandlers,
  ) {
    const { moves } = query;
    this.sides = movers(head);
    this.positions = Array.from({ length: moves.length + 1 });
    head.history.forEach(({ result }, i) => {
      if (result) this.positions[i + 1] = decided(result);
    });
    if (head.outcome.over) this.positions[moves.length] = decided(head.outcome.result);
    this.turns = Array.from(this.positions.keys()).filter(
      (turn) => !isDeclaration(moves[turn] ?? "") && !this.positions[turn],
    );
  }

  // True when every position is known; false when it was stopped. Fails when a search does.
  async run(): Promise<boolean> {
    this.on.progress(0, this.turns.length);
    this.judgements = await this.backend.judgements();
    const waiting = [...this.turns];
    const work = async () => {
      for (let turn = waiting.shift(); turn !== undefined && !this.stopped; turn = waiting.shift())
        await this.look(turn);
    };
    try {
      await Promise.all(Array.from({ length: TOGETHER }, work));
    } finally {
      this.stop();
    }
    return this.done === this.turns.length;
  }

  stop(): void {
    this.stopped = true;
    for (const search of this.running) search.stop();
    this.running.clear();
  }

  // Greatest loss first; of moves between positions that are both known.
  get mistakes(): Mistake[] {
    const found = this.query.moves.flatMap((move, index): Mistake[] => {
      const before = this.positions[index];
      const after = this.positions.slice(index + 1).find((position) => position !== undefined);
      const next = this.positions[index + 1] ?? (isDeclaration(this.query.moves[index + 1] ?? "") ? after : undefined);
      if (isDeclaration(move) || !before?.line.length || !next || before.line[0]!.move === move) return [];
      const side = this.sides[index]!;
      const ofMover = (expected: number) => (side === "white" ? expected : 1 - expected);
      const loss = ofMover(before.expected) - ofMover(next.expected);
      const kind = this.judgements.find((one) => loss >= one.loss);
      if (!kind) return [];
      const results = { before: ofMover(before.expected), after: ofMover(next.expected) };
      return [{ index, side, kind, loss, ...results, line: before.line.slice(0, LINE) }];
    });
    return found.sort((a, b) => b.loss - a.loss);
  }

  private async look(turn: number): Promise<void> {
    const search = this.backend.search(
      {
        game: this.query.game,
        ...(this.query.start && { start: this.query.start }),
        moves: this.query.moves.slice(0, turn),
        player: this.player,
        lines: 1,
        ...(this.visits && { maxVisits: this.visits }),
      },
      () => {},
    );
    this.running.add(search);
    const result = await search.done;
    this.running.delete(search);
    if (this.stopped || !result) return;
    this.positions[turn] = reviewed(result, this.sides[turn]!);
    this.on.progress(++this.done, this.turns.length);
  }
}

function decided(result: Outcome["result"]): ReviewedPosition {
  return { expected: result === "1-0" ? 1 : result === "0-1" ? 0 : 0.5, line: [] };
}

function reviewed({ moveInfos: [best] }: SearchResult, mover: Color): ReviewedPosition {
  const [win, draw] = forWhite(best!, mover);
  const line = best!.pv.map((move, i) => ({ move, written: best!.written[i]! }));
  const sign = mover === "white" ? 1 : -1;
  const { endInPlies, centipawns, winrate } = best!;
  const mate = endInPlies && sign * (winrate > 0.5 ? 1 : -1) * Math.floor((endInPlies + 1) / 2);
  const score = mate ? { mate } : centipawns === undefined ? undefined : { centipawns: sign * centipawns };
  return { expected: win + draw / 2, line, ...(score && { eval: score }) };
}

export function sideText(side: Color, mistakes: Mistake[]): string {
  const own = mistakes.filter((mistake) => mistake.side === side);
  const count = (word: string) => own.filter((mistake) => mistake.kind.word === word).length;
  const values = {
    side: sideName(side),
    inaccuracies: count("Inaccuracy"),
    mistakes: count("Mistake"),
    blunders: count("Blunder"),
  };
  return t("{side}: inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}.", values);
}
