// The moves that were played from a position in the games of the library: how often, with which results, and what the
// running search expects of them.
import { Missing } from "../backend/backend";
import type { Backend, GameQuery, LibraryMove, MoveInfo, Wdl } from "../backend/backend";
import { button, fill, h, messageOf } from "../dom";
import { number, plural, t } from "../language";
import { percent } from "../board/moves";
import { moveText, onNotation } from "../notation";
import { barParts, oddsText } from "./wdl_bar";

const KEY = "makzero.explorer"; // Whether the panel is open.

export class Explorer {
  readonly element: HTMLDetailsElement;
  private readonly facts = h("p", { class: "facts" });
  private readonly table = h("table");
  private readonly scroll = h("div", { class: "table-scroll" }, this.table);
  private moves: LibraryMove[] = [];
  private infos: MoveInfo[] = [];
  private asked = 0; // Answers to older questions are dropped.

  constructor(
    private readonly backend: Pick<Backend, "library">,
    private readonly position: () => GameQuery | null, // The one on the board.
    private readonly play: (move: string) => void,
  ) {
    this.element = h(
      "details",
      { class: "panel explorer", hidden: !backend.library, open: wasOpen() },
      h("summary", {}, t("Moves in the library")),
      this.facts,
      this.scroll,
    );
    this.element.ontoggle = () => {
      keepOpen(this.element.open);
      void this.update();
    };
    onNotation(() => this.draw());
  }

  // Another position is shown, the panel is opened, or games may have been imported.
  async update(): Promise<void> {
    const query = this.position();
    if (!this.backend.library || !this.element.open || this.element.hidden || !query) return;
    const asked = ++this.asked;
    this.moves = [];
    this.draw();
    const { game, start, moves } = query;
    try {
      const found = await this.backend.library.moves({ game, moves, ...(start && { start }) });
      if (asked !== this.asked) return;
      this.moves = found.moves;
      this.facts.textContent = found.total
        ? plural("{count} game of the library", "{count} games of the library", found.total)
        : t("No game of the library goes on from this position; games are imported under Library.");
    } catch (error) {
      if (asked !== this.asked) return;
      this.moves = [];
      this.element.hidden = error instanceof Missing; // There is no library.
      this.facts.textContent = messageOf(error);
    }
    this.draw();
  }

  // Shows what the search of this position expects so far; nothing when another position is shown.
  judge(infos: MoveInfo[]): void {
    this.infos = infos;
    if (this.element.open) this.draw();
  }

  private draw(): void {
    const heads = [t("Move"), t("Games"), t("White / draw / Black"), t("Search")];
    fill(
      this.table,
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...this.moves.map((move) => this.row(move))),
    );
    this.scroll.hidden = this.moves.length === 0;
  }

  private row(played: LibraryMove): HTMLElement {
    const info = this.infos.find(({ move }) => move === played.move);
    const mover = button(moveText(played), () => this.play(played.move), { title: t("Play it") });
    const value = info && (info.wdl ? info.wdl[0] + info.wdl[1] / 2 : info.winrate);
    return h(
      "tr",
      {},
      h("td", {}, mover),
      h("td", {}, number(played.count)),
      h("td", {}, resultBar(played)),
      h("td", {}, percent(value)),
    );
  }
}

function resultBar({ white, draw, black }: LibraryMove): HTMLElement {
  const decided = white + draw + black;
  if (decided === 0) return h("span", {}, "–");
  const shares: Wdl = [white / decided, draw / decided, black / decided];
  const words = oddsText(shares);
  return h("span", { class: "wdl-bar", role: "img", "aria-label": words, title: words }, ...barParts(shares));
}

function wasOpen(): boolean {
  try {
    return localStorage.getItem(KEY) === "open";
  } catch {
    return false;
  }
}

function keepOpen(open: boolean): void {
  try {
    localStorage.setItem(KEY, open ? "open" : "closed");
  } catch {
    // It is closed again when the page is opened anew.
  }
}
