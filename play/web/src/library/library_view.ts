// The view of the library: games are imported, found, opened in the analysis, exported, reviewed and deleted.
import type { Format, GameDocument, GameInfo, GameQuery, Library, LibraryChoice } from "../backend/backend";
import { button, download, fill, h, messageOf } from "../dom";
import { number, plural, t } from "../language";
import { Question } from "../question";
import { fileEnding, formatChoice } from "../text_panel";
import { FilterForm } from "./filter_form";
import { GameList } from "./game_list";
import { ImportList } from "./import_list";
import { ReviewJob } from "./review_job";

const PAGE = 50; // Games of the list at once.

export class LibraryView {
  readonly element: HTMLElement;
  private readonly imports: ImportList;
  private readonly filters: FilterForm;
  private readonly list: GameList;
  private readonly review: ReviewJob;
  private readonly deletion = new Question(t("Delete these games?"));
  private readonly found = h("p", { class: "facts", role: "status" });
  private readonly actions = h("div", { class: "buttons" });
  private readonly pages = h("div", { class: "buttons pages" });
  private readonly message = h("p", { class: "error", role: "status" });
  private format: Format = "pgn";
  private offset = 0;
  private total = 0;
  private asked = 0; // Answers to older questions are dropped.

  constructor(
    private readonly library: Library,
    games: GameInfo[],
    private readonly on: {
      open: (document: GameDocument) => unknown; // In the analysis.
      position: () => GameQuery; // The one that is open there.
    },
  ) {
    this.imports = new ImportList(library, () => void this.refresh());
    this.filters = new FilterForm(games, on.position, () => void this.find());
    this.list = new GameList({ open: (id) => void this.open(id), chosen: () => this.drawActions() });
    this.review = new ReviewJob(library, () => void this.refresh());
    this.element = h(
      "section",
      { class: "view library", "aria-label": t("Library") },
      h("div", { class: "heading" }, h("h2", {}, t("Library")), this.imports.button),
      this.imports.element,
      this.filters.element,
      this.message,
      this.found,
      this.actions,
      this.review.element,
      this.list.element,
      this.pages,
      this.deletion.element,
    );
  }

  enter(): void {
    this.imports.listen(true);
    this.filters.look();
    void this.review.look();
    void this.refresh();
  }

  leave(): void {
    this.imports.listen(false);
    this.review.leave();
  }

  // Other games are wanted.
  private async find(): Promise<void> {
    this.offset = 0;
    this.list.choose([]);
    await this.refresh();
  }

  private async refresh(): Promise<void> {
    const asked = ++this.asked;
    await this.attempt(async () => {
      const { filter } = this.filters;
      const page = await this.library.games({ ...filter, offset: this.offset, limit: PAGE });
      if (asked !== this.asked) return;
      if (page.games.length === 0 && this.offset > 0) return this.turn(0); // Its last game was deleted.
      this.total = page.total;
      this.list.show(page.games);
      this.draw();
    });
  }

  private turn(offset: number): Promise<void> {
    this.offset = offset;
    return this.refresh();
  }

  private draw(): void {
    const { total, offset } = this;
    const last = Math.min(total, offset + PAGE);
    const values = { first: number(offset + 1), last: number(last), total: number(total) };
    this.found.textContent = total ? t("Games {first} to {last} of {total}", values) : this.nothing();
    this.filters.element.hidden = total === 0 && !this.filters.asks;
    this.pages.hidden = total <= PAGE;
    fill(
      this.pages,
      button(t("Previous page"), () => void this.turn(offset - PAGE), { disabled: offset === 0 }),
      button(t("Next page"), () => void this.turn(offset + PAGE), { disabled: last === total }),
    );
    this.drawActions();
  }

  private nothing(): string {
    if (this.filters.asks) return t("No game of the library is like that.");
    return t(
      "The library is empty. Import files with games - PGN of any program, PlayOK's, texts: choose them with the button above, or drop them onto this page.",
    );
  }

  // For the games that are chosen, else for all that are found.
  private drawActions(): void {
    const { chosen } = this.list;
    const count = chosen.length || this.total;
    this.actions.hidden = this.total === 0;
    fill(
      this.actions,
      h("label", { class: "check-field" }, this.list.all, t("Choose this page")),
      button(plural("Export {count} game", "Export {count} games", count), () => void this.export()),
      formatChoice(this.format, (format) => (this.format = format)),
      button(plural("Review {count} game", "Review {count} games", count), () => void this.beginReview()),
      button(t("Delete"), () => this.askToDelete(), { disabled: chosen.length === 0 }),
    );
  }

  private get choice(): LibraryChoice {
    const { chosen } = this.list;
    return chosen.length ? { ids: chosen } : this.filters.filter;
  }

  private open(id: number): Promise<void> {
    return this.attempt(async () => void this.on.open(await this.library.game(id)));
  }

  private export(): Promise<void> {
    return this.attempt(async () => {
      const text = await this.library.export(this.choice, this.format);
      download(`library.${fileEnding(this.format)}`, text);
    });
  }

  private beginReview(): Promise<void> {
    return this.attempt(() => this.review.begin(this.choice));
  }

  private askToDelete(): void {
    const { chosen } = this.list;
    const remove = () =>
      void this.attempt(async () => {
        await this.library.remove(chosen);
        this.list.choose([]);
        await this.refresh();
      });
    const title = plural("Delete {count} game?", "Delete {count} games?", chosen.length);
    this.deletion.ask([{ label: t("Yes, delete"), act: remove }], t("Cancel"), title);
  }

  private async attempt(action: () => Promise<void>): Promise<void> {
    this.message.textContent = "";
    try {
      await action();
    } catch (error) {
      this.message.textContent = messageOf(error);
    }
  }
}
