// What a training has reached, in a sentence: whom its newest rated network beats, and how sure that is.
import type { RatedPlayer, Rating } from "./backend";

// Empty without ratings. Two players differ where their 95 % intervals, taken together, do not explain it.
export function verdict(ratings: Rating[], ladder: RatedPlayer[]): string {
  const newest = ratings.at(-1);
  if (!newest) return "";
  const reach = (one: { low: number; high: number }) => (one.high - one.low) / 2;
  const lead = (other: RatedPlayer) => newest.elo - other.elo - Math.hypot(reach(newest), reach(other));
  const rungs = [...ladder].sort((a, b) => a.elo - b.elo);
  const beaten = rungs.filter((other) => lead(other) > 0).at(-1);
  const next = rungs.find((other) => lead(other) <= 0 && other.elo >= (beaten?.elo ?? -Infinity));
  const uncertain = `The rating of generation ${newest.generation}, ${Math.round(newest.elo)} Elo above random play, is uncertain by ${Math.round(reach(newest))} Elo.`;
  if (beaten && next) return `Beats ${beaten.player}, not yet ${next.player}. ${uncertain}`;
  if (beaten) return `Beats ${beaten.player}, the strongest opponent that it met. ${uncertain}`;
  if (next) return `Does not beat ${next.player} yet. ${uncertain}`;
  return uncertain;
}

// "12 min", "3.5 h".
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
