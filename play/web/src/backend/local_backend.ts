// The backend of a page without a server (`makzero export --to web`): two workers of the page, one for the rules, which
// answers at once, and one that searches.
import type { Backend, GameState, Search, SearchQuery, SearchResult } from "./backend";
import { later } from "../language";
import type { Answer, Query, Question } from "./local_worker";
import { withPromoted } from "../board/promoted";
import { fetched, TOWER, unpacked, type Site } from "./site";

const PATIENCE = 100; // Milliseconds until a search that is stopped amid an iteration loses its worker.

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
type OnResult = (result: SearchResult, due: boolean) => void;

interface Waiting {
  result?: OnResult;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Files {
  module: WebAssembly.Module;
  site: Site;
}

class LocalWorker {
  private readonly worker = new Worker(new URL("./local_worker.ts", import.meta.url), {
    type: "module",
    name: "local",
  });
  private readonly waiting = new Map<number, Waiting>();
  private questions = 0;

  constructor(files: Files) {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const asked = this.waiting.get(data.id)!;
      if (data.kind === "result") return asked.result?.(data.result, data.due);
      this.waiting.delete(data.id);
      if (data.kind === "error") asked.reject(new Error(data.error));
      else asked.resolve(data.value);
    };
    this.worker.onerror = (event) => {
      for (const asked of this.waiting.values())
        asked.reject(new Error(event.message || later("The page's worker cannot start.")));
      this.waiting.clear();
    };
    this.send({ kind: "start", ...files }).done.catch(() => {}); // Every question fails with the reason.
  }

  send(question: Unnumbered<Question>, result?: OnResult): { id: number; done: Promise<unknown> } {
    const id = ++this.questions;
    const done = new Promise<unknown>((resolve, reject) =>
      this.waiting.set(id, { resolve, reject, ...(result && { result }) }),
    );
    this.worker.postMessage({ ...question, id });
    return { id, done };
  }

  async ask<T>(what: string, query: object = {}): Promise<T> {
    return (await this.send({ kind: "ask", query: { ...query, ask: what } as Query }).done) as T;
  }

  stop(id: number): void {
    this.worker.postMessage({ kind: "stop", id });
  }

  terminate(): void {
    this.worker.terminate();
  }
}

interface Workers {
  rules: LocalWorker;
  searcher: LocalWorker;
  files: Files;
}

async function open(): Promise<Workers> {
  const [module, site] = await Promise.all([
    unpacked("makzero.wasm.gz").then((bytes) => WebAssembly.compile(bytes)),
    fetched("site.json").then((response) => response.json() as Promise<Site>),
  ]);
  const files = { module, site };
  return { rules: new LocalWorker(files), searcher: new LocalWorker(files), files };
}

// Later visits need no network: the service worker keeps the files.
function install(): void {
  void navigator.serviceWorker?.register("service_worker.js").catch(() => {}); // Without it the page plays all the same.
}

export function localBackend(): Backend {
  const opened = open();
  const ask = async <T>(what: string, query: object = {}) => (await opened).rules.ask<T>(what, query);
  let last: Promise<unknown> = opened; // One search after the other.

  // Waits for its turn; null where it was stopped before.
  const search = (query: SearchQuery, onResult: (result: SearchResult) => void): Search => {
    let stopped = false;
    let end = () => {}; // Of the search that runs.
    const run = async (): Promise<SearchResult | null> => {
      const workers = await opened;
      if (stopped) return null;
      const { searcher } = workers;
      let found: SearchResult | null = null;
      const { id, done } = searcher.send({ kind: "search", query }, (result, due) => {
        found = result;
        if (due) onResult(result);
      });
      // Alpha-beta takes no message during an iteration, which may be long; its last result is known.
      const cut = new Promise<"cut">((resolve) => {
        end = () => {
          searcher.stop(id);
          if (query.player !== TOWER) setTimeout(resolve, PATIENCE, "cut");
        };
      });
      let result = await Promise.race([done as Promise<SearchResult | null>, cut]);
      if (result === "cut") {
        searcher.terminate();
        workers.searcher = new LocalWorker(workers.files);
        result = found && { ...(found as SearchResult), isDuringSearch: false };
      }
      if (result) onResult(result);
      return result;
    };
    const done = last.then(run, run);
    last = done;
    return {
      stop: () => {
        stopped = true;
        end();
      },
      done,
    };
  };

  void opened.then(install, () => {});
  return {
    games: () => ask("games"),
    rules: (game) => ask("rules", { game }),
    state: async (query) => {
      const state = await ask<GameState>("state", query);
      void opened.then(({ searcher }) => searcher.ask("load", query)).catch(() => {}); // A search says what is wrong.
      return withPromoted(state);
    },
    read: (text, game, number) => ask("read", { text, game, number }),
    write: async (document, format) => (await ask<{ text: string }>("write", { ...document, format })).text,
    players: (game) => ask("players", { game }),
    search,
    judgements: () => ask("judgements"),
    tree: async (searchId, path) => (await opened).searcher.ask("tree", { search: searchId, path }),
    planes: (query, player) => ask("planes", { ...query, player }),
  };
}
