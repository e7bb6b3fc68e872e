// The board: squares, pieces, what may be moved where, and what a search says about it. Played by mouse, touch or keys.
import { drawArrow, type Arrow } from "./arrow";
import type { Color, GameState, LegalMove, Piece } from "../backend/backend";
import { fill, h, svg } from "../dom";
import { listed, t, translated } from "../language";
import { animateMove } from "./motion";
import { capitalised, isDeclaration, opponent, sideName, squaresOf } from "./moves";
import { coordinate, moveText, onNotation } from "../notation";
import { pieceName, pieceUse } from "./pieces";
import { soundOfMove } from "../play/sound";

const SQUARE = 100;
const DRAG_PIXELS = 6; // A pointer that moves less than this clicks.

// A move that is decided before the other side has moved; played if it is legal then.
export interface Premove {
  from: string;
  to: string;
}

export interface BoardOptions {
  // The legal moves that fit what the person did: more than one when they differ in what they take.
  onMove?: (moves: LegalMove[]) => void;
  label?: string;
  sounds?: boolean; // Moves are heard.
}

export class Board {
  readonly element: HTMLElement;
  private readonly root: SVGSVGElement;
  private readonly squares = svg("g", { class: "squares" });
  private readonly marks = svg("g", { class: "marks" });
  private readonly ghosts = svg("g", { class: "ghosts" });
  private readonly pieces = svg("g", { class: "pieces" });
  private readonly doomed = svg("g", { class: "doomed" });
  private readonly dots = svg("g", { class: "dots" });
  private readonly arrows = svg("g", { class: "arrows" });
  private readonly falling = svg("g", { class: "falling" });
  private readonly held = svg("g", { class: "held" });
  private readonly files = h("div", { class: "files", "aria-hidden": "true" });
  private readonly ranks = h("div", { class: "ranks", "aria-hidden": "true" });
  private readonly spoken = h("p", { class: "visually-hidden", "aria-live": "polite" });
  private readonly id = `board-${Math.random().toString(36).slice(2, 8)}`;

  private state: GameState | null = null;
  private legal: LegalMove[] = [];
  private flipped = false;
  private selected: string | null = null; // A square, or "hand".
  private hovered: string | null = null; // The square under the mouse or under a piece that is dragged.
  private cursor = { file: 0, rank: 0 };
  private premover: Color | null = null; // The side that may decide its next move now.
  private premove: Premove | null = null;
  private byKeys = false; // The keys lead, not the pointer: left and right move the cursor, else they walk the game.
  private annotations: Arrow[] = [];
  private heat = new Map<string, number>();
  private drag: {
    from: string;
    startX: number;
    startY: number;
    wasSelected: boolean;
    piece: SVGUseElement | null;
  } | null = null;

  constructor(private readonly options: BoardOptions = {}) {
    this.root = svg(
      "svg",
      {
        role: "grid",
        tabindex: options.onMove ? 0 : null,
        "aria-label": options.label ?? t("Board"),
        onpointerdown: (event: PointerEvent) => this.pressed(event),
        onpointermove: (event: PointerEvent) => this.pointed(event),
        onpointerleave: () => this.hover(null),
        onpointerup: (event: PointerEvent) => this.released(event),
        onpointercancel: () => this.endDrag(),
        onkeydown: (event: KeyboardEvent) => this.typed(event),
        onfocus: () => {
          this.byKeys = this.root.matches(":focus-visible");
          this.drawMarks();
        },
        onblur: () => this.drawMarks(),
      },
      this.squares,
      this.marks,
      this.ghosts,
      this.pieces,
      this.doomed,
      this.dots,
      this.arrows,
      this.falling,
      this.held,
    );
    this.element = h("div", { class: "board" }, this.root, this.files, this.ranks, this.spoken);
    onNotation(() => this.drawCoordinates());
  }

