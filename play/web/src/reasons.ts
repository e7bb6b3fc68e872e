// Translation of the errors of position and move readers. The readers write them in English
// (game/notation.cc, game/rules, play/played_game.cc): their sentences are found again by their form.
import { later, spoken, translated, type Message } from "./language";

export const FAULTY_MOVE = later("move {number}: {why}");

// The first form that fits is taken.
const FORMS = [
  FAULTY_MOVE,
  later("line {number}: {why}"),
  later("start: {why}"),
  later("moves: word {number}: {why}"),
  later("the moves break off: no result follows them"),
  later("it has no moves"),
  later("move '{move}': there is no legal move, the game is over"),
  later("move '{move}' is not legal; from {square}: {moves}"),
  later("move '{move}' is not legal: {square} is empty; a legal move is '{example}'"),
  later("move '{move}' is not legal: the piece on {square} is the opponent's; a legal move is '{example}'"),
  later("move '{move}' is not legal: the piece on {square} cannot move; a legal move is '{example}'"),
  later("move '{move}' is not legal: your own {piece} stands on {square}"),
  later("move '{move}' is not legal: write it like '{example}'"),
  later("move '{move}' is ambiguous: write one of {moves}"),
  later("'{word}' follows the end of the game: remove it"),
  later("'{word}' cannot be declared here"),
  later("unknown piece '{piece}' on {square}: this game has {pieces} (White) and the same in small letters (Black)"),
  later("rank {rank} '{text}' has a 0: digits count empty squares, 1 to {most}"),
  later("rank {rank} '{text}' has {count} squares: it needs {needed}"),
  later("the board has {count} ranks: it needs {needed}, separated by '/'"),
  later("the position is empty: write it like '{example}'"),
  later("this is a position of chess: {game} has no bishops (B) and queens (Q), write it like '{example}'"),
  later("the side to move is missing: add 'w' or 'b' behind the board"),
  later("the side to move is '{text}': write 'w' or 'b'"),
  later("unexpected '{text}' behind the side to move: leave it out"),
  later("unexpected '{text}' behind the move number: leave it out"),
  later("{field} is '{text}': write a number from 0 to {most}, or '-'"),
  later("first-move right '{letter}' is unknown: this game has none, write '-'"),
  later("first-move right '{letter}' is unknown: write '-' or some of {letters}"),
  later("first-move right '{letter}' needs {side}'s {piece} on {square}: place it or leave the right out"),
  later("{side} has {count} kings: place exactly one {letter}"),
  later("{side}'s pawn on {square} has passed its promotion rank: write it as a met, {letter}"),
  later("{side} is in check but {other} is to move: change the side to move or the pieces"),
  later("{side} has {count} {pieces}: at most {most} are possible"),
  later("the board is empty: put at least one man on it"),
  later("hand '{text}': write the discs in hand like 'W3 B0'"),
  later("no disc is on the board or in hand: put one somewhere"),
  later("Black needs one hunter: put one 'h' on the board"),
  later("White has a hunter: only Black has one, 'h'"),
  later("Black has men: only White has them, 'M'"),
  later("both kings are missing: put at least one on the board"),
  later("unknown game '{game}': did you mean '{near}'?"),
  later("unknown game '{game}': `makzero games` lists all"),
];

// Texts that fill places of the forms, for the catalogues.
export const WORDS = [
  ...[later("men"), later("discs"), later("kings"), later("mets"), later("khons"), later("knights"), later("rooks")],
  ...[later("pawns"), later("the count"), later("the count's limit"), later("the halfmove clock")],
  later("the move number"),
];

const PATTERNS = FORMS.map((text) => {
  const escaped = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  const places = escaped.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === "number" ? "\\d+" : ".+?"})`);
  return { text, pattern: new RegExp(`^${places}$`) };
});

// The parts of a single reason; null where its form is not known.
export function reasonOf(english: string): Message | null {
  for (const { text, pattern } of PATTERNS) {
    const found = pattern.exec(english);
    if (found) return { text, values: { ...found.groups } };
  }
  return null;
}

// One reason or several, "a; b"; what is not known stays as it is.
export function spokenReason(english: string): string {
  const whole = reasonOf(english);
  if (whole) {
    const { why } = whole.values;
    return spoken(
      why === undefined ? whole : { ...whole, values: { ...whole.values, why: spokenReason(String(why)) } },
    );
  }
  for (let at = english.indexOf("; "); at >= 0; at = english.indexOf("; ", at + 1))
    if (reasonOf(english.slice(0, at)))
      return `${spokenReason(english.slice(0, at))}; ${spokenReason(english.slice(at + 2))}`;
  return translated(english);
}
