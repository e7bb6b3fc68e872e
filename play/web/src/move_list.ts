// The moves of a game, each a button to look back at it, and the steps through them.
import { button, fill, h } from "./dom";
import { listed, t } from "./language";
import { isClaim, moveLabel, movers } from "./moves";
import type { Session } from "./session";

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "moves", "aria-label": t("Moves") });

  constructor(private readonly session: Session) {
    const step = (label: string, name: string, go: () => void) =>
      button(label, go, { "aria-label": name, title: name });
    this.element = h(
      "div",
      { class: "move-list" },
      this.list,
      h(
        "div",
        { class: "steps", role: "group", "aria-label": t("Look back") },
        step("«", t("To the start"), () => void session.goTo(0)),
        step("‹", t("One move back"), () => void session.step(-1)),
        step("›", t("One move on"), () => void session.step(1)),
        step("»", t("To the end"), () => void session.goTo(session.query.moves.length)),
      ),
    );
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
        if (!row || !isClaim(head.history[index - 1]?.move ?? "")) {
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
        button(moveLabel(entry.move), () => void this.session.goTo(index + 1), {
          class: isClaim(entry.move) ? "claim" : entry.captures.length ? "capture" : "",
          "aria-current": index + 1 === cursor ? "true" : null,
          title: entry.captures.length
            ? t("takes {squares}", { squares: listed(entry.captures.map((piece) => piece.square)) })
            : null,
        }),
      );
    });
    fill(this.list, ...rows);
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    this.list.scrollTop = current ? current.offsetTop - this.list.clientHeight / 2 : 0;
  }
}
