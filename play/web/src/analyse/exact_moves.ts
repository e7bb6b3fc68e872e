// The moves of a solved ending with their exact values, which the installed tables know.
import type { ExactMoves } from "../backend/backend";
import { button, fill, h } from "../dom";
import { moveText, onNotation } from "../notation";
import { spoken, t } from "../language";

export class ExactMovesList {
  readonly element = h("dl", { class: "exact", "aria-label": t("Exact values") });
  private shown: ExactMoves[] = [];

  constructor(private readonly play: (move: string) => void) {
    onNotation(() => this.draw());
  }

  // A search tells the same again and again: buttons stay.
  show(groups: ExactMoves[]): void {
    if (JSON.stringify(groups) === JSON.stringify(this.shown)) return;
    this.shown = groups;
    this.draw();
  }

  private draw(): void {
    const moves = (group: ExactMoves) =>
      group.moves.map((move) => button(moveText(move), () => this.play(move.move), { "data-move": move.move }));
    fill(
      this.element,
      ...this.shown.flatMap((group) => [h("dt", {}, spoken(group.textParts)), h("dd", {}, ...moves(group))]),
    );
  }
}