  // Shows a position. What was played since the position before it is shown as it happens.
  show(state: GameState, options: { interactive?: boolean; flipped?: boolean; premover?: Color | null } = {}): void {
    const before = this.state;
    const flipped = options.flipped ?? false;
    const rebuild = !before || before.width !== state.width || this.flipped !== flipped;
    this.state = state;
    this.flipped = flipped;
    this.legal = options.interactive ? state.legal.filter((move) => !move.pass) : [];
    this.premover = options.premover ?? null;
    if (!this.premover) this.premove = null;
    this.hovered = null;
    this.selected = this.legal.some((move) => move.drop) ? "hand" : null;
    this.endDrag();
    if (rebuild) this.drawSquares();
    if (rebuild) this.drawArrows();
    this.drawPieces();
    if (rebuild || before.position !== state.position) this.drawGhosts();
    this.drawMarks();
    if (before && follows(before, state)) {
      this.announce(state);
      const { move, captures } = state.history.at(-1)!;
      if (this.options.sounds && squaresOf(move)) soundOfMove(captures.length > 0);
      animateMove(state, this.pieces, this.falling, (square) => this.place(square));
    }
  }

  // The move that was decided ahead; it is forgotten.
  takePremove(): Premove | null {
    const { premove } = this;
    this.premove = null;
    return premove;
  }

  // What a search thinks of the position shown.
  annotate(arrows: Arrow[], heat = new Map<string, number>()): void {
    this.annotations = arrows;
    this.heat = heat;
    this.drawArrows();
    this.drawMarks();
  }

  // A piece is taken from the hand beside the board.
  pressedHand(event: PointerEvent): void {
    const drop = this.legal.find((move) => move.drop);
    if (!drop || !this.state) return;
    event.preventDefault();
    this.selected = "hand";
    const piece = pieceUse({ kind: drop.drop!, color: this.state.toMove }, this.state.kinds);
    this.drag = { from: "hand", startX: event.clientX, startY: event.clientY, wasSelected: false, piece };
    this.root.setPointerCapture(event.pointerId);
    this.drawMarks();
  }

  private drawArrows(): void {
    fill(this.arrows, ...this.annotations.map((arrow) => drawArrow(arrow, (square) => this.place(square))));
  }

  private get width(): number {
    return this.state?.width ?? 8;
  }

  private place(square: string): { x: number; y: number } {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const column = this.flipped ? this.width - 1 - file : file;
    const row = this.flipped ? rank : this.width - 1 - rank;
    return { x: column * SQUARE, y: row * SQUARE };
  }

  private drawSquares(): void {
    const size = this.width * SQUARE;
    this.root.setAttribute("viewBox", `0 0 ${size} ${size}`);
    const rows = [svg("rect", { class: "surface", width: size, height: size })] as SVGElement[];
    for (let rank = this.width; rank >= 1; rank--) {
      const row = svg("g", { role: "row" });
      for (let file = 0; file < this.width; file++) {
        const square = String.fromCharCode(97 + file) + rank;
        const { x, y } = this.place(square);
        const cell = svg(
          "g",
          { role: "gridcell", id: `${this.id}-${square}`, "data-square": square },
          svg("rect", { class: "square", x, y, width: SQUARE, height: SQUARE }),
          this.state?.marks.includes(square) &&
            svg("path", { class: "board-mark", d: `M${x} ${y}l100 100m0-100l-100 100` }),
        );
        row.append(cell);
      }
      rows.push(row);
    }
    this.squares.replaceChildren(...rows);
    this.drawCoordinates();
  }

  // Beside the board, where no piece hides them.
  private drawCoordinates(): void {
    const numbers = Array.from({ length: this.width }, (_, i) => i);
    const turned = this.flipped ? [...numbers].reverse() : numbers;
    fill(this.files, ...turned.map((file) => h("span", {}, coordinate(String.fromCharCode(97 + file)))));
    fill(this.ranks, ...turned.map((rank) => h("span", {}, coordinate(String(rank + 1)))).reverse());
  }

