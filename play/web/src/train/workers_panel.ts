// The workers of a training on other machines: how fast each plays, with which network, and what waits.
import { fill, h } from "../dom";
import { later, number, plural, t, translated } from "../language";

// As status.json says it.
interface Worker {
  name: string;
  threads: number;
  games: number;
  games_per_second: number;
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

const HEADS = [
  later("Worker"),
  later("Games/s"),
  later("Games"),
  later("Network"),
  later("Waiting"),
  later("Last report"),
];

export class WorkersPanel {
  readonly element = h("div", { class: "workers", hidden: true });
  private readonly summary = h("p", { class: "facts" });
  private readonly table = h("div", {
    class: "table-scroll",
    tabindex: 0,
    role: "region",
    "aria-label": t("Workers"),
  });

  constructor() {
    this.element.append(h("h3", {}, t("Workers")), this.summary, this.table);
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
        h("thead", {}, h("tr", {}, ...HEADS.map((head) => h("th", { scope: "col" }, translated(head))))),
        h("tbody", {}, ...hub.workers.map((worker) => rowOf(worker, generation))),
      ),
    );
  }
}

const hundredths = (rate: number) => number(rate, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function summaryOf(hub: Hub): string {
  const more = hub.worker_count - hub.workers.length;
  return [
    hub.away ? t("the hub is away") : "",
    plural("{count} worker", "{count} workers", hub.worker_count),
    t("{rate} games/s", { rate: hundredths(hub.games_per_second) }),
    hub.backlog > 0 ? plural("{count} game in the stream", "{count} games in the stream", hub.backlog) : "",
    hub.refused > 0 ? t("{count} refused, see quarantine", { count: hub.refused }) : "",
    more > 0 ? t("and {count} more", { count: more }) : "",
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
    h("td", {}, hundredths(worker.games_per_second)),
    h("td", {}, number(worker.games)),
    h(
      "td",
      { title: worker.network },
      number(worker.generation),
      behind > 0 ? h("small", {}, " ", t("{count} behind", { count: behind })) : null,
    ),
    h("td", {}, number(worker.spooled)),
    h("td", {}, worker.silent_seconds < 1 ? t("now") : t("{seconds} s ago", { seconds: worker.silent_seconds })),
  );
}
