// Import of files into the library, chosen or dropped onto the page: a line for each, with what became of it.
import type { ImportFault, ImportResult, Library } from "../backend/backend";
import { button, h, messageOf } from "../dom";
import { textOf } from "../file_text";
import { number, plural, t } from "../language";
import { spokenReason } from "../reasons";

export class ImportList {
  readonly element = h("ul", { class: "imports", "aria-label": t("Imported files"), "aria-live": "polite" });
  readonly button = button(t("Import files"), () => this.files.click(), { class: "primary" });
  private readonly files = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    accept: ".pgn,.txt,.json",
    "aria-label": t("Files with games"),
    onchange: () => void this.import([...(this.files.files ?? [])]),
  });
  private last: Promise<void> = Promise.resolve(); // One file after the other.

  constructor(
    private readonly library: Library,
    private readonly done: () => void, // A file is imported.
  ) {
    this.button.append(this.files);
  }

  // Whether files may be dropped onto the page.
  listen(listening: boolean): void {
    const change = listening ? document.addEventListener : document.removeEventListener;
    change.call(document, "dragover", this.over);
    change.call(document, "drop", this.drop);
  }

  private readonly over = (event: Event) => event.preventDefault();

  private readonly drop = (event: Event) => {
    event.preventDefault();
    void this.import([...((event as DragEvent).dataTransfer?.files ?? [])]);
  };

  private import(files: File[]): Promise<void> {
    for (const file of files) {
      const words = h("span", {}, t("waiting"));
      const row = h("li", {}, h("strong", {}, file.name), " ", words);
      this.element.append(row);
      this.last = this.last.then(() => this.importOne(file, row, words));
    }
    this.files.value = ""; // The same files may be chosen again.
    return this.last;
  }

  private async importOne(file: File, row: HTMLElement, words: HTMLElement): Promise<void> {
    words.textContent = t("is being read …");
    try {
      const result = await this.library.import(file.name, await textOf(file));
      words.textContent = resultText(result);
      const faults = faultList(result);
      if (faults) row.append(faults);
    } catch (error) {
      words.textContent = messageOf(error);
      words.classList.add("error");
    }
    this.done();
  }
}

// "200 read, 198 added, 2 were there, 0 skipped".
function resultText({ read, added, duplicates, skipped }: ImportResult): string {
  const values = { read, added, duplicates, skipped: skipped.length };
  return t("{read} read, {added} added, {duplicates} were there, {skipped} skipped", values);
}

function faultList({ skipped, cutShort }: ImportResult): HTMLElement | null {
  const count = skipped.length + cutShort.length;
  if (count === 0) return null;
  const line = ({ number: place, why }: ImportFault) =>
    h("li", {}, t("Game {number}: {why}", { number: number(place), why: spokenReason(why) }));
  const part = ({ number: place, why }: ImportFault) =>
    h("li", {}, t("Game {number}, added up to there: {why}", { number: number(place), why: spokenReason(why) }));
  return h(
    "details",
    {},
    h("summary", {}, plural("{count} game has a fault", "{count} games have faults", count)),
    h("ul", {}, ...skipped.map(line), ...cutShort.map(part)),
  );
}
