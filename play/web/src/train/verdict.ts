// What a training has reached, in a sentence: whom its newest rated network beats, and how sure that is.
import type { RatedPlayer, Rating } from "../backend/backend";
import { number, t } from "../language";

// Empty without ratings. Two players differ where their 95 % intervals, taken together, do not explain it.
export function verdict(ratings: Rating[], ladder: RatedPlayer[]): string {
  const newest = ratings.at(-1);
  if (!newest) return "";
  const reach = (one: { low: number; high: number }) => (one.high - one.low) / 2;
  const lead = (other: RatedPlayer) => newest.elo - other.elo - Math.hypot(reach(newest), reach(other));
  const rungs = [...ladder].sort((a, b) => a.elo - b.elo);
  const beaten = rungs.filter((other) => lead(other) > 0).at(-1);
  const next = rungs.find((other) => lead(other) <= 0 && other.elo >= (beaten?.elo ?? -Infinity));
  const uncertain = t(
    "The rating of generation {generation}, {elo} Elo above random play, is uncertain by {reach} Elo.",
    { generation: newest.generation, elo: Math.round(newest.elo), reach: Math.round(reach(newest)) },
  );
  return `${victories(beaten?.player, next?.player)} ${uncertain}`.trim();
}

function victories(beaten: string | undefined, next: string | undefined): string {
  if (beaten && next) return t("Beats {beaten}, not yet {next}.", { beaten, next });
  if (beaten) return t("Beats {beaten}, the strongest opponent that it met.", { beaten });
  return next ? t("Does not beat {next} yet.", { next }) : "";
}

// "12 min", "3.5 h".
export function duration(seconds: number): string {
  if (seconds < 90) return t("{seconds} s", { seconds: Math.round(seconds) });
  if (seconds < 5400) return t("{minutes} min", { minutes: Math.round(seconds / 60) });
  return t("{hours} h", { hours: number(seconds / 3600, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
}
