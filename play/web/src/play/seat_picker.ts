// The choice of a player of the program for one side, and of how strong it is.
import type { Player } from "../backend/backend";
import { fill, h, labelled, select } from "../dom";
import { spoken, t, translated } from "../language";
import { firstStrength, fitting, levelLike, levelText, visitsOf, visitsText, type Strength } from "./strength";

// Who plays a side; no player: nobody here plays by the rules.
export interface Seat extends Strength {
  player: Player | null;
}

const VISITS = [1, 16, 64, 200, 800, 3200];

export class SeatPicker {
  readonly element = h("div", { class: "seat-picker" });
  private players: Player[] = [];
  private seat: Seat = { player: null, level: null, visits: 200 };
  private preferred: string | null = null; // The player that the person chose last; else the first is offered.
  private preferredStrength = false; // The person chose a strength.
  private readonly strength = h("div");
  private readonly details = h("small"); // Of the player.

  // Names of the two choices in the form.
  constructor(private readonly names: { player: string; strength: string }) {}

  get chosen(): Seat {
    return { ...this.seat };
  }

  // Begins with who played last.
  begin(seat: Seat): void {
    this.seat = { ...seat };
    this.preferredStrength ||= seat.level !== null;
  }

  // Offers these, under a title: "Opponent".
  show(players: Player[], title: string): void {
    this.players = players;
    const player = players.find((one) => one.player === this.preferred) ?? players[0] ?? null;
    const choice = select(
      players.map((one) => ({ value: one.player, label: spoken(one.labelParts) })),
      player?.player ?? "",
      (value) => {
        this.preferred = value;
        this.choose(this.players.find((one) => one.player === value)!);
      },
    );
    choice.name = this.names.player;
    const field = labelled(title, choice);
    field.append(this.details);
    fill(this.element, field, this.strength);
    this.choose(player);
  }

  private choose(player: Player | null): void {
    const wished = this.preferredStrength ? fitting(player, this.seat) : firstStrength(player);
    this.seat = { player, level: wished.level, visits: wished.visits };
    this.details.textContent = player?.detailsParts ? spoken(player.detailsParts) : "";
    const levels = player?.levels ?? [];
    if (visitsOf(player, 1) === null) return fill(this.strength);
    const elsewhere = levels[0]?.measuredIn;
    const measured = elsewhere
      ? t("Levels, as measured in {game}", { game: translated(elsewhere) })
      : t("Levels, as measured");
    const bySearch = t("By search");
    const own = wished.level === null ? wished.visits : null;
    const like = (count: number) => levelLike(levels, visitsOf(player, count)!);
    const searches = VISITS.filter((count) => count === own || !like(count)); // Each strength once.
    const choice = select(
      [
        ...levels.map((one) => ({ value: `level ${one.level}`, label: levelText(one), group: measured })),
        ...searches.map((count) => ({ value: String(count), label: visitsText(player, count), group: bySearch })),
      ],
      wished.level !== null ? `level ${wished.level}` : String(wished.visits),
      (value) => {
        this.preferredStrength = true;
        const level = /^level (\d+)$/.exec(value);
        this.seat.level = level ? Number(level[1]) : null;
        if (!level) this.seat.visits = Number(value);
      },
    );
    choice.name = this.names.strength;
    fill(this.strength, labelled(t("Strength"), choice));
  }
}
