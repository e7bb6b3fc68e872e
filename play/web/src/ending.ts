// How a game stands, in sentences: its end, a check, a count.
import type { Color, GameState, Outcome } from "./backend";
import { h } from "./dom";
import { capitalised, opponent } from "./moves";
import { isChess } from "./pieces";

export function winnerOf(outcome: Outcome): Color | null {
  if (outcome.result === "1-0") return "white";
  return outcome.result === "0-1" ? "black" : null;
}

// "You win: Black has no men left." to the person of one side, else "White wins: ...".
export function outcomeText(outcome: Outcome, person: Color | null = null): string {
  const winner = winnerOf(outcome);
  const how = !winner ? "Draw" : !person ? `${capitalised(winner)} wins` : winner === person ? "You win" : "You lose";
  const cause = outcome.cause || outcome.reason;
  return cause ? `${how}: ${cause}.` : `${how}.`;
}

export function resignation(loser: Color, person: Color | null): Outcome {
  const who = loser === person ? "you" : capitalised(loser);
  return {
    result: opponent(loser) === "white" ? "1-0" : "0-1",
    reason: "resignation",
    cause: `${who} resigned`,
    over: true,
  };
}

export function checkText(state: GameState): string {
  const side = capitalised(state.toMove);
  return isChess(state.kinds) ? `${side} is in check.` : `${side}'s king can be taken.`;
}

export function countBanner(count: NonNullable<GameState["count"]>): HTMLElement {
  return h(
    "div",
    { class: "count-banner" },
    h("span", {}, count.text),
    h("progress", { max: count.moveLimit, value: count.moves, "aria-label": "The count towards a draw" }),
  );
}
