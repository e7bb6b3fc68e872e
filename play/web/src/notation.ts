// How moves are shown: as letters, figurines, in Thai or by coordinates; the browser keeps the choice. The backend
// writes a move as its coordinates and in letters; the other forms follow from the letters.
import { h } from "./dom";
import { currentLanguage, later, translated } from "./language";
import { isDeclaration, moveLabel } from "./board/moves";

export type Notation = "letters" | "figurines" | "thai" | "coordinates";

// A move as the backend gives it.
export interface Written {
  move: string; // "b1d2".
  written: string; // "Nd2".
}

const KEY = "makzero.notation";
const FIGURINES: Record<string, string> = { K: "♔", M: "♕", S: "♗", N: "♘", R: "♖" };
const THAI_PIECES: Record<string, string> = { K: "ข", M: "ม็", S: "ค", N: "ม", R: "ร" };
const THAI_SQUARES: Record<string, string> = Object.fromEntries(
  [..."abcdefgh12345678"].map((letter, i) => [letter, [..."กขคงจฉชญ๑๒๓๔๕๖๗๘"][i]!]),
);

const LABELS: Record<Notation, string> = {
  letters: later("Letters: Nd2"),
  figurines: later("Figurines: ♘d2"),
  thai: later("Thai: ม-ง๒"),
  coordinates: later("Coordinates: b1d2"),
};

const listeners = new Set<() => void>();
let chosen = kept(); // None: as the language has it.

function kept(): Notation | null {
  try {
    const value = localStorage.getItem(KEY) as Notation | null;
    return value && value in LABELS ? value : null;
  } catch {
    return null;
  }
}

export function notation(): Notation {
  return chosen ?? (currentLanguage().code === "th" ? "thai" : "letters");
}

// Called when another notation is chosen, for as long as the page lives.
export function onNotation(listener: () => void): void {
  listeners.add(listener);
}

export function notationChoice(): HTMLElement {
  const options = (Object.keys(LABELS) as Notation[]).map((value) =>
    h("option", { value, selected: value === notation() }, translated(LABELS[value])),
  );
  const element = h(
    "select",
    {
      name: "notation",
      onchange: () => {
        chosen = element.value as Notation;
        try {
          localStorage.setItem(KEY, element.value);
        } catch {
          // It holds until the page is closed.
        }
        for (const listener of listeners) listener();
      },
    },
    ...options,
  );
  return element;
}

// What people read for a move.
export function moveText({ move, written }: Written, as: Notation = notation()): string {
  if (move === "--" || isDeclaration(move)) return moveLabel(move);
  if (as === "letters") return written;
  if (as === "coordinates") return move;
  if (as === "figurines") return written.replace(/[KMSNR]/g, (piece) => FIGURINES[piece]!);
  return inThai(written);
}

// A file or rank as it stands beside the board: "a", in Thai "ก".
export const coordinate = (text: string) => (notation() === "thai" ? THAI_SQUARES[text]! : text);

// As the program writes it (play/notation/written_move.h): "-" before the destination of a piece that takes nothing.
function inThai(written: string): string {
  const quiet = /^[KMSNR]/.test(written) && !written.includes("x");
  const joined = quiet ? written.replace(/([a-h][1-8])(?!.*[a-h][1-8])/, "-$1") : written;
  return [...joined].map((letter) => THAI_PIECES[letter] ?? THAI_SQUARES[letter] ?? letter).join("");
}
