// How strong the opponent is asked to be, in words.
import type { Level, Player } from "../backend/backend";
import { number, spoken, t } from "../language";

export interface Strength {
  level: number | null; // A measured one, instead of visits.
  visits: number; // Positions that a large network looks at for a move; see visitsOf.
}

// Positions that a small network looks at in the time of one of a large network.
const SMALL_FACTOR = 100;

// Positions that the player looks at where a large network looks at so many; null: it has a depth of its own.
export function visitsOf(player: Player | null, visits: number): number | null {
  if (player?.kind === "network") return visits;
  return player?.kind === "small" ? SMALL_FACTOR * visits : null;
}

// The same as a limit of a search.
export function limitOf(player: Player | null, visits: number): { maxVisits?: number } {
  const maxVisits = visitsOf(player, visits);
  return maxVisits === null ? {} : { maxVisits };
}

const FIRST_LEVEL = 3; // Where people begin who have not played yet.

// The measured level that plays about as well as a search of so many positions; null: there is none.
export function levelLike(levels: Level[], visits: number): Level | null {
  const searching = levels.filter((level) => !level.temperature && level.simulations > 1);
  const distance = (level: Level) => Math.abs(Math.log2(level.simulations / visits));
  const nearest = searching.sort((a, b) => distance(a) - distance(b))[0];
  return nearest && distance(nearest) <= 2 ? nearest : null;
}

// "thinks 200 positions a move (about level 10)".
export function visitsText(player: Player | null, own: number): string {
  const visits = visitsOf(player, own) ?? own;
  if (visits === 1) return t("does not search: the network alone");
  const like = levelLike(player?.levels ?? [], visits);
  if (!like) return t("thinks {visits} positions a move", { visits });
  return t("thinks {visits} positions a move (about level {level})", { visits, level: like.level });
}

// "MakZero, level 4", as it stands beside the board.
export function opponentText(player: Player, { level, visits }: Strength): string {
  const name = spoken(player.labelParts);
  if (visitsOf(player, visits) === null) return name;
  return level !== null ? t("{name}, level {level}", { name, level }) : `${name}, ${visitsText(player, visits)}`;
}

// "1 - beginner (249 above random play)".
export function levelText({ level, elo }: Level): string {
  const name = level === 1 ? t("{level} - beginner", { level }) : number(level);
  if (elo === undefined) return name;
  const values = { name, elo: Math.abs(Math.round(elo)) };
  return elo < 0 ? t("{name} ({elo} below random play)", values) : t("{name} ({elo} above random play)", values);
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
