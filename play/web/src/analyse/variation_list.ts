// The moves of an analysed game as a tree: each a button that goes there; variations in parentheses, which can be made
// the main line or deleted.
import { button, fill, h } from "../dom";
import { t } from "../language";
import { isDeclaration } from "../board/moves";
import { moveText, onNotation } from "../notation";
import { rulesEndRow } from "./move_list";
import type { RulesEnd } from "../backend/backend";
import type { Session } from "../play/session";
import { scrollToCurrent, stepButtons } from "../step_buttons";
import { onMainLine, type Variation, type Variations } from "./variations";

const GLYPHS = ["", "!", "?", "!!", "??", "!?", "?!"]; // By the numbers of PGN.

export interface Passed {
  move: Variation;
  end: RulesEnd;
}

export interface VariationHandlers {
  goTo(variation: Variation): void;
  promote(variation: Variation): void;
  remove(variation: Variation): void;
}

export class VariationList {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "moves", "aria-label": t("Moves") });
  private readonly actions = h("div", { class: "buttons" });
  private tree: Variations | null = null;
  private current: Variation | null = null;
  private passed: Passed | null = null;

  constructor(
    private readonly session: Session,
    private readonly on: VariationHandlers,
  ) {
    this.element = h("div", { class: "move-list" }, this.list, stepButtons(session), this.actions);
    onNotation(() => this.draw());
  }

  // `passed`: the move with which the rules ended the game although it goes on.
  show(tree: Variations, current: Variation, passed: Passed | null): void {
    this.tree = tree;
    this.current = current;
    this.passed = passed;
    this.draw();
  }

  private draw(): void {
    if (!this.tree || !this.current || !this.session.head) return;
    fill(this.list, ...this.rows(this.tree.start));
    this.drawActions(this.current);
    scrollToCurrent(this.list);
  }

  // The main line, a row for White's and Black's move, and a row of variations below the move that they replace.
  private rows(start: Variation): HTMLElement[] {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    let count = 0; // White's moves so far.
    for (let at = start; at.next[0]; at = at.next[0]) {
      const move = at.next[0];
      const white = move.mover === "white";
      const declared = isDeclaration(at.move); // It stands in the row of the move that it comes before.
      if (!declared && (white || count === 0)) count++;
      if (!row || (white && !declared)) {
        const gap = white ? null : h("span", { class: "gap" }, "…");
        row = h("li", {}, h("span", { class: "number" }, `${count}.`), gap);
        rows.push(row);
      }
      row.append(this.move(move));
      if (move.comment) row.append(h("span", { class: "comment" }, move.comment));
      const others = at.next.slice(1);
      if (move === this.passed?.move) rows.push(rulesEndRow(this.passed.end));
      if (move === this.passed?.move) row = null;
      if (others.length) {
        rows.push(h("li", { class: "variations" }, ...others.map((other) => this.variation(other, count))));
        row = null;
      }
    }
    return rows;
  }

  // A variation with those within it; `count` is the number of its first move.
  private variation(first: Variation, count: number): HTMLElement {
    const element = h("span", { class: "line" }, "(");
    let broken = true; // Black's number is written too.
    for (let at: Variation | undefined = first; at; at = at.next[0]) {
      const white = at.mover === "white";
      if (white && at !== first) count++;
      if (white || broken) element.append(`${count}${white ? "." : "…"} `);
      element.append(this.move(at));
      if (at.comment) element.append(h("span", { class: "comment" }, at.comment));
      const others: Variation[] = at === first ? [] : at.parent!.next.slice(1);
      for (const other of others) element.append(this.variation(other, count));
      broken = others.length > 0;
    }
    element.append(")");
    return element;
  }

  private move(variation: Variation): HTMLElement {
    const glyphs = variation.nags.map((nag) => GLYPHS[nag] ?? "").join("");
    return button(moveText(variation) + glyphs, () => this.on.goTo(variation), {
      class: isDeclaration(variation.move) ? "declaration" : variation.written.includes("x") ? "capture" : "",
      "aria-current": variation === this.current ? "true" : null,
    });
  }

  private drawActions(current: Variation): void {
    if (!current.parent) return fill(this.actions);
    const promote = button(t("Make main line"), () => this.on.promote(current));
    fill(
      this.actions,
      onMainLine(current) ? null : promote,
      button(t("Delete from here"), () => this.on.remove(current)),
    );
  }
}
