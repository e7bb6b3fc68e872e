// The choice of a game by its board, a ruleset of it by what differs, and its options in words.
import type { GameInfo, GameOption } from "../backend/backend";
import { fill, h, marked, select } from "../dom";
import { ifTranslated, later, t, translated } from "../language";
import { miniBoard } from "../board/mini_board";

const FAMILIES = { men: later("Capture between two, and hunts"), chess: later("Chess of the mainland") };
const ASKED = ["count.mode"]; // Options that people are asked for, and need not look for.
// By game: the boards of chess are all alike.
const TRAITS: Record<string, string> = {
  makruk: later("Thai, with counts"),
  "makruk-sutra": later("Thai, extra first moves"),
  ok: later("Cambodian: the king may leap"),
  kaok: later("Cambodian: first check wins"),
  low1839: later("as in 1839"),
};
const MOST_RADIOS = 5; // More values than these are a list to choose from.

export class GamePicker {
  readonly element = h("div", { class: "picker" });
  private readonly rulesets = h("div");
  private readonly asked = h("div", { class: "options" });
  private readonly options = h("div", { class: "options" });
  private readonly summary = h("p", { class: "summary" });
  private info: GameInfo;
  private changed = new Map<string, string>();

  constructor(
    private readonly games: GameInfo[],
    game: string,
    private readonly onChange: () => void,
  ) {
    const [ruleset, options] = game.split(":");
    this.info = games.find((info) => info.game === ruleset) ?? games[0]!;
    for (const option of options?.split(",") ?? []) {
      const [name, value] = option.split("=");
      this.changed.set(name!, value!);
    }
    for (const [family, title] of Object.entries(FAMILIES)) {
      const cards = this.heads.filter((info) => info.family === family).map((info) => this.card(info));
      if (cards.length === 0) continue;
      this.element.append(
        h(
          "fieldset",
          { class: "cards" },
          h("legend", {}, translated(title)),
          h("div", { class: "card-grid" }, ...cards),
        ),
      );
    }
    this.element.append(
      this.summary,
      this.rulesets,
      this.asked,
      h("details", { open: this.changed.size > 0 }, h("summary", {}, t("Options of the rules")), this.options),
    );
    this.draw();
    this.drawRulesets();
  }

  // "makyek:custodian=line,jump=on": what the backend calls the game.
  get game(): string {
    const options = [...this.changed].map(([name, value]) => `${name}=${value}`).join();
    return options ? `${this.info.game}:${options}` : this.info.game;
  }

  get title(): string {
    return translated(this.info.title);
  }

  // A ruleset for each game: its own, or the first of them that is there.
  private get heads(): GameInfo[] {
    return this.games.filter((info, i) => this.games.findIndex((other) => other.of === info.of) === i);
  }

  private card(info: GameInfo): HTMLElement {
    const control = h("input", {
      type: "radio",
      name: "game",
      value: info.of,
      checked: info.of === this.info.of,
      onchange: () => {
        this.choose(info);
        this.drawRulesets();
      },
    });
    return h(
      "label",
      { class: "card" },
      control,
      miniBoard(info.start, info.kinds),
      h("span", {}, translated(info.title)),
      info.of in TRAITS && h("small", {}, ifTranslated(TRAITS[info.of]!)),
    );
  }

  private choose(info: GameInfo): void {
    this.info = info;
    this.changed.clear();
    this.draw();
    this.onChange();
  }

  private draw(): void {
    this.summary.textContent = ifTranslated(this.info.summary);
    const asked = (option: GameOption) => ASKED.includes(option.name);
    fill(this.asked, ...this.info.options.filter(asked).map((option) => this.field(option)));
    fill(this.options, ...this.info.options.filter((option) => !asked(option)).map((option) => this.field(option)));
  }

  // Not with the rest: a choice among them must not take itself away from the keys.
  private drawRulesets(): void {
    const variants = this.games.filter((info) => info.of === this.info.of);
    fill(this.rulesets, variants.length > 1 ? this.choiceOf(variants) : null);
  }

  private choiceOf(variants: GameInfo[]): HTMLElement {
    return h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, t("Rules")),
      ...variants.map((info) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: "ruleset",
            value: info.game,
            checked: info === this.info,
            onchange: () => this.choose(info),
          }),
          h("span", {}, translated(info.title), h("small", {}, differenceOf(info))),
        ),
      ),
    );
  }

  private set(option: GameOption, value: string): void {
    if (value === option.value) this.changed.delete(option.name);
    else this.changed.set(option.name, value);
    this.onChange();
  }

  private field(option: GameOption): HTMLElement {
    const title = option.title ? translated(option.title) : option.name.replace(/[_.]/g, " ");
    const value = this.changed.get(option.name) ?? option.value;
    const text = option.text ? h("small", {}, ...marked(translated(option.text))) : null;
    if (!option.values?.length || option.values.length > MOST_RADIOS) {
      const control = option.values?.length ? this.list(option, value) : this.number(option, value);
      return h("label", { class: "field option" }, h("span", {}, title), text, control);
    }
    if (option.values.includes("on") && option.values.length === 2) return this.toggle(option, title, value);
    return h(
      "fieldset",
      { class: "choices option" },
      h("legend", {}, title),
      text,
      ...option.values.map((one) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: option.name,
            value: one,
            checked: one === value,
            onchange: () => this.set(option, one),
          }),
          h("span", {}, ...marked(wordsOf(option, one))),
        ),
      ),
    );
  }

  private toggle(option: GameOption, title: string, value: string): HTMLElement {
    const control = h("input", {
      type: "checkbox",
      name: option.name,
      checked: value === "on",
      onchange: () => this.set(option, control.checked ? "on" : "off"),
    });
    const words = t("Ticked: {on}; else: {off}.", { on: wordsOf(option, "on"), off: wordsOf(option, "off") });
    return h(
      "label",
      { class: "choices option tick" },
      control,
      h("span", {}, title, h("small", {}, ...marked(words))),
    );
  }

  private list(option: GameOption, value: string): HTMLElement {
    const control = select(
      option.values!.map((one) => ({ value: one, label: wordsOf(option, one) })),
      value,
      (chosen) => this.set(option, chosen),
    );
    control.name = option.name;
    return control;
  }

  private number(option: GameOption, value: string): HTMLElement {
    const control = h("input", { type: "number", name: option.name, min: option.minimum, max: option.maximum, value });
    control.onchange = () => this.set(option, control.value);
    return control;
  }
}

function differenceOf(info: GameInfo): string {
  return info.difference ? ifTranslated(info.difference) : t("The game as its rules have it.");
}

// A value in words; corners, "a1h8", and values without words speak for themselves.
function wordsOf(option: GameOption, value: string): string {
  const words = option.words?.[value];
  return words ? translated(words) : value.replace(/([a-h][1-8])(?=[a-h])/g, "$1, ").replace(/_/g, " ");
}
