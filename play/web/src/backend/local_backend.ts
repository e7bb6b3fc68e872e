// The backend of a page without a server (`makzero export --to web`): everything runs in a worker of the page.
import type { Backend, Player, Search, SearchQuery, SearchResult } from "./backend";
import { later } from "../language";
import type { Answer, Question } from "./local_worker";
import { withPromoted } from "../board/promoted";

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

interface Waiting {
  result?(result: SearchResult): void;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function localBackend(): Backend {
  const worker = new Worker(new URL("./local_worker.ts", import.meta.url), { type: "module", name: "local" });
  const waiting = new Map<number, Waiting>();
  let questions = 0;

  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id)!;
    if (data.kind === "result") return asked.result?.(data.result);
    waiting.delete(data.id);
    if (data.kind === "error") asked.reject(new Error(data.error));
    else asked.resolve(data.value);
  };
  worker.onerror = (event) => {
    for (const asked of waiting.values())
      asked.reject(new Error(event.message || later("The page's worker cannot start.")));
    waiting.clear();
  };

  const send = (question: Unnumbered<Question>, result?: (result: SearchResult) => void) => {
    const id = ++questions;
    const done = new Promise<unknown>((resolve, reject) =>
      waiting.set(id, { resolve, reject, ...(result && { result }) }),
    );
    worker.postMessage({ ...question, id });
    return { id, done };
  };
  const ask = async <T>(what: string, query: object = {}) =>
    (await send({ kind: "ask", query: { ...query, ask: what } }).done) as T;

  return {
    games: () => ask("games"),
    rules: (game) => ask("rules", { game }),
    state: async (query) => withPromoted(await ask("state", query)),
    read: (text, game, number) => ask("read", { text, game, number }),
    write: async (document, format) => (await ask<{ text: string }>("write", { ...document, format })).text,
    players: (game) => ask<Player[]>("players", { game }),
    search: (query: SearchQuery, onResult): Search => {
      const { id, done } = send({ kind: "search", query }, onResult);
      return { stop: () => worker.postMessage({ kind: "stop", id }), done: done as Promise<SearchResult | null> };
    },
    judgements: () => ask("judgements"),
    tree: (searchId, path) => ask("tree", { search: searchId, path }),
    planes: (query, player) => ask("planes", { ...query, player }),
  };
}
