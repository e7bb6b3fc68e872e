// The tree of a game that is analysed: its moves, the variations tried beside them, and what is said of them.
import type { Color, GameState, LineMove } from "../backend/backend";
import { movers, opponent } from "../board/moves";
import type { Written } from "../notation";

export interface Variation extends Written {
  parent: Variation | null; // None: the start, which is no move.
  next: Variation[]; // The main move first.
  nags: number[];
  comment: string;
  eval?: LineMove["eval"];
  clock?: number;
  time?: number;
  mover: Color; // Who plays it; of the start: who begins.
}

export class Variations {
  readonly start: Variation = node(null, "");

  // Another game: its moves, or its tree where that is known.
  static of(moves: string[], line?: LineMove[]): Variations {
    const tree = new Variations();
    if (line) tree.read(tree.start, line);
    else tree.follow(tree.start, moves);
    return tree;
  }

  // The node after these moves from another; those that are not there are added.
  follow(from: Variation, moves: string[]): Variation {
    return moves.reduce((at, move) => {
      const known = at.next.find((one) => one.move === move);
      if (known) return known;
      const added = node(at, move);
      at.next.push(added);
      return added;
    }, from);
  }

  // The same for moves whose written forms are known.
  add(from: Variation, line: Written[]): void {
    let at = from;
    for (const { move, written } of line) {
      at = this.follow(at, [move]);
      at.written = written;
    }
  }

  // Whether these are the moves of a line from the start to its end.
  hasLine(moves: string[]): boolean {
    let at: Variation | undefined = this.start;
    for (const move of moves) at = at?.next.find((one) => one.move === move);
    return at?.next.length === 0;
  }

  // What the backend knows of the moves of a line.
  learn(state: GameState): void {
    const sides = movers(state);
    this.start.mover = sides[0]!;
    let at: Variation | undefined = this.start;
    for (const [i, { move, written }] of state.history.entries()) {
      at = at.next.find((one) => one.move === move);
      if (!at) return;
      at.written = written;
      at.mover = sides[i]!;
    }
  }

  // Removes a move and all that follows it.
  remove(variation: Variation): void {
    const siblings = variation.parent!.next;
    siblings.splice(siblings.indexOf(variation), 1);
  }

  // Makes the line to a move the main line.
  promote(variation: Variation): void {
    for (let at = variation; at.parent; at = at.parent) {
      const siblings = at.parent.next;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  // The main line as JSON, with its variations: what the backend writes as PGN, and what of() reads.
  line(): LineMove[] {
    return written(this.start, 0);
  }

  private read(parent: Variation, line: LineMove[]): void {
    let at = parent;
    for (const entry of line) {
      const before = at;
      at = this.follow(at, [entry.move]);
      at.written = entry.written ?? entry.move;
      at.nags = entry.nags ?? [];
      at.comment = entry.comment ?? "";
      if (entry.eval) at.eval = entry.eval;
      if (entry.clock !== undefined) at.clock = entry.clock;
      if (entry.time !== undefined) at.time = entry.time;
      for (const variation of entry.variations ?? []) this.read(before, variation);
    }
  }
}

// Until the backend has said who plays it, the sides take turns.
function node(parent: Variation | null, move: string): Variation {
  const mover = parent?.parent ? opponent(parent.mover) : (parent?.mover ?? "white");
  return { move, written: move, parent, next: [], nags: [], comment: "", mover };
}

// The moves from the start to a node.
export function pathTo(variation: Variation): Variation[] {
  const path: Variation[] = [];
  for (let at = variation; at.parent; at = at.parent) path.unshift(at);
  return path;
}

// The same, and the main moves after it.
export function lineThrough(variation: Variation): Variation[] {
  const line = pathTo(variation);
  for (let at = variation.next[0]; at; at = at.next[0]) line.push(at);
  return line;
}

// The move that was played last after so many of these moves.
export function nodeAt(tree: Variations, moves: string[], cursor: number): Variation {
  const last = tree.follow(tree.start, moves);
  return cursor === 0 ? tree.start : pathTo(last)[cursor - 1]!;
}

export function onMainLine(variation: Variation): boolean {
  return pathTo(variation).every((one) => one.parent!.next[0] === one);
}

// The moves after a node, of its main move or another; variations stand at the move that they replace.
function written(parent: Variation, first: number): LineMove[] {
  const line: LineMove[] = [];
  let chosen = first;
  for (let at = parent; at.next[chosen]; ) {
    const move = at.next[chosen]!;
    const others = chosen === 0 ? at.next.slice(1).map((_, i) => written(at, i + 1)) : [];
    line.push({
      move: move.move,
      written: move.written,
      ...(move.nags.length && { nags: move.nags }),
      ...(move.comment && { comment: move.comment }),
      ...(move.eval && { eval: move.eval }),
      ...(move.clock !== undefined && { clock: move.clock }),
      ...(move.time !== undefined && { time: move.time }),
      ...(others.length && { variations: others }),
    });
    at = move;
    chosen = 0;
  }
  return line;
}
