// A game that a view shows: its moves, where in them we look, and how the game stands there.
import type { Backend, GameQuery, GameState } from "../backend/backend";
import { isDeclaration } from "../board/moves";

export class Session {
  query: GameQuery = { game: "makyek", moves: [] };
  cursor = 0; // Moves up to the position shown.
  shown: GameState | null = null;
  head: GameState | null = null; // After all moves.
  private generation = 0; // Answers to older questions are dropped.

  constructor(
    private readonly backend: Pick<Backend, "state">,
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  get atEnd(): boolean {
    return this.cursor === this.query.moves.length;
  }

  // The game up to the position shown.
  get shownQuery(): GameQuery {
    return { ...this.query, moves: this.query.moves.slice(0, this.cursor) };
  }

  // Opens a game at its end. False if it cannot be: the one before stays.
  open(query: GameQuery): Promise<boolean> {
    return this.update({ ...query, moves: [...query.moves] }, query.moves.length);
  }

  // Shows a game somewhere in it.
  show(query: GameQuery, cursor: number): Promise<boolean> {
    return this.update(query, cursor);
  }

  // Plays on from the position shown; what followed it is forgotten.
  play(move: string): Promise<boolean> {
    const query = this.shownQuery;
    return this.update({ ...query, moves: [...query.moves, move] }, query.moves.length + 1);
  }

  // Forgets all but the first moves.
  cut(count: number): Promise<boolean> {
    return this.update({ ...this.query, moves: this.query.moves.slice(0, count) }, count);
  }

  goTo(cursor: number): Promise<boolean> {
    return this.update(this.query, Math.max(0, Math.min(this.query.moves.length, cursor)));
  }

  // A step over whole moves: declarations go with the move after them.
  step(by: 1 | -1): Promise<boolean> {
    let cursor = this.cursor + by;
    while (cursor > 0 && cursor < this.query.moves.length && isDeclaration(this.query.moves[cursor - 1]!)) cursor += by;
    return this.goTo(cursor);
  }

  walk(to: "back" | "on" | "start" | "end"): Promise<boolean> {
    if (to === "start") return this.goTo(0);
    if (to === "end") return this.goTo(this.query.moves.length);
    return this.step(to === "on" ? 1 : -1);
  }

  private async update(query: GameQuery, cursor: number): Promise<boolean> {
    const generation = ++this.generation;
    try {
      const whole = cursor === query.moves.length;
      const shown = await this.backend.state({ ...query, moves: query.moves.slice(0, cursor) });
      const head = whole ? shown : query === this.query && this.head ? this.head : await this.backend.state(query);
      if (generation !== this.generation) return false;
      Object.assign(this, { query, cursor, shown, head });
    } catch (error) {
      if (generation === this.generation) this.failed(error);
      return false;
    }
    this.changed();
    return true;
  }
}
