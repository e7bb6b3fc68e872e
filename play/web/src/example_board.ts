// A board among the rules: a position, and the moves of its examples, each stepped forward and back.
import type { Backend, GameState, RulesBlock, RulesExample } from "./backend";
import { Board } from "./board";
import { button, fill, h } from "./dom";
import { listed } from "./moves";
import { isChess } from "./pieces";

type Questions = Pick<Backend, "state">;

export class ExampleBoard {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly caption = h("p", { class: "caption", role: "status" });
  private readonly rows: HTMLButtonElement[];
  private readonly back = button("Back", () => void this.go(this.step - 1), { "aria-label": "Back: before the move" });
  private readonly forward = button("Play it", () => void this.go(this.step + 1));
  private step = -1; // Two for each example: before its move, after it; -1: none is chosen.

  constructor(
    private readonly backend: Questions,
    private readonly game: string,
    private readonly block: RulesBlock,
  ) {
    this.board = new Board({ label: "Diagram" });
    this.rows = this.examples.map((example, i) =>
      button(claim(example, true), () => void this.go(2 * i + (this.step === 2 * i ? 1 : 0)), {
        "aria-pressed": "false",
      }),
    );
    const many = this.examples.length > 0;
    this.element = h(
      "figure",
      { class: many ? "example" : "example still" },
      this.board.element,
      h(
        "figcaption",
        {},
        block.text ? h("p", {}, block.text) : null,
        many ? h("div", { class: "buttons column small" }, ...this.rows) : null,
        many ? this.caption : null,
        many ? h("div", { class: "buttons small steps-line" }, this.back, this.forward) : null,
      ),
    );
  }

  private get examples(): RulesExample[] {
    return this.block.examples ?? [];
  }

  // Draws the position; asks the backend, so only when it will be seen.
  async open(): Promise<void> {
    const start = this.examples[0]?.start ?? this.block.position!;
    this.board.show(await this.backend.state({ game: this.game, start, moves: [] }));
    this.mark();
  }

  private async go(step: number): Promise<void> {
    const wanted = Math.max(-1, Math.min(2 * this.examples.length - 1, step));
    const example = this.examples[Math.max(0, wanted >> 1)]!;
    const after = wanted >= 0 && wanted % 2 === 1 && example.legal;
    this.step = wanted;
    const query = { game: this.game, start: example.start };
    const before = await this.backend.state({ ...query, moves: [] });
    const state = after ? await this.backend.state({ ...query, moves: [example.move] }) : before;
    if (this.step !== wanted) return; // Another step was taken meanwhile.
    this.board.show(before);
    if (after) this.board.show(state);
    this.board.annotate(after || wanted < 0 ? [] : [{ move: example.move, share: 0.55, kind: "hint" }]);
    this.mark(example, after ? state : null);
  }

  private mark(example?: RulesExample, after: GameState | null = null): void {
    const chosen = this.step >> 1;
    this.rows.forEach((row, i) => row.setAttribute("aria-pressed", String(i === chosen)));
    this.back.disabled = this.step < 0;
    const last = this.step >= 2 * this.examples.length - 1;
    this.forward.disabled = last;
    this.forward.textContent = this.step < 0 ? "First example" : this.step % 2 ? "Next example" : "Play it";
    if (this.step >= 0 && this.step % 2 === 0 && !example!.legal) this.forward.textContent = "Next example";
    fill(this.caption, this.step < 0 || !example ? "" : after ? outcome(example, after) : claim(example, false));
  }
}

// "f5f7 takes e7 and g7: arrives between them."
function claim(example: RulesExample, short: boolean): string {
  const remark = example.remark && !short ? `: ${example.remark}.` : short ? "" : ".";
  if (!example.legal) return `${example.move} is not allowed${remark}`;
  if (short && example.captures.length === 0) return example.move;
  return `${example.move} ${example.captures.length ? `takes ${listed(example.captures)}` : "takes nothing"}${remark}`;
}

// What the move has come to, in games where it is not all about captures.
function outcome(example: RulesExample, after: GameState): string {
  const words = [];
  if (example.captures.length || !isChess(after.kinds)) words.push(claim(example, false));
  else words.push(`${example.move}.`);
  if (after.outcome.over) words.push(`The game is over: ${after.outcome.reason}.`);
  if (after.count) words.push(after.count.text);
  return words.join(" ");
}
