// The backend of the served page: `makzero serve` over HTTP, with server-sent events for what goes on.
import { ConnectionLost, Missing } from "./backend";
import type { Backend, Library, RunEvents, Search, SearchQuery, SearchResult, Training } from "./backend";
import { spoken, t, type Message } from "../language";
import { withPromoted } from "../board/promoted";

export function httpBackend(): Backend {
  return {
    games: () => ask("games"),
    rules: (game) => ask(`rules?game=${encodeURIComponent(game)}`),
    state: async (query) => withPromoted(await ask("state", query)),
    read: (text, game, number) => ask("read", { text, game, number }),
    write: async (document, format) => (await ask<{ text: string }>("write", { ...document, format })).text,
    players: (game) => ask(`players?game=${encodeURIComponent(game)}`),
    search,
    judgements: () => ask("judgements"),
    tree: (id, path) => ask(`search/${encodeURIComponent(id)}/tree?path=${encodeURIComponent(path.join())}`),
    planes: (query, player) => ask("planes", { ...query, player }),
    training,
    library,
  };
}

const training: Training = {
  runs: () => ask("runs"),
  watch: (name, events) => {
    const source = new EventSource(`api/runs/${encodeURIComponent(name)}/events`);
    for (const kind of Object.keys(events) as (keyof RunEvents)[]) {
      source.addEventListener(kind, (event) => events[kind]?.(JSON.parse((event as MessageEvent<string>).data)));
    }
    return () => source.close();
  },
  checkpoints: (name) => ask(`runs/${encodeURIComponent(name)}/checkpoints`),
  exportCheckpoint: async (name, id, to) => {
    const path = `runs/${encodeURIComponent(name)}/checkpoints/${encodeURIComponent(id)}/export`;
    return (await ask<{ files: { name: string; url: string }[] }>(path, { to })).files;
  },
};

const library: Library = {
  games: (filter) => ask("library/games", filter),
  game: (id) => ask(`library/games/${id}`),
  import: (name, text) => ask("library/import", { name, text }),
  export: async (choice, format) => (await ask<{ text: string }>("library/export", { ...choice, format })).text,
  remove: async (ids) => (await ask<{ deleted: number }>("library/delete", { ids })).deleted,
  moves: (query) => ask("library/moves", query),
  review: (choice) => ask("library/review", choice),
  reviewState: () => ask("library/review"),
  stopReview: () => ask("library/review/stop", {}),
};

// A GET, or with a body a POST, of JSON.
async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await send(path, body);
  const text = await response.text().catch(() => Promise.reject(new ConnectionLost()));
  return JSON.parse(text) as T;
}

// Where the server has no place now and says when it may, it is asked again a few times.
const ATTEMPTS = 4;

async function send(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await request(path, body, signal);
    if (response.ok) return response;
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status === 404) throw new Missing(await reasonOf(response));
    if (!seconds || attempt === ATTEMPTS) throw new Error(await reasonOf(response));
    await pause(seconds * 1000, signal);
  }
}

async function request(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(`api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ConnectionLost();
  }
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      window.clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error, errorParts } = (await response.json()) as { error: string; errorParts?: Message };
    return errorParts ? spoken(errorParts) : error;
  } catch {
    return t("makzero answered {status}", { status: `${response.status} ${response.statusText}` });
  }
}

let searches = 0;

function search(query: SearchQuery, onResult: (result: SearchResult) => void): Search {
  const controller = new AbortController();
  const id = `page-${Date.now().toString(36)}-${++searches}`;
  return {
    stop: () => controller.abort(),
    done: stream({ ...query, id }, controller.signal, onResult),
  };
}

async function stream(
  body: unknown,
  signal: AbortSignal,
  onResult: (result: SearchResult) => void,
): Promise<SearchResult | null> {
  let last: SearchResult | null = null;
  try {
    const response = await send("search", body, signal);
    for await (const data of events(response.body!.getReader())) {
      const result = JSON.parse(data) as SearchResult & { error?: string };
      if (result.error) throw new Error(result.error);
      last = result;
      onResult(result);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted && last?.isDuringSearch !== false) throw new ConnectionLost(); // It ended without an end.
  return last;
}

// The data of the events of a stream (text/event-stream): EventSource itself cannot send a body.
async function* events(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    // It fails when the server goes, with words of the browser that are not for people.
    const { value, done } = await reader.read().catch(() => Promise.reject(new ConnectionLost()));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = text
        .slice(0, end)
        .split("\n")
        .filter((line) => line.startsWith("data:"));
      text = text.slice(end + 2);
      if (data.length) yield data.map((line) => line.slice(5).trimStart()).join("\n");
    }
  }
}
