// Tags of game documents: who played, and what is written of the page's own games.
import type { Color, GameDocument, RulesEnd, Tag } from "./backend/backend";
import { t, translated } from "./language";
import { sideName } from "./board/moves";

// What a document says of a game beside its moves.
export type Details = Pick<GameDocument, "tags" | "comment" | "line" | "rulesEnd" | "fault">;

export function detailsOf({ tags, comment, line, rulesEnd, fault }: Details): Details {
  return {
    ...(tags && { tags }),
    ...(comment && { comment }),
    ...(line && { line }),
    ...(rulesEnd && { rulesEnd }),
    ...(fault && { fault }),
  };
}

// The value of a tag; empty where it is missing or unknown, "?".
export function tagValue(tags: Tag[], name: string): string {
  return known(tags.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1] ?? "");
}

// A value; empty where it says that it is unknown: "?", "????.??.??", "-".
export const known = (value: string) => (/^[?.\-\s]*$/.test(value) ? "" : value);

// "Somchai (1712)"; empty where nobody is named.
export function playerText(tags: Tag[], side: Color): string {
  const tag = side === "white" ? "White" : "Black";
  const [name, elo] = [tagValue(tags, tag), tagValue(tags, `${tag}Elo`)];
  return name && elo ? t("{name} ({elo})", { name, elo }) : name;
}

// "White · Somchai (1712)".
export function seatText(tags: Tag[], side: Color): string {
  const name = playerText(tags, side);
  return name ? `${sideName(side)} · ${name}` : sideName(side);
}

// "Somchai - Malee, 1-0".
export function gameTitle(white: string, black: string, result: string): string {
  const names = t("{white} - {black}", { white: white || t("White"), black: black || t("Black") });
  return result === "*" ? names : t("{names}, {result}", { names, result });
}

export function rulesEndText({ result, reason }: RulesEnd): string {
  const why = translated(reason);
  if (result === "1/2-1/2") return t("here the rules give a draw ({reason})", { reason: why });
  const side = sideName(result === "1-0" ? "white" : "black");
  return t("here the rules give {side} the win ({reason})", { side, reason: why });
}

// "2025.01.31".
export function dateText(date: Date): string {
  const padded = (value: number, length: number) => String(value).padStart(length, "0");
  return [padded(date.getFullYear(), 4), padded(date.getMonth() + 1, 2), padded(date.getDate(), 2)].join(".");
}
