// The game that a browser keeps, so that a reload, a crash or a closed window loses nothing.
import type { Color, GameQuery } from "../backend/backend";
import type { Details } from "../tags";
import type { ClockSetting } from "./game_clock";
import type { Side } from "./new_game";

const KEY = "makzero.game";

export interface KeptGame {
  query: GameQuery;
  human: Side;
  player: string | null;
  level: number | null;
  visits: number;
  seed: number;
  clock?: ClockSetting | null;
  left?: Record<Color, number> | null; // On the clocks, in milliseconds.
  ended: string | null; // Not by the rules: "0-1 resignation".
  foreign?: boolean; // As in the view.
  details?: Details | null;
  date?: string;
  flipped: boolean;
  white?: KeptSeat | null; // As of the setup.
  pace?: number;
}

export interface KeptSeat {
  player: string | null;
  level: number | null;
  visits: number;
}

export function keepGame(game: KeptGame): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(game));
  } catch {
    // A browser that keeps nothing has the game in the address alone.
  }
}

// None where none was kept, or what is there is no game.
export function keptGame(): KeptGame | null {
  try {
    return asKept(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return null;
  }
}

export function asKept(value: unknown): KeptGame | null {
  const game = value as Partial<KeptGame> | null;
  return game && typeof game.query?.game === "string" && Array.isArray(game.query.moves) ? (game as KeptGame) : null;
}
