// The moves of a game, each a button to look back at it, and the steps through them.
import { button, fill, h } from "../dom";
import { isDeclaration, movers } from "../board/moves";
import { listed, t } from "../language";
import { moveText, onNotation } from "../notation";
import type { Session } from "../play/session";
import { scrollToCurrent, stepButtons } from "../step_buttons";

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "moves", "aria-label": t("Moves") });

  constructor(private readonly session: Session) {
    this.element = h("div", { class: "move-list" }, this.list, stepButtons(session));
    onNotation(() => this.update());
  }

  update(): void {
    const { head, cursor } = this.session;
    if (!head) return;
    const sides = movers(head);
    const rows: HTMLElement[] = [];
    let number = 0;
    let row: HTMLElement | null = null;
    head.history.forEach((entry, index) => {
      if (!row || sides[index] === "white") {
        // A declaration stands in the row of the move that it comes before.
        if (!row || !isDeclaration(head.history[index - 1]?.move ?? "")) {
          row = h(
            "li",
            {},
            h("span", { class: "number" }, `${++number}.`),
            sides[index] === "black" ? h("span", { class: "gap" }, "…") : null,
          );
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
    });
    fill(this.list, ...rows);
    scrollToCurrent(this.list);
  }
}
