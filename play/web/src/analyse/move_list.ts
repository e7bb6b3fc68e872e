// The moves of a game, each a button to look back at it, and the steps through them.
import { button, fill, h } from "../dom";
import { isDeclaration, movers } from "../board/moves";
import type { RulesEnd } from "../backend/backend";
import { listed, t } from "../language";
import { moveText, onNotation } from "../notation";
import type { Session } from "../play/session";
import { scrollToCurrent, stepButtons } from "../step_buttons";
import { rulesEndText } from "../tags";

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "moves", "aria-label": t("Moves") });
  private rulesEnd: RulesEnd | undefined;

  constructor(private readonly session: Session) {
    this.element = h("div", { class: "move-list" }, this.list, stepButtons(session));
    onNotation(() => this.draw());
  }

  // `rulesEnd`: where the rules ended the game although it goes on.
  update(rulesEnd?: RulesEnd): void {
    this.rulesEnd = rulesEnd;
    this.draw();
  }

  private draw(): void {
    const { head, cursor } = this.session;
    if (!head) return;
    const sides = movers(head);
    const rows: HTMLElement[] = [];
    let number = 0;
    let row: HTMLElement | null = null;
    head.history.forEach((entry, index) => {
      const black = sides[index] === "black";
      if (!row || !black) {
        // A declaration stands in the row of the move that it comes before.
        if (!row || !isDeclaration(head.history[index - 1]?.move ?? "")) {
          if (!black || number === 0) number++;
          const gap = black ? h("span", { class: "gap" }, "…") : null;
          row = h("li", {}, h("span", { class: "number" }, `${number}.`), gap);
          rows.push(row);
        }
      }
      row.append(
        button(moveText(entry), () => void this.session.goTo(index + 1), {
          class: isDeclaration(entry.move) ? "declaration" : entry.captures.length ? "capture" : "",
          "aria-current": index + 1 === cursor ? "true" : null,
          title: entry.captures.length
            ? t("takes {squares}", { squares: listed(entry.captures.map((piece) => piece.square)) })
            : null,
        }),
      );
      if (this.rulesEnd?.ply !== index + 1) return;
      rows.push(rulesEndRow(this.rulesEnd));
      row = null;
    });
    fill(this.list, ...rows);
    scrollToCurrent(this.list);
  }
}

// The line of a list of moves that marks where the rules ended the game.
export const rulesEndRow = (rulesEnd: RulesEnd) => h("li", { class: "rules-end" }, rulesEndText(rulesEnd));
