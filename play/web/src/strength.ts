// How strong the opponent is asked to be, in words.
import type { Level, Player } from "./backend";

export interface Strength {
  level: number | null; // A measured one, instead of visits.
  visits: number; // Positions that a network looks at for a move.
}

const FIRST_LEVEL = 3; // Where people begin who have not played yet.

// The measured level that plays about as well as a search of so many positions; null: there is none.
function levelLike(levels: Level[], visits: number): Level | null {
  const searching = levels.filter((level) => !level.temperature && level.simulations > 1);
  const distance = (level: Level) => Math.abs(Math.log2(level.simulations / visits));
  const nearest = searching.sort((a, b) => distance(a) - distance(b))[0];
  return nearest && distance(nearest) <= 2 ? nearest : null;
}

// "thinks 200 positions a move (about level 10)".
export function visitsText(visits: number, levels: Level[]): string {
  if (visits === 1) return "does not search: the network alone";
  const like = levelLike(levels, visits);
  return `thinks ${visits} positions a move${like ? ` (about level ${like.level})` : ""}`;
}

// "MakZero, level 4", as it stands beside the board.
export function opponentText(player: Player, { level, visits }: Strength): string {
  if (player.kind !== "network") return player.label;
  return level !== null ? `${player.label}, level ${level}` : `${player.label}, ${visitsText(visits, player.levels)}`;
}

// The strength that this player can be asked for: the one wished, a level where none of its levels is meant.
export function fitting(player: Player | null, wished: Strength): Strength {
  const levels = player?.levels ?? [];
  if (wished.level === null || levels.some(({ level }) => level === wished.level)) return wished;
  return { ...wished, level: null };
}

// What is offered at first.
export function firstStrength(player: Player | null): Strength {
  const level = player?.levels.find((one) => one.level === FIRST_LEVEL) ?? player?.levels[0];
  return { level: level?.level ?? null, visits: 200 };
}
