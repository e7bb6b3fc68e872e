// The choice of a game, a ruleset of it, and its options.
import type { GameInfo, GameOption } from "./backend";
import { fill, h, labelled, select } from "./dom";

const FAMILIES = { men: "Capture between two, and hunts", chess: "Chess of the mainland" };

export class GamePicker {
  readonly element = h("div", { class: "picker" });
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
    const choice = select(
      games.map((info) => ({
        value: info.game,
        label: info.title,
        group: FAMILIES[info.family],
      })),
      this.info.game,
      (value) => this.choose(value),
    );
    choice.name = "game";
    this.element.append(
      labelled("Game", choice),
      this.summary,
      h("details", {}, h("summary", {}, "Options of the rules"), this.options),
    );
    this.draw();
  }

  // "makyek:custodian=line,jump=on": what the backend calls the game.
  get game(): string {
    const options = [...this.changed].map(([name, value]) => `${name}=${value}`).join();
    return options ? `${this.info.game}:${options}` : this.info.game;
  }

  private choose(game: string): void {
    this.info = this.games.find((info) => info.game === game)!;
    this.changed.clear();
    this.draw();
    this.onChange();
  }

  private draw(): void {
    this.summary.textContent = this.info.summary;
    fill(
      this.options,
      ...this.info.options.map((option) => labelled(option.name.replace(/[_.]/g, " "), this.control(option))),
    );
  }

  private control(option: GameOption): HTMLElement {
    const set = (value: string) => {
      if (value === option.value) this.changed.delete(option.name);
      else this.changed.set(option.name, value);
      this.onChange();
    };
    const value = this.changed.get(option.name) ?? option.value;
    if (option.values?.length) {
      const control = select(
        option.values.map((text) => ({ value: text, label: text.replace(/_/g, " ") })),
        value,
        set,
      );
      control.name = option.name;
      return control;
    }
    const control = h("input", { type: "number", name: option.name, min: option.minimum, max: option.maximum, value });
    control.onchange = () => set(control.value);
    return control;
  }
}
