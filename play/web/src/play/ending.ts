// How a game stands, in sentences: its end, a check, a count.
import type { Color, GameState, Outcome } from "../backend/backend";
import type { Message } from "../language";
import { h } from "../dom";
import { later, spoken, t, translated } from "../language";
import { opponent, sideName } from "../board/moves";
import { isChess } from "../board/pieces";

export function winnerOf(outcome: Outcome): Color | null {
  if (outcome.result === "1-0") return "white";
  return outcome.result === "0-1" ? "black" : null;
}

// "You win: Black has no men left." to the person of one side, else "White wins: ...".
export function outcomeText(outcome: Outcome, person: Color | null = null): string {
  const winner = winnerOf(outcome);
  const cause = outcome.causeParts ? spoken(outcome.causeParts) : translated(outcome.cause || outcome.reason);
  if (!winner) return t("Draw: {cause}.", { cause });
  if (!person) return t("{side} wins: {cause}.", { side: sideName(winner), cause });
  return winner === person ? t("You win: {cause}.", { cause }) : t("You lose: {cause}.", { cause });
}

// An end that the rules do not know, as games keep it: "0-1 resignation".
export function lossOf(loser: Color, how: "resignation" | "time forfeit"): string {
  return `${loser === "white" ? "0-1" : "1-0"} ${how}`;
}

export function outcomeOf(ended: string, person: Color | null): Outcome {
  const [result = "*", ...words] = ended.split(" ");
  const outcome: Outcome = { result: result as Outcome["result"], reason: words.join(" "), over: true };
  const winner = winnerOf(outcome);
  if (!winner) return { ...outcome, causeParts: { text: drawCause(outcome.reason), values: {} } };
  return { ...outcome, causeParts: lossCause(opponent(winner), outcome.reason, person) };
}

const UNSTATED = later("the record does not say why");
const drawCause = (reason: string) =>
  reason === "agreement" ? later("the players agreed to a draw") : reason || UNSTATED;

function lossCause(loser: Color, reason: string, person: Color | null): Message {
  const yours = loser === person;
  const values = { side: loser === "white" ? "White" : "Black" };
  if (reason === "resignation") return { text: yours ? later("you resigned") : later("{side} resigned"), values };
  if (reason === "time forfeit")
    return { text: yours ? later("your time is up") : later("{side}'s time is up"), values };
  return { text: reason || UNSTATED, values: {} };
}

export function checkText(state: GameState): string {
  const side = sideName(state.toMove);
  return isChess(state.kinds) ? t("{side} is in check.", { side }) : t("{side}'s king can be taken.", { side });
}

// What is to say of a position in which somebody is to move; null: nothing.
export function standing(state: GameState): HTMLElement | null {
  const side = sideName(state.toMove);
  if (state.check) return h("p", { class: "check" }, checkText(state));
  if (state.legal.length === 1 && state.legal[0]!.pass)
    return h("p", { class: "quiet" }, t("{side} cannot move and passes.", { side }));
  const drops = Object.values(state.hands[state.toMove] ?? {}).some((count) => count > 0);
  return drops ? h("p", { class: "quiet" }, t("{side} drops a piece from the hand.", { side })) : null;
}

export function countBanner(count: NonNullable<GameState["count"]>): HTMLElement {
  return h(
    "div",
    { class: "count-banner" },
    h("span", {}, spoken(count.textParts)),
    h("progress", { max: count.moveLimit, value: count.moves, "aria-label": t("The count towards a draw") }),
  );
}
