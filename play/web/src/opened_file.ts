// Games of a text that was opened: which one is shown, the steps to the others, and how it was read.
import type { Backend, ReadGame } from "./backend/backend";
import { button, fill, h, reasonFor } from "./dom";
import { later, number, t, translated } from "./language";
import { spokenReason } from "./reasons";
import { gameTitle, tagValue } from "./tags";

// Dialects of moves (play/notation/dialect.cc) that are worth a word, and why a game was taken for what it is
// (play/notation/document_reader.cc).
const DIALECTS = [later("PlayOK's letters"), later("federation's letters"), later("Thai letters"), later("figurines")];
export const GUESSES = [
  later("the only game in which its moves are legal"),
  later("the most usual of the games in which its moves are legal"),
];

export class OpenedFile {
  readonly element = h("div", {
    class: "opened-file",
    role: "group",
    "aria-label": t("Games of the file"),
    hidden: true,
  });
  private readonly title = h("span", { role: "status" });
  private readonly previous = button("‹", () => void this.go(this.number - 1), attributes(t("Previous game")));
  private readonly next = button("›", () => void this.go(this.number + 1), attributes(t("Next game")));
  private readonly place = h("input", {
    type: "number",
    min: 1,
    name: "game-number",
    "aria-label": t("Number of the game"),
    onchange: () => void this.go(Number(this.place.value)),
  });
  private readonly steps = h("div", { class: "buttons" }, this.previous, this.place, this.next);
  private readonly facts = h("div");
  private text = "";
  private number = 1;
  private of = 1;
  private opening = false;
  private asked = 0; // Answers to older questions are dropped.

  constructor(
    private readonly backend: Pick<Backend, "read">,
    private readonly game: () => { game: string; title: string }, // The one that is open.
    private readonly open: (document: ReadGame) => Promise<unknown>,
  ) {
    fill(this.element, this.title, this.steps, this.facts);
  }

  // Opens the first game of a text. Fails where it cannot be read.
  async read(text: string): Promise<void> {
    const asked = ++this.asked;
    const read = await this.readGame(text, 1);
    if (read.fault && read.of === 1 && read.moves.length === 0) throw new Error(read.fault); // Nothing of it is a game.
    if (asked === this.asked) await this.show(text, read);
  }

  // Another game is shown.
  forget(): void {
    if (this.opening) return;
    this.asked++;
    this.element.hidden = true;
  }

  private async go(wanted: number): Promise<void> {
    this.number = Math.max(1, Math.min(this.of, Math.floor(wanted) || 1));
    const asked = ++this.asked;
    this.drawPlace("");
    try {
      const read = await this.readGame(this.text, this.number);
      if (asked === this.asked) await this.show(this.text, read);
    } catch (error) {
      if (asked !== this.asked) return;
      const why = reasonFor(error, (why) => t("This cannot be read as a game: {why}", { why }));
      fill(this.facts, h("p", { class: "error" }, why));
    }
  }

  // A text that does not name its game is of the one that is open, else of the one that fits better.
  private async readGame(text: string, number: number): Promise<ReadGame> {
    const asOpen = this.backend.read(text, this.game().game, number);
    const read = await asOpen.catch(() => null);
    if (read && !read.fault) return read;
    const guessed = await this.backend.read(text, "", number).catch(() => null);
    if (guessed && guessed.moves.length > (read?.moves.length ?? -1)) return guessed;
    return asOpen;
  }

  private async show(text: string, read: ReadGame): Promise<void> {
    Object.assign(this, { text, number: read.number, of: read.of, opening: true });
    try {
      await this.open(read);
    } finally {
      this.opening = false;
    }
    const tags = read.tags ?? [];
    const [white, black] = [tagValue(tags, "White"), tagValue(tags, "Black")];
    this.drawPlace(read.of > 1 || white || black ? gameTitle(white, black, read.result) : "");
    this.drawFacts(read);
    this.element.hidden = read.of === 1 && this.facts.childElementCount === 0;
  }

  private drawPlace(game: string): void {
    const { number: place, of } = this;
    this.steps.hidden = of === 1;
    this.previous.disabled = place === 1;
    this.next.disabled = place === of;
    this.place.max = String(of);
    this.place.value = String(place);
    const where = t("Game {number} of {of}", { number: number(place), of: number(of) });
    this.title.textContent = of === 1 ? game : game ? t("{where}: {game}", { where, game }) : where;
  }

  private drawFacts({ guess, dialect, fault }: ReadGame): void {
    const { title } = this.game();
    const words = [
      guess ? t("Read as {game}: {why}.", { game: title, why: translated(guess) }) : "",
      dialect && DIALECTS.includes(dialect) ? t("Its moves are in {dialect}.", { dialect: translated(dialect) }) : "",
    ].filter(Boolean);
    const stopped = fault && t("It is read up to here: {why}", { why: spokenReason(fault) });
    fill(
      this.facts,
      words.length ? h("p", { class: "facts" }, words.join(" ")) : null,
      stopped ? h("p", { class: "error" }, stopped) : null,
    );
  }
}

const attributes = (name: string) => ({ "aria-label": name, title: name });
