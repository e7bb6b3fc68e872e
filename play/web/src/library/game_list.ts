// A page of the library's games: each can be opened, and chosen for what is done with several.
import type { LibraryGame } from "../backend/backend";
import { button, fill, h } from "../dom";
import { plural, t, translated } from "../language";
import { gameTitle, known } from "../tags";

export interface GameListHandlers {
  open(id: number): void;
  chosen(): void; // Others are chosen.
}

export class GameList {
  readonly element = h("ol", { class: "library-games", "aria-label": t("Games") });
  readonly all = h("input", { type: "checkbox", name: "all", onchange: () => this.choosePage(this.all.checked) });
  private readonly ids = new Set<number>(); // Also of other pages.
  private games: LibraryGame[] = [];

  constructor(private readonly on: GameListHandlers) {}

  get chosen(): number[] {
    return [...this.ids];
  }

  choose(ids: number[]): void {
    this.ids.clear();
    for (const id of ids) this.ids.add(id);
  }

  show(games: LibraryGame[]): void {
    this.games = games;
    fill(this.element, ...games.map((game) => this.row(game)));
    this.element.hidden = games.length === 0;
    this.all.checked = games.length > 0 && games.every(({ id }) => this.ids.has(id));
  }

  private choosePage(chosen: boolean): void {
    for (const { id } of this.games) chosen ? this.ids.add(id) : this.ids.delete(id);
    this.show(this.games);
    this.on.chosen();
  }

  private row(game: LibraryGame): HTMLElement {
    const title = gameTitle(known(game.white), known(game.black), game.result);
    const box = h("input", {
      type: "checkbox",
      checked: this.ids.has(game.id),
      "aria-label": t("Choose {game}", { game: title }),
      onchange: () => {
        box.checked ? this.ids.add(game.id) : this.ids.delete(game.id);
        this.all.checked = this.games.every(({ id }) => this.ids.has(id));
        this.on.chosen();
      },
    });
    const open = button(title, () => this.on.open(game.id), { title: t("Open it in the analysis") });
    return h("li", {}, h("label", { class: "choose" }, box), open, h("small", {}, facts(game)));
  }
}

// "Makruk · 2025.01.31 · Casual game · 84 plies · accuracy 92 % and 81 %".
function facts({ title, date, event, plies, reviewed, accuracy }: LibraryGame): string {
  const [white, black] = accuracy ?? [];
  const review =
    white !== undefined && black !== undefined
      ? t("accuracy {white} % and {black} %", { white, black })
      : reviewed
        ? t("reviewed")
        : "";
  const length = plural("{count} ply", "{count} plies", plies);
  return [translated(title), known(date), known(event), length, review].filter(Boolean).join(" · ");
}
