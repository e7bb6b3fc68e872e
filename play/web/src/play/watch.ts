// A game that people only watch: who plays White, how fast moves follow each other, whether the game rests.
import type { Color } from "../backend/backend";
import { t } from "../language";
import type { Setup } from "./new_game";
import type { Seat } from "./seat_picker";

export const PACES = [0, 1000, 3000, 10000]; // Least time for each move, in milliseconds.
export const FIRST_PACE = 1000;

export function paceText(pace: number): string {
  return pace === 0 ? t("as fast as they play") : t("{seconds} s a move, at least", { seconds: pace / 1000 });
}

// Who of the program plays this side: the one opponent, but White's own player where two are watched.
export function seatOf(setup: Setup, side: Color): Seat {
  return (setup.human === "neither" && side === "white" && setup.white) || setup;
}

export const watches = (setup: Setup) => setup.human === "neither";
