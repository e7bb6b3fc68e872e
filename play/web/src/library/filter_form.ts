// The filters of the library: players, game, result, dates, text, position, and the order of the list.
import type { GameInfo, GameQuery, LibraryFilter, LibraryOrder } from "../backend/backend";
import { h, labelled, select } from "../dom";
import { plural, t, translated } from "../language";

const PAUSE_MS = 300; // Between the last letter and the search.
const RESULTS = ["1-0", "1/2-1/2", "0-1", "*"];

export class FilterForm {
  readonly element: HTMLDetailsElement;
  private readonly player = field("player", "text");
  private readonly text = field("text", "text");
  private readonly from = field("from", "date");
  private readonly to = field("to", "date");
  private readonly game: HTMLSelectElement;
  private readonly result: HTMLSelectElement;
  private readonly order: HTMLSelectElement;
  private readonly onBoard = h("input", { type: "checkbox", name: "position" });
  private readonly where = h("small");
  private timer = 0;

  constructor(
    private readonly games: GameInfo[],
    private readonly position: () => GameQuery,
    changed: () => void,
  ) {
    const any = (label: string) => ({ value: "", label });
    const rulesets = games.map(({ game, title }) => ({ value: game, label: translated(title) }));
    this.game = select([any(t("all games")), ...rulesets], "", changed, { name: "game" });
    const results = RESULTS.map((value) => ({ value, label: resultText(value) }));
    this.result = select([any(t("all results")), ...results], "", changed, { name: "result" });
    this.order = select(orders(), "added", changed, { name: "order" });
    this.onBoard.onchange = changed;
    for (const one of [this.player, this.text, this.from, this.to])
      one.oninput = () => {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(changed, PAUSE_MS);
      };
    const form = h(
      "form",
      { role: "search", "aria-label": t("Which games"), onsubmit: (event: Event) => event.preventDefault() },
      labelled(t("Player"), this.player),
      labelled(t("Game"), this.game),
      labelled(t("Result"), this.result),
      labelled(t("From"), this.from),
      labelled(t("To"), this.to),
      labelled(t("Event, place or file"), this.text),
      labelled(t("Order"), this.order),
      h(
        "label",
        { class: "check-field" },
        this.onBoard,
        h("span", {}, t("with the position on the board"), " ", this.where),
      ),
    );
    // Folded where it would take the screen.
    const open = matchMedia("(min-width: 861px)").matches;
    this.element = h("details", { class: "filters", open }, h("summary", {}, t("Which games")), form);
  }

  // The position of the analysis may be another now.
  look(): void {
    const { game, moves } = this.position();
    const title = this.games.find((one) => one.game === game)?.title ?? game;
    const after = plural("after {count} move", "after {count} moves", moves.length);
    this.where.textContent = `(${translated(title)}, ${after})`;
  }

  // Whether some games are left out.
  get asks(): boolean {
    const { sort: _, ...asked } = this.filter;
    return Object.keys(asked).length > 0;
  }

  get filter(): LibraryFilter {
    const said = {
      player: this.player.value.trim(),
      game: this.game.value,
      result: this.result.value,
      from: this.from.value.replaceAll("-", "."),
      to: this.to.value.replaceAll("-", "."),
      text: this.text.value.trim(),
    };
    const asked = Object.entries(said).filter(([, value]) => value !== "");
    return {
      ...(Object.fromEntries(asked) as LibraryFilter),
      ...(this.onBoard.checked && { position: this.position() }),
      sort: this.order.value as LibraryOrder,
    };
  }
}

function field(name: string, type: "text" | "date"): HTMLInputElement {
  return h("input", { name, type, autocomplete: "off", spellcheck: "false" });
}

const orders = (): { value: LibraryOrder; label: string }[] => [
  { value: "added", label: t("as added") },
  { value: "date", label: t("by date") },
  { value: "white", label: t("by White's name") },
  { value: "black", label: t("by Black's name") },
  { value: "result", label: t("by result") },
  { value: "plies", label: t("by length") },
];

function resultText(result: string): string {
  if (result === "*") return t("open");
  return result === "1/2-1/2" ? t("drawn") : result === "1-0" ? t("White won") : t("Black won");
}
