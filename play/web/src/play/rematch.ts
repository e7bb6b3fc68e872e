// What may be played when a game is over: the same again, with sides exchanged, or the next level.
import type { Color, Outcome } from "../backend/backend";
import { winnerOf } from "./ending";
import { t } from "../language";
import { opponent } from "../board/moves";
import type { Setup, Side } from "./new_game";

// The side of a single person; null: two people, or none.
export function personOf(human: Side): Color | null {
  return human === "white" || human === "black" ? human : null;
}

// The first is the one that is offered most.
export function rematches(setup: Setup, outcome: Outcome): { label: string; setup: Setup }[] {
  const person = personOf(setup.human);
  const level = person && nextLevel(setup, person, outcome);
  return [
    { label: t("Rematch"), setup },
    ...(person ? [{ label: t("Swap sides"), setup: { ...setup, human: opponent(person) } }] : []),
    ...(level ? [{ label: t("Try level {level}", { level }), setup: { ...setup, level } }] : []),
  ];
}

// After a win the level above, after a loss the one below; null where there is none.
function nextLevel({ level, player }: Setup, person: Color, outcome: Outcome): number | null {
  const winner = winnerOf(outcome);
  if (level === null || !winner) return null;
  const wanted = winner === person ? level + 1 : level - 1;
  return player?.levels.some((one) => one.level === wanted) ? wanted : null;
}