  private drawPieces(): void {
    const state = this.state!;
    const movable = new Set(this.legal.map((move) => move.from));
    const bySquare = new Map(state.pieces.map((piece) => [piece.square, piece]));
    for (const cell of this.squares.querySelectorAll<SVGGElement>("[data-square]")) {
      const piece = bySquare.get(cell.dataset.square!);
      cell.classList.toggle("movable", movable.has(cell.dataset.square!));
      cell.setAttribute("aria-label", this.describe(cell.dataset.square!, piece));
    }
    this.pieces.replaceChildren(
      ...state.pieces.map((piece) => {
        const use = pieceUse(piece, state.kinds, this.place(piece.square));
        use.dataset.square = piece.square;
        return use;
      }),
    );
  }

  private describe(square: string, piece: Piece | undefined): string {
    if (!piece) return t("{square}, empty", { square });
    return `${square}, ${pieceName(piece, this.state!.kinds)}`;
  }

  // What the last move took, faintly where it stood until it fades; small where the taker stands on its square.
  private drawGhosts(): void {
    const { history, pieces, kinds } = this.state!;
    const occupied = new Set(pieces.map((piece) => piece.square));
    this.ghosts.replaceChildren(
      ...(history.at(-1)?.captures ?? []).map((piece) => {
        const { x, y } = this.place(piece.square);
        const small = occupied.has(piece.square);
        const ghost = pieceUse(piece, kinds, small ? { x: x + 62, y: y + 2, size: 36 } : { x, y });
        ghost.classList.add("ghost");
        ghost.dataset.fell = piece.square;
        return ghost;
      }),
    );
  }

  // Tells what has just been played to those who do not see it.
  private announce(state: GameState): void {
    const { move, written, captures } = state.history.at(-1)!;
    if (isDeclaration(move)) {
      const side = sideName(state.toMove);
      this.spoken.textContent =
        move === "count" ? t("{side} declares a count.", { side }) : t("{side} stops the count.", { side });
      return;
    }
    const side = sideName(captures[0] ? opponent(captures[0].color) : opponent(state.toMove));
    if (!squaresOf(move)) {
      this.spoken.textContent = t("{side} passes.", { side });
      return;
    }
    const taken = captures.map((piece) => `${translated(state.kinds[piece.kind] ?? piece.kind)} ${piece.square}`);
    const values = { side, move: moveText({ move, written }), pieces: listed(taken) };
    this.spoken.textContent = taken.length
      ? t("{side} plays {move}, takes {pieces}.", values)
      : t("{side} plays {move}.", values);
  }

  // Where the moves begin that are shown: the piece that is selected, else the one under the mouse.
  private get shownFrom(): string | null {
    if (this.selected) return this.selected;
    return this.legal.some((move) => move.from === this.hovered) ? this.hovered : null;
  }

  private targets(from = this.selected): LegalMove[] {
    if (!from) return [];
    return this.legal.filter((move) => (from === "hand" ? move.drop : move.from === from));
  }

  // The square that a move would go to: under the pointer, else under the keys' cursor.
  private get aim(): string | null {
    return this.hovered ?? (this.root.matches(":focus-visible") ? this.cursorSquare() : null);
  }

  private drawMarks(): void {
    const state = this.state;
    if (!state) return;
    const mark = (square: string, kind: string, opacity?: number) => {
      const rect = svg("rect", { class: kind, ...this.place(square), width: SQUARE, height: SQUARE });
      if (opacity !== undefined) rect.setAttribute("fill-opacity", opacity.toFixed(3));
      return rect;
    };
    const marks: SVGElement[] = [];
    const last = squaresOf(state.history.at(-1)?.move ?? "");
    if (last) marks.push(mark(last.to, "last"));
    if (last?.from) marks.push(mark(last.from, "last from"));
    for (const [square, share] of this.heat) marks.push(mark(square, "heat", share));
    for (const square of state.checked) marks.push(mark(square, "checked"));
    if (this.premove) marks.push(mark(this.premove.from, "premove"), mark(this.premove.to, "premove"));
    if (this.selected && this.selected !== "hand") marks.push(mark(this.selected, "selected"));
    if (this.root.matches(":focus-visible")) {
      const { x, y } = this.place(this.cursorSquare());
      marks.push(svg("rect", { class: "cursor", x: x + 4, y: y + 4, width: SQUARE - 8, height: SQUARE - 8, rx: 8 }));
    }
    this.marks.replaceChildren(...marks);

    this.drawTargets(state);
  }

