// Beside the board, for each side: who plays it, what it holds in the hand, and which of its men have fallen.
import type { Color, GameState } from "../backend/backend";
import { fallen, type Board } from "../board/board";
import { button, fill, h } from "../dom";
import { listed, number, t, translated } from "../language";
import { sideName } from "../board/moves";
import { pieceIcon } from "../board/pieces";

export class PlayerStrip {
  readonly element = h("div", { class: "strip" });

  private readonly clock = h("span", { class: "clock", role: "timer", hidden: true });

  constructor(private readonly board: Board) {}

  // Null: there is no clock.
  tell(time: string | null): void {
    this.clock.hidden = time === null;
    this.clock.textContent = time;
    this.clock.classList.toggle("low", time !== null && !time.includes(":"));
  }

  // `rename`: of a person whose name can be changed.
  show(state: GameState, side: Color, name: string, thinking: boolean, rename: (() => void) | null = null): void {
    const toMove = state.toMove === side && !state.outcome.over;
    this.element.classList.toggle("to-move", toMove);
    this.element.dataset.side = side;
    fill(
      this.element,
      h("span", { class: `seat ${side}`, "aria-hidden": "true" }),
      h("strong", {}, name),
      rename
        ? button("✎", rename, { class: "rename", "aria-label": t("Change your name"), title: t("Change your name") })
        : null,
      h("span", { class: "visually-hidden" }, toMove ? t("to move") : ""),
      thinking ? h("span", { class: "thinking" }, t("thinking")) : null,
      this.hand(state, side),
      this.tray(state, side),
      this.clock,
    );
  }

  private hand(state: GameState, side: Color): HTMLElement | null {
    const held = Object.entries(state.hands[side] ?? {}).filter(([, count]) => count > 0);
    if (held.length === 0) return null;
    const hand = h("span", {
      class: "hand",
      "aria-label": t("{side}'s hand: {count}", {
        side: sideName(side),
        count: held.reduce((sum, [, n]) => sum + n, 0),
      }),
    });
    for (const [kind, count] of held) {
      const icon = pieceIcon({ kind, color: side }, state.kinds);
      if (side === state.toMove) icon.addEventListener("pointerdown", (event) => this.board.pressedHand(event));
      hand.append(icon, h("span", { class: "count" }, `× ${number(count)}`));
    }
    return hand;
  }

  private tray(state: GameState, side: Color): HTMLElement | null {
    const lost = fallen(state)[side];
    if (lost.length === 0) return null;
    const names = lost.map((piece) => translated(state.kinds[piece.kind] ?? piece.kind));
    const tray = h("span", {
      class: "tray",
      role: "img",
      "aria-label": t("fallen: {pieces}", { pieces: listed(names) }),
      title: t("{count} fallen", { count: lost.length }),
    });
    tray.append(...lost.map((piece) => pieceIcon(piece, state.kinds)));
    return tray;
  }
}
