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

// An end that the rules do not know, as games keep it: "0-1 resignation".
export function lossOf(loser: Color, how: "resignation" | "time forfeit"): string {
  return `${loser === "white" ? "0-1" : "1-0"} ${how}`;
}

export function outcomeOf(ended: string, person: Color | null): Outcome {
  const [result = "*", ...words] = ended.split(" ");
  const reason = words.join(" ");
  const outcome: Outcome = { result: result as Outcome["result"], reason, over: true };
  const winner = winnerOf(outcome);
  const loser = winner && opponent(winner);
  const cause = loser ? lossCause(loser, reason, person) : reason === "agreement" ? "agreed" : reason;
  return { ...outcome, cause };
}

function lossCause(loser: Color, reason: string, person: Color | null): string {
  const side = loser === "white" ? "White" : "Black";
  if (reason === "resignation") return loser === person ? "you resigned" : `${side} resigned`;
  if (reason === "time forfeit") return loser === person ? "your time is up" : `${side}'s time is up`;
  return reason;
}

export function checkText(state: GameState): string {
  const side = capitalised(state.toMove);
  return isChess(state.kinds) ? `${side} is in check.` : `${side}'s king can be taken.`;
}

// What is to say of a position in which somebody is to move; null: nothing.
export function standing(state: GameState): HTMLElement | null {
  const side = capitalised(state.toMove);
  if (state.check) return h("p", { class: "check" }, checkText(state));
  if (state.legal.length === 1 && state.legal[0]!.pass)
    return h("p", { class: "quiet" }, `${side} cannot move and passes.`);
  const drops = Object.values(state.hands[state.toMove] ?? {}).some((count) => count > 0);
  return drops ? h("p", { class: "quiet" }, `${side} drops a piece from the hand.`) : null;
}

export function countBanner(count: NonNullable<GameState["count"]>): HTMLElement {
  return h(
    "div",
    { class: "count-banner" },
    h("span", {}, count.text),
    h("progress", { max: count.moveLimit, value: count.moves, "aria-label": "The count towards a draw" }),
  );
}
