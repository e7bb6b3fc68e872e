// A game and its position as text: read, changed, copied, saved, and set up from.
import type { Backend, Format, GameDocument } from "./backend/backend";
import { button, download, h, labelled, messageOf, reasonFor, select } from "./dom";
import { textOf } from "./file_text";
import { t, translated } from "./language";
import { OpenedFile } from "./opened_file";
import type { Session } from "./play/session";

// How a game is written, and what its file is called.
const FORMATS: { value: Format; label: () => string; ending: string }[] = [
  { value: "text", label: () => t("as text"), ending: "txt" },
  { value: "pgn", label: () => t("as PGN"), ending: "pgn" },
  { value: "playok", label: () => t("as PGN in PlayOK's letters"), ending: "pgn" },
  { value: "thai", label: () => t("as PGN in Thai"), ending: "pgn" },
  { value: "json", label: () => t("as JSON"), ending: "json" },
];

export function formatChoice(chosen: Format, onchange: (format: Format) => void): HTMLSelectElement {
  const options = FORMATS.map(({ value, label }) => ({ value, label: label() }));
  return select(options, chosen, (format) => onchange(format as Format), { "aria-label": t("Format"), name: "format" });
}

export const fileEnding = (format: Format) => FORMATS.find(({ value }) => value === format)!.ending;

export class TextPanel {
  readonly element: HTMLDetailsElement;
  readonly opened: OpenedFile; // Stands where the view wants it.
  private readonly position = h("input", { type: "text", spellcheck: "false", autocomplete: "off", name: "position" });
  private readonly text = h("textarea", { rows: 6, spellcheck: "false", name: "game-text" });
  private readonly file = h("input", { type: "file", hidden: true, "aria-label": t("A file with a game") });
  private readonly message = h("p", { class: "message", role: "status" });
  private format: Format = "text";
  private asked = 0; // Answers to older questions are dropped.
  private edited = false; // By the person: what is written there stays until it is loaded.

  constructor(
    private readonly backend: Backend,
    private readonly session: Session,
    private readonly open: (document: GameDocument) => Promise<unknown>,
    private readonly more: () => Partial<GameDocument>, // Of the game, for its text.
  ) {
    const game = () => ({ game: session.query.game, title: translated(session.shown?.title ?? "") });
    this.opened = new OpenedFile(backend, game, (read) => {
      this.edited = false;
      return open(read);
    });
    this.text.oninput = () => (this.edited = true);
    this.text.onblur = () => void this.update();
    this.file.onchange = () => void this.openFile();
    this.text.placeholder = t("Paste a game here (PGN or text), then Load.");
    this.element = h(
      "details",
      { class: "panel text-panel", ontoggle: () => void this.update() },
      h("summary", {}, t("Position and game as text")),
      labelled(t("Position"), this.position),
      h(
        "div",
        { class: "buttons" },
        button(t("Set up"), () => void this.setUp()),
        button(t("Copy position"), () => void this.copy(this.position.value)),
      ),
      labelled(t("Game"), this.text),
      h(
        "div",
        { class: "buttons" },
        button(t("Load"), () => void this.load(), { class: "load" }),
        button(t("Open file"), () => this.file.click()),
        button(t("Copy"), () => void this.copy(this.text.value)),
        button(t("Download"), () =>
          download(`${session.query.game.split(":")[0]}.${fileEnding(this.format)}`, this.text.value),
        ),
        formatChoice(this.format, (format) => {
          this.format = format;
          this.edited = false;
          void this.update();
        }),
      ),
      this.file,
      this.message,
    );
  }

  async update(): Promise<void> {
    if (!this.element.open || !this.session.shown || this.edited) return;
    if (document.activeElement !== this.position) this.position.value = this.session.shown.position;
    const asked = ++this.asked;
    try {
      const text = await this.backend.write({ ...this.session.query, ...this.more() }, this.format);
      // Whoever is about to write there keeps what is selected.
      if (!this.edited && asked === this.asked && document.activeElement !== this.text) this.text.value = text;
    } catch (error) {
      if (asked === this.asked) this.say(messageOf(error), true);
    }
  }

  private setUp(): Promise<void> {
    return this.attempt(
      async () => {
        const query = { game: this.session.query.game, start: this.position.value.trim(), moves: [] };
        await this.backend.state(query); // Its message says what is wrong with the text.
        await this.open(query);
        return t("The position is set up.");
      },
      (why) => t("This position cannot be set up: {why}", { why }),
    );
  }

  private load(): Promise<void> {
    return this.attempt(
      async () => {
        await this.opened.read(this.text.value);
        return t("The game is loaded.");
      },
      (why) => t("This cannot be read as a game: {why}", { why }),
    );
  }

  private async openFile(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    this.text.value = await textOf(file);
    this.file.value = ""; // The same file may be chosen again.
    await this.load();
  }

  private copy(text: string): Promise<void> {
    return this.attempt(async () => {
      await navigator.clipboard.writeText(text);
      return t("Copied.");
    });
  }

  // Does what a button asks for, and says how it went.
  private async attempt(action: () => Promise<string>, failed = (why: string) => why): Promise<void> {
    this.say("", false);
    try {
      this.say(await action(), false);
    } catch (error) {
      this.say(reasonFor(error, failed), true);
    }
  }

  private say(text: string, error: boolean): void {
    this.message.textContent = text;
    this.message.classList.toggle("error", error);
  }
}
