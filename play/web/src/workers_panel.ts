// The workers of a training on other machines: how fast each plays, with which network, and what waits.
import { fill, h } from "./dom";

// As status.json says it.
interface Worker {
  name: string;
  threads: number;
  games: number;
  games_per_second: number;
  pairs: number; // Of rating matches.
  network: string;
  generation: number;
  spooled: number; // Games that only the worker has.
  silent_seconds: number;
}

interface Hub {
  away: boolean;
  backlog: number;
  kept: number;
  refused: number;
  worker_count: number;
  games_per_second: number;
  workers: Worker[]; // The first of them, where there are very many.
}

const HEADS = ["Worker", "Games/s", "Games", "Network", "Waiting", "Last report"];

export class WorkersPanel {
  readonly element = h("div", { class: "workers", hidden: true });
  private readonly summary = h("p", { class: "facts" });
  private readonly table = h("div", {
    class: "table-scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Workers",
  });

  constructor() {
    this.element.append(h("h3", {}, "Workers"), this.summary, this.table);
  }

  // Hidden where the training has none, or has ended.
  show(status: Record<string, unknown>): void {
    const hub = status.hub as Hub | undefined;
    this.element.hidden = !hub || !status.running;
    if (!hub || this.element.hidden) return;
    this.summary.textContent = summaryOf(hub);
    const generation = Number(status.generation ?? 0);
    fill(
      this.table,
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...HEADS.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...hub.workers.map((worker) => rowOf(worker, generation))),
      ),
    );
  }
}

function summaryOf(hub: Hub): string {
  const more = hub.worker_count - hub.workers.length;
  return [
    hub.away ? "the hub is away" : "",
    hub.worker_count === 1 ? "1 worker" : `${hub.worker_count} workers`,
    `${hub.games_per_second.toFixed(2)} games/s`,
    hub.backlog > 0 ? `${hub.backlog} games in the stream` : "",
    hub.refused > 0 ? `${hub.refused} refused, see quarantine` : "",
    more > 0 ? `and ${more} more` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function rowOf(worker: Worker, generation: number): HTMLElement {
  const behind = generation - worker.generation;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, worker.name),
    h("td", {}, worker.games_per_second.toFixed(2)),
    h("td", {}, worker.games.toLocaleString("en")),
    h("td", { title: worker.network }, `${worker.generation}`, behind > 0 ? h("small", {}, ` ${behind} behind`) : null),
    h("td", {}, worker.spooled.toLocaleString("en")),
    h("td", {}, worker.silent_seconds < 1 ? "now" : `${worker.silent_seconds} s ago`),
  );
}
