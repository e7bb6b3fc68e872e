// How a game is expected to end, as White sees it: a bar for now, and a small diagram of how that went.
import type { Wdl } from "../backend/backend";
import { fill, h, svg } from "../dom";
import { t } from "../language";

export class WdlBar {
  readonly element: HTMLElement;
  private readonly bar = h("div", { class: "wdl-bar", "aria-hidden": "true" });
  private readonly words = h("p", { class: "wdl-words" });
  private readonly history = svg("svg", {
    class: "wdl-history",
    viewBox: "0 0 100 30",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });

  constructor() {
    this.element = h("div", { class: "wdl" }, this.bar, this.words, this.history);
    this.update(null, [], 0);
  }

  // `history[n]` is what was expected after n moves, where it was asked.
  update(now: Wdl | null, history: (Wdl | undefined)[], cursor: number): void {
    fill(this.bar, ...(now ? barParts(now) : []));
    this.words.textContent = now ? oddsText(now) : t("not judged yet");
    this.drawHistory(history, cursor);
  }

  private drawHistory(history: (Wdl | undefined)[], cursor: number): void {
    const known = history.flatMap((wdl, ply) => (wdl ? [{ ply, wdl }] : []));
    this.history.classList.toggle("empty", known.length < 2);
    if (known.length < 2) return;
    const first = known[0]!.ply;
    const last = Math.max(first + 1, history.length - 1);
    const x = (ply: number) => ((100 * (ply - first)) / (last - first)).toFixed(2);
    const line = (height: (wdl: Wdl) => number) =>
      known.map(({ ply, wdl }) => `${x(ply)},${(30 * height(wdl)).toFixed(2)}`);
    const top = line(([, , loss]) => loss);
    const bottom = line(([win]) => 1 - win);
    const [from, to] = [x(known[0]!.ply), x(known.at(-1)!.ply)];
    fill(
      this.history,
      svg("polygon", { class: "black", points: `${from},0 ${top.join(" ")} ${to},0` }),
      svg("polygon", { class: "draw", points: [...top, ...bottom.reverse()].join(" ") }),
      svg("polygon", { class: "white", points: `${from},30 ${bottom.reverse().join(" ")} ${to},30` }),
      svg("line", { class: "now", x1: x(cursor), x2: x(cursor), y1: 0, y2: 30 }),
    );
  }
}

// The parts of a bar: White's share, that of draws, Black's.
export function barParts(shares: Wdl): HTMLElement[] {
  return ["white", "draw", "black"].map((kind, i) => {
    const element = h("span", { class: kind });
    element.style.flexGrow = String(shares[i]);
    return element;
  });
}

// "White 4 %, draw 93 %, Black 3 %".
export function oddsText([win, draw, loss]: Wdl): string {
  const share = (value: number) => Math.round(100 * value);
  return t("White {white} %, draw {draw} %, Black {black} %", {
    white: share(win),
    draw: share(draw),
    black: share(loss),
  });
}