  // A dot where the shown piece may go, a ring around it where its arrival takes something; a cross on what
  // would fall, faint where no square is aimed at.
  private drawTargets(state: GameState): void {
    const occupied = new Set(state.pieces.map((piece) => piece.square));
    const moves = this.targets(this.shownFrom);
    const takes = new Set(moves.filter((move) => move.captures.length).map((move) => move.to!));
    const peek = this.selected ? "" : " peek";
    this.dots.replaceChildren(
      ...[...new Set(moves.map((move) => move.to!))].flatMap((square) => {
        const { x, y } = this.place(square);
        const landing = occupied.has(square);
        const circle = (kind: string, r: number, attributes = {}) =>
          svg("circle", { class: kind + peek, cx: x + 50, cy: y + 50, r, ...attributes });
        const dot = circle(landing ? "dot ring" : "dot", landing ? 44 : 12, { "data-to": square });
        return takes.has(square) && !landing ? [dot, circle("takes", 28, { "data-takes": square })] : [dot];
      }),
    );
    const aimed = moves.filter((move) => move.to === this.aim);
    const shown = aimed.length ? aimed : this.selected ? moves : [];
    const falling = new Set(shown.flatMap((move) => move.captures));
    const kind = aimed.length ? "cross" : "cross faint";
    this.doomed.replaceChildren(
      ...[...falling].map((square) => {
        const { x, y } = this.place(square);
        const path = `M${x + 22} ${y + 22}l56 56m0-56l-56 56`;
        return svg("g", { class: kind, "data-falls": square }, svg("path", { d: path }), svg("path", { d: path }));
      }),
    );
  }

  private pointed(event: PointerEvent): void {
    this.dragged(event);
    if (event.pointerType === "mouse" || this.held.firstChild) this.hover(this.squareAt(event));
  }

  private hover(square: string | null): void {
    if (square === this.hovered) return;
    this.hovered = square;
    if (this.state && this.legal.length) this.drawTargets(this.state);
  }

