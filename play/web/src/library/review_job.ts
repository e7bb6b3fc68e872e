// The review of games of the library, which goes on in the background: its progress, and a button that stops it.
import type { Library, LibraryChoice, LibraryReview } from "../backend/backend";
import { button, fill, h } from "../dom";
import { number, t } from "../language";

const POLL_MS = 1000;

export class ReviewJob {
  readonly element = h("div", { class: "review-job", hidden: true });
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": t("Games that are reviewed") });
  private readonly words = h("p", { class: "facts", role: "status" });
  private readonly stop = button(t("Stop the review"), () => void this.library.stopReview());
  private running = false;
  private timer = 0;

  constructor(
    private readonly library: Library,
    private readonly done: () => void, // It has ended: what was found can be shown.
  ) {
    fill(this.element, this.bar, this.words, this.stop);
  }

  async begin(choice: LibraryChoice): Promise<void> {
    this.follow(await this.library.review(choice));
  }

  // Whether one is at work, also from before.
  async look(): Promise<void> {
    clearTimeout(this.timer);
    const state = await this.library.reviewState().catch(() => null);
    if (state && (state.running || this.running)) this.follow(state);
  }

  // Nobody looks any more; the review goes on.
  leave(): void {
    clearTimeout(this.timer);
  }

  private follow(state: LibraryReview): void {
    const ended = this.running && !state.running;
    this.running = state.running;
    this.draw(state);
    clearTimeout(this.timer);
    if (state.running) this.timer = window.setTimeout(() => void this.look(), POLL_MS);
    if (ended) this.done();
  }

  private draw({ running, done, of, skipped, now, left_s }: LibraryReview): void {
    this.element.hidden = of === 0;
    this.bar.hidden = this.stop.hidden = !running;
    this.bar.max = Math.max(1, of);
    this.bar.value = done;
    const parts = [
      t("{done} of {of} games reviewed", { done: number(done), of: number(of) }),
      skipped ? t("{count} skipped", { count: skipped }) : "",
      running ? (now ?? "") : "",
      running && left_s !== undefined ? t("{left} s left", { left: left_s }) : "",
    ];
    this.words.textContent = parts.filter(Boolean).join(" · ");
  }
}
