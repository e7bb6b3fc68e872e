// A board among the rules: a position, and the moves of its examples, each stepped forward and back.
import type { Backend, GameState, Rules, RulesBlock, RulesExample } from "../backend/backend";
import { Board } from "./board";
import { button, h } from "../dom";
import { spoken, t, translated } from "../language";
import { takesText } from "./moves";

type Questions = Pick<Backend, "state">;

// The board before or after the move of an example; what is not allowed has no after.
interface Step {
  example: RulesExample;
  played: boolean;
}

export class ExampleBoard {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly caption = h("p", { class: "caption", role: "status" });
  private readonly rows: HTMLButtonElement[];
  private readonly back = button(t("Back"), () => void this.go(this.at - 1), {
    "aria-label": t("Back: before the move"),
  });
  private readonly forward = button(t("First example"), () => void this.go(this.at + 1));
  private readonly steps: Step[];
  private at = -1; // In steps; -1: no example is chosen.

  constructor(
    private readonly backend: Questions,
    private readonly rules: Rules,
    private readonly block: RulesBlock,
  ) {
    this.board = new Board({ label: t("Diagram") });
    const examples = block.examples ?? [];
    this.steps = examples.flatMap((example) => [
      { example, played: false },
      ...(example.legal ? [{ example, played: true }] : []),
    ]);
    this.rows = examples.map((example) => {
      const before = this.steps.findIndex((step) => step.example === example);
      const choose = () => void this.go(this.at === before && example.legal ? before + 1 : before);
      return button(this.claim(example), choose, { "aria-pressed": "false" });
    });
    this.element = h(
      "figure",
      { class: examples.length ? "example" : "example still" },
      this.board.element,
      h(
        "figcaption",
        {},
        block.text ? h("p", {}, translated(block.text)) : null,
        ...(examples.length
          ? [
              h("div", { class: "buttons column small" }, ...this.rows),
              this.caption,
              h("div", { class: "buttons small" }, this.back, this.forward),
            ]
          : []),
      ),
    );
  }

  // Draws the position; asks the backend, so only when it will be seen.
  async open(): Promise<void> {
    const start = this.block.examples?.[0]?.start ?? this.block.position!;
    this.board.show(await this.state(start));
    this.mark(null);
  }

  private state(start: string, moves: string[] = []): Promise<GameState> {
    return this.backend.state({ game: this.rules.game, start, moves });
  }

  private async go(at: number): Promise<void> {
    const wanted = Math.max(-1, Math.min(this.steps.length - 1, at));
    this.at = wanted;
    const { example, played } = this.steps[wanted] ?? { example: this.steps[0]!.example, played: false };
    const before = await this.state(example.start);
    const after = played ? await this.state(example.start, [example.move]) : null;
    if (this.at !== wanted) return; // Another step was taken meanwhile.
    this.board.show(before);
    if (after) this.board.show(after); // Seen as it happens.
    this.board.annotate(after || wanted < 0 ? [] : [{ move: example.move, share: 0.55, kind: "hint" }]);
    this.mark(after);
  }

  private mark(after: GameState | null): void {
    const step = this.steps[this.at];
    (this.block.examples ?? []).forEach((example, i) =>
      this.rows[i]!.setAttribute("aria-pressed", String(example === step?.example)),
    );
    this.back.disabled = !step;
    this.forward.disabled = this.at === this.steps.length - 1;
    const ends = step && (step.played || !step.example.legal);
    this.forward.textContent = !step ? t("First example") : ends ? t("Next example") : t("Play it");
    this.caption.textContent = step ? this.sentence(step.example, after) : "";
  }

  // "f5f7 takes e7 and g7". That nothing is taken is only worth saying where moves are about captures.
  private claim({ move, legal, captures }: RulesExample): string {
    if (!legal) return t("{move} is not allowed", { move });
    const chess = this.rules.pieces.some(({ kind }) => kind === "P");
    return chess && captures.length === 0 ? move : takesText(move, captures);
  }

  // The same as a sentence with the remark, and after the move what has come of it.
  private sentence(example: RulesExample, after: GameState | null): string {
    const remark = translated(example.remark);
    const words = [`${this.claim(example)}${remark && `: ${remark}`}.`];
    if (after?.outcome.over) words.push(t("The game is over: {reason}.", { reason: translated(after.outcome.reason) }));
    if (after?.count) words.push(spoken(after.count.textParts));
    return words.join(" ");
  }
}
