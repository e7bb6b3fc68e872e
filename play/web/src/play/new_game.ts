// The dialog that begins a game: which one, which side, against whom and how strong.
import type { Backend, Color, GameInfo, Player } from "../backend/backend";
import { button, fill, h, labelled, messageOf, select } from "../dom";
import { CLOCKS, clockText, type ClockSetting } from "./game_clock";
import { GamePicker } from "./game_picker";
import { spoken, t } from "../language";
import { RulesPanel } from "./rules_panel";
import { SeatPicker, type Seat } from "./seat_picker";
import { FIRST_PACE, PACES, paceText } from "./watch";

export type Side = Color | "both" | "neither";

// The seat is the opponent's; where nobody of the people plays, Black's.
export interface Setup extends Seat {
  game: string;
  human: Side; // Who is played by people.
  white?: Seat | null; // Who plays White where nobody of the people does; none: the same as Black.
  pace?: number; // Least time for each move that is watched, in milliseconds.
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

export class NewGameDialog {
  readonly element: HTMLDialogElement;
  private readonly form = h("form", {
    onsubmit: (event: SubmitEvent) => {
      event.preventDefault();
      void this.start();
    },
  });
  private readonly opponent = new SeatPicker({ player: "opponent", strength: "strength" });
  private readonly white = new SeatPicker({ player: "white-player", strength: "white-strength" });
  private readonly pace = h("div");
  private readonly substitute = h("p", { class: "summary", role: "status" });
  private readonly rules: RulesPanel;
  private readonly message = h("p", { class: "message error", role: "status" });
  private picker!: GamePicker;
  private setup!: Setup;
  private players: Player[] = [];
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
    this.opponent.begin(setup);
    this.white.begin(setup.white ?? setup);
    this.picker = new GamePicker(this.games, setup.game, () => {
      this.rules.show(this.picker.game, this.picker.title);
      this.listed = this.listPlayers();
    });
    this.rules.element.open = false;
    this.rules.show(setup.game, this.picker.title);
    const side = select(sides(), setup.human, (value) => {
      this.setup.human = value as Side;
      this.drawSeats();
    });
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
        labelled(t("Clock"), clock),
        this.white.element,
        this.opponent.element,
        this.pace,
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
    await (this.listed = this.listPlayers());
    this.element.showModal();
  }

  private async start(): Promise<void> {
    try {
      await this.listed;
      const watched = this.setup.human === "neither";
      const white = watched ? this.white.chosen : null;
      this.setup = { ...this.setup, ...this.opponent.chosen, white, game: this.picker.game };
      await this.backend.state({ game: this.setup.game, moves: [] });
      await this.begin(this.setup); // Before the dialog closes: behind it the old game could still be played.
      this.element.close();
    } catch (error) {
      this.message.textContent = messageOf(error);
    }
  }

  private async listPlayers(): Promise<void> {
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
    this.substitute.textContent = problem ? "" : substituteText(this.players);
    this.drawSeats();
  }

  // One opponent, or where people only watch a player for each side and how fast they play.
  private drawSeats(): void {
    const watched = this.setup.human === "neither";
    this.opponent.show(this.players, watched ? t("Black") : t("Opponent"));
    this.white.element.hidden = !watched;
    this.white.show(this.players, t("White"));
    const paces = PACES.map((one) => ({ value: String(one), label: paceText(one) }));
    const pace = select(paces, String(this.setup.pace ?? FIRST_PACE), (value) => (this.setup.pace = Number(value)));
    pace.name = "pace";
    fill(this.pace, watched ? labelled(t("Pace"), pace) : null);
  }
}

// What plays where no network fits the rules that are chosen.
function substituteText(players: Player[]): string {
  if (players.some(({ kind }) => kind === "network" || kind === "small")) return "";
  const first = players[0];
  if (!first) return t("Nothing here plays by these rules; two people can.");
  const name = spoken(first.labelParts);
  return t("No network plays by these rules; {name}, a search without a network, plays instead.", { name });
}
