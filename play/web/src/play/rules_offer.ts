// The offer to read the rules, made at the first visit to a game and remembered by the browser.
import { button, fill, h } from "../dom";
import { t } from "../language";

const KEY = "makzero.rules-offered";

export class RulesOffer {
  readonly element = h("div", { class: "offer", role: "status" });
  private game = "";

  constructor(private readonly accept: () => void) {}

  // For a game, whichever its ruleset.
  show(game: string, title: string): void {
    if (game === this.game && this.element.firstChild) return;
    this.game = game;
    if (offered().has(game)) return fill(this.element);
    fill(
      this.element,
      h("p", {}, t("Is {game} new to you?", { game: title })),
      h(
        "div",
        { class: "buttons" },
        button(t("Show the rules"), () => {
          this.settle();
          this.accept();
        }),
        button(t("No, thanks"), () => this.settle()),
      ),
    );
  }

  // Until another game begins.
  withdraw(): void {
    fill(this.element);
  }

  // The person has the rules or wants none.
  settle(game = this.game): void {
    fill(this.element);
    if (!game || offered().has(game)) return;
    try {
      localStorage.setItem(KEY, [...offered().add(game)].join());
    } catch {
      // A browser that keeps nothing offers them again.
    }
  }
}

function offered(): Set<string> {
  try {
    return new Set(localStorage.getItem(KEY)?.split(",") ?? []);
  } catch {
    return new Set();
  }
}
