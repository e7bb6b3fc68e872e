// The dialog that begins a game: which one, which side, against whom and how strong.
import type { Backend, Color, GameInfo, Player } from "./backend";
import { button, fill, h, labelled, messageOf, select } from "./dom";
import { CLOCKS, clockText, type ClockSetting } from "./game_clock";
import { GamePicker } from "./game_picker";
import { spoken, t } from "./language";
import { RulesPanel } from "./rules_panel";
import { firstStrength, fitting, levelText, visitsText, type Strength } from "./strength";

export type Side = Color | "both" | "neither";

export interface Setup extends Strength {
  game: string;
  human: Side; // Who is played by people.
  player: Player | null;
  clock: ClockSetting | null;
  seed: number; // Of the opponent's choices: every game has another.
}

export const newSeed = () => Math.floor(Math.random() * 2 ** 31);

const sides = () => [
  { value: "white", label: t("White") },
  { value: "black", label: t("Black") },
  { value: "both", label: t("both (two people)") },
  { value: "neither", label: t("neither (watch)") },
];

const VISITS = [1, 16, 64, 200, 800, 3200];

export class NewGameDialog {
  readonly element: HTMLDialogElement;
  private readonly form = h("form", {
    onsubmit: (event: SubmitEvent) => {
      event.preventDefault();
      void this.start();
    },
  });
  private readonly strength = h("div");
  private readonly details = h("small"); // Of the opponent.
  private readonly substitute = h("p", { class: "summary", role: "status" });
  private readonly rules: RulesPanel;
  private readonly message = h("p", { class: "message error", role: "status" });
  private picker!: GamePicker;
  private setup!: Setup;
  private players: Player[] = [];
  private preferred: string | null = null; // The opponent that the person chose last; else the first is offered.
  private preferredStrength = false; // The person chose a strength.
  private listed: Promise<void> = Promise.resolve(); // The players of the game that is chosen.

  constructor(
    private readonly backend: Backend,
    private readonly games: GameInfo[],
    private readonly begin: (setup: Setup) => Promise<void>,
  ) {
    this.rules = new RulesPanel(backend);
    this.element = h("dialog", { class: "dialog wide", "aria-label": t("New game") }, this.form);
  }

  async open(setup: Setup): Promise<void> {
    this.setup = { ...setup };
    this.preferredStrength ||= setup.level !== null;
    const opponents = h("div");
    this.picker = new GamePicker(this.games, setup.game, () => {
      this.rules.show(this.picker.game, this.picker.title);
      this.listed = this.listPlayers(opponents);
    });
    this.rules.element.open = false;
    this.rules.show(setup.game, this.picker.title);
    const side = select(sides(), setup.human, (value) => (this.setup.human = value as Side));
    side.name = "side";
    const kept = CLOCKS.findIndex((one) => JSON.stringify(one) === JSON.stringify(setup.clock));
    const clock = select(
      CLOCKS.map((one, i) => ({ value: String(i), label: clockText(one) })),
      String(Math.max(0, kept)),
      (value) => (this.setup.clock = CLOCKS[Number(value)]!),
    );
    clock.name = "clock";
    fill(
      this.form,
      h("h2", {}, t("New game")),
      this.picker.element,
      this.rules.element,
      h(
        "div",
        { class: "seats" },
        labelled(t("You play"), side),
        opponents,
        this.strength,
        labelled(t("Clock"), clock),
      ),
      this.substitute,
      this.message,
      h(
        "div",
        { class: "buttons end" },
        button(t("Cancel"), () => this.element.close()),
        h("button", { class: "primary" }, t("Start")),
      ),
    );
    await (this.listed = this.listPlayers(opponents));
    this.element.showModal();
  }

  private async start(): Promise<void> {
    try {
      await this.listed;
      this.setup.game = this.picker.game;
      await this.backend.state({ game: this.setup.game, moves: [] });
      await this.begin(this.setup); // Before the dialog closes: behind it the old game could still be played.
      this.element.close();
    } catch (error) {
      this.message.textContent = messageOf(error);
    }
  }

  private async listPlayers(place: HTMLElement): Promise<void> {
    this.message.textContent = "";
    const game = this.picker.game;
    let players: Player[] = [];
    let problem = "";
    try {
      players = await this.backend.players(game);
    } catch (error) {
      problem = messageOf(error);
    }
    if (game !== this.picker.game) return this.listed; // Another game was chosen meanwhile.
    this.players = players;
    this.message.textContent = problem;
    const player = this.players.find((one) => one.player === this.preferred) ?? this.players[0] ?? null;
    const choice = select(
      this.players.map((one) => ({ value: one.player, label: spoken(one.labelParts) })),
      player?.player ?? "",
      (value) => {
        this.preferred = value;
        this.choosePlayer(this.players.find((one) => one.player === value)!);
      },
    );
    choice.name = "opponent";
    fill(place, labelled(t("Opponent"), choice), this.details);
    this.substitute.textContent = problem ? "" : substituteText(this.players);
    this.choosePlayer(player);
  }

  private choosePlayer(player: Player | null): void {
    this.setup.player = player;
    this.details.textContent = player?.detailsParts ? spoken(player.detailsParts) : "";
    const wished = this.preferredStrength ? fitting(player, this.setup) : firstStrength(player);
    Object.assign(this.setup, { level: wished.level, visits: wished.visits });
    const levels = player?.levels ?? [];
    if (!player || player.kind !== "network") return fill(this.strength);
    const choice = select(
      [
        ...levels.map((one) => ({
          value: `level ${one.level}`,
          label: levelText(one),
          group: t("Levels, as measured"),
        })),
        ...VISITS.map((count) => ({ value: String(count), label: visitsText(count, levels), group: t("By search") })),
      ],
      wished.level !== null ? `level ${wished.level}` : String(wished.visits),
      (value) => {
        this.preferredStrength = true;
        const level = /^level (\d+)$/.exec(value);
        this.setup.level = level ? Number(level[1]) : null;
        if (!level) this.setup.visits = Number(value);
      },
    );
    choice.name = "strength";
    fill(this.strength, labelled(t("Strength"), choice));
  }
}

// What plays where no network fits the rules that are chosen.
function substituteText(players: Player[]): string {
  if (players.some((player) => player.kind === "network")) return "";
  const first = players[0];
  if (!first) return t("Nothing here plays by these rules; two people can.");
  const name = spoken(first.labelParts);
  return t("No network plays by these rules; {name}, a search without a network, plays instead.", { name });
}
