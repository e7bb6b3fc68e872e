// The candidate moves of a search with what is expected to follow them.
import type { MoveInfo, SearchResult, Wdl } from "../backend/backend";
import { button, fill, h } from "../dom";
import { number, t } from "../language";
import { percent } from "../board/moves";
import { moveText, onNotation } from "../notation";

const heads = () => [t("Move"), t("Visits"), t("First guess"), t("W/D/L"), t("Plies left")];

export interface CandidateHandlers {
  play(move: string): void;
  look(moves: string[] | null): void; // At the position after these moves; null: at none any more.
}

export class CandidateTable {
  readonly element: HTMLElement;
  private readonly table = h("table", { class: "candidates" });

  private shown: { result: SearchResult; network: boolean } | null = null;

  constructor(private readonly handlers: CandidateHandlers) {
    this.element = h("div", { class: "table-scroll", role: "region", "aria-label": t("Candidate moves") }, this.table);
    onNotation(() => this.shown && this.show(this.shown.result, this.shown.network));
  }

  clear(): void {
    this.shown = null;
    fill(this.table);
  }

  // Others than networks have no visits, priors or plies left.
  show(result: SearchResult, network: boolean): void {
    this.shown = { result, network };
    const rows = result.moveInfos.map((info) =>
      this.drawCandidate(info, figures(info, result.rootInfo.visits, network)),
    );
    fill(this.table, h("thead", {}, h("tr", {}, ...heads().map((head) => h("th", { scope: "col" }, head)))), ...rows);
  }

  // Two rows: the figures of a move, and its variation.
  private drawCandidate({ move, pv, written }: MoveInfo, cells: HTMLElement[]): HTMLElement {
    const { play, look } = this.handlers;
    const mover = button(moveText({ move, written: written[0]! }), () => play(move), {
      title: t("Play it"),
      onpointerenter: () => look([move]),
      onfocus: () => look(pv),
      onblur: () => look(null),
    });
    const words = pv.map((word, index) =>
      h(
        "span",
        { onpointerenter: () => look(pv.slice(0, index + 1)) },
        `${moveText({ move: word, written: written[index]! })} `,
      ),
    );
    const variation = h("td", { colspan: 4, class: "variation" }, h("div", {}, ...words));
    return h(
      "tbody",
      { onpointerleave: () => look(null) },
      h("tr", {}, h("td", { rowspan: 2 }, mover), ...cells),
      h("tr", {}, variation),
    );
  }
}

function figures(info: MoveInfo, total: number, network: boolean): HTMLElement[] {
  const unknown = () => h("td", {}, "–");
  const wdl = h("td", {}, info.wdl ? wdlText(info.wdl) : percent(info.winrate));
  if (!network) return [unknown(), unknown(), wdl, unknown()];
  const share = h("small", {}, ` ${percent(info.visits / Math.max(total, 1))}`);
  const visits = h("td", {}, number(info.visits), share);
  const pliesLeft = info.movesLeft === undefined ? unknown() : h("td", {}, number(Math.round(info.movesLeft)));
  return [visits, h("td", {}, percent(info.prior, 1)), wdl, pliesLeft];
}

// "54/30/16": wins, draws and losses of a hundred.
export function wdlText(wdl: Wdl): string {
  return wdl.map((share) => number(Math.round(100 * share))).join("/");
}