  private squareAt(event: PointerEvent): string | null {
    const box = this.root.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.width);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.width);
    if (column < 0 || row < 0 || column >= this.width || row >= this.width) return null;
    const file = this.flipped ? this.width - 1 - column : column;
    const rank = this.flipped ? row : this.width - 1 - row;
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  private pressed(event: PointerEvent): void {
    const square = this.squareAt(event);
    this.byKeys = false;
    if (!square || event.button !== 0) return;
    if (this.premover) return this.decideAhead(square, this.premover);
    if (this.legal.length === 0) return;
    this.cursor = { file: square.charCodeAt(0) - 97, rank: Number(square[1]) - 1 };
    if (this.tryMove(square)) return;
    if (!this.legal.some((move) => move.from === square)) {
      if (this.selected !== "hand") this.choose(null);
      return;
    }
    const piece = this.pieces.querySelector<SVGUseElement>(`[data-square="${square}"]`);
    this.drag = {
      from: square,
      startX: event.clientX,
      startY: event.clientY,
      wasSelected: this.selected === square,
      piece,
    };
    this.root.setPointerCapture(event.pointerId);
    this.choose(square);
  }

  // A piece, then where it shall go; anything else takes the decision back.
  private decideAhead(square: string, side: Color): void {
    const own = this.state!.pieces.some((piece) => piece.square === square && piece.color === side);
    const from = this.selected;
    this.premove = from && !own ? { from, to: square } : null;
    this.selected = own && from !== square ? square : null;
    this.drawMarks();
  }

  private dragged(event: PointerEvent): void {
    if (!this.drag?.piece) return;
    const { piece, startX, startY } = this.drag;
    if (!this.held.firstChild) {
      if (Math.hypot(event.clientX - startX, event.clientY - startY) < DRAG_PIXELS) return;
      this.held.append(piece.cloneNode());
      piece.classList.add("lifted");
      this.root.classList.add("dragging");
    }
    const box = this.root.getBoundingClientRect();
    const scale = (this.width * SQUARE) / box.width;
    const held = this.held.firstElementChild!;
    held.setAttribute("x", String((event.clientX - box.left) * scale - SQUARE / 2));
    held.setAttribute("y", String((event.clientY - box.top) * scale - SQUARE / 2));
  }

  private released(event: PointerEvent): void {
    if (!this.drag) return;
    const { from, wasSelected } = this.drag;
    const moved = this.held.firstChild !== null;
    this.endDrag();
    if (event.pointerType !== "mouse") this.hover(null);
    const square = this.squareAt(event);
    if (moved && square && square !== from) this.tryMove(square);
    else if (!moved && wasSelected) this.choose(null);
  }

  private endDrag(): void {
    this.drag?.piece?.classList.remove("lifted");
    this.drag = null;
    this.held.replaceChildren();
    this.root.classList.remove("dragging");
  }

  private cursorSquare(): string {
    return String.fromCharCode(97 + this.cursor.file) + (this.cursor.rank + 1);
  }

  private typed(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    const step = steps[event.key];
    if (!this.byKeys && step?.[1] === 0) return;
    this.byKeys = true;
    if (step) {
      const turn = this.flipped ? -1 : 1;
      const clamp = (value: number) => Math.max(0, Math.min(this.width - 1, value));
      this.cursor = { file: clamp(this.cursor.file + turn * step[0]), rank: clamp(this.cursor.rank + turn * step[1]) };
    } else if (event.key === "Enter" || event.key === " ") {
      const square = this.cursorSquare();
      if (this.premover) this.decideAhead(square, this.premover);
      else if (!this.tryMove(square)) this.choose(this.legal.some((move) => move.from === square) ? square : null);
    } else if (event.key === "Escape") {
      this.premove = null;
      this.choose(null);
    } else {
      return;
    }
    event.preventDefault();
    const square = this.cursorSquare();
    this.root.setAttribute("aria-activedescendant", `${this.id}-${square}`);
    const reaching = this.targets().filter((move) => move.to === square);
    const taken = [...new Set(reaching.flatMap((move) => move.captures))];
    const described = this.describe(
      square,
      this.state?.pieces.find((piece) => piece.square === square),
    );
    this.hovered = null; // The keys lead now.
    const parts = [
      described,
      this.selected === square ? t("selected") : "",
      reaching.length ? t("can be reached") : "",
      taken.length ? t("takes {squares}", { squares: listed(taken) }) : "",
    ];
    this.spoken.textContent = capitalised(parts.filter(Boolean).join(", "));
    this.drawMarks();
  }

  private choose(square: string | null): void {
    this.selected = square ?? (this.legal.some((move) => move.drop) ? "hand" : null);
    this.drawMarks();
  }

  private tryMove(square: string): boolean {
    const moves = this.targets().filter((move) => move.to === square);
    if (moves.length === 0) return false;
    this.choose(null);
    this.options.onMove?.(moves);
    return true;
  }
}

// Whether a position is the one before it and one move more.
function follows(before: GameState, after: GameState): boolean {
  const count = after.history.length;
  return (
    before.game === after.game &&
    before.start === after.start &&
    before.history.length === count - 1 &&
    (count < 2 || before.position === after.history[count - 2]!.position)
  );
}

// The pieces taken so far, by their colour.
export function fallen(state: GameState): Record<Color, Piece[]> {
  const taken: Record<Color, Piece[]> = { white: [], black: [] };
  for (const entry of state.history) for (const piece of entry.captures) taken[piece.color].push(piece);
  return taken;
}
